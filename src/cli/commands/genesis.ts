import { encodeAddress, parseAddress } from '../../core/sdk/codec/address.js';
import { chainOfGenesis, GenesisRefused } from '../../core/app/chain-of-genesis.js';
import { DEV_BECH32_PREFIX } from '../../core/genesis/dev-chain.js';
import { parseGenesis } from '../../core/genesis/genesis-document.js';
import { parseCoins } from '../values/coins.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { command, HOME } from '../table/command-rows.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { coinsOf, genesisPath, listAt, objectAt, prefixOf, readJson, sumCoins, writeGenesis } from '../genesis-file.js';
import { findKey } from '../values/names.js';
import { PURE_CRYPTO } from '../tx/pure-crypto.js';
import { unitsOfGenesis } from '../values/units.js';

const BASE_ACCOUNT = '/cosmos.auth.v1beta1.BaseAccount';

/**
 * `genesis validate [FILE]`: starts a chain from a genesis file in memory, with the options of the home, as a node's
 * first start does. The error names the wrong key.
 */
const validateGenesis: CommandBody = async (context, [file]) => {
  const path = file ?? genesisPath(context);
  const refuse = (message: string): never => {
    throw new CommandError(EXIT.config, `error validating genesis file ${path}: ${message}`);
  };
  const parsed = parseGenesis(readJson(context, path));
  if (!parsed.ok) return refuse(parsed.message);
  const { preset, evmChainId, minGasPrice } = context.options();
  try {
    const version = await context.ports.loadPreset(preset);
    chainOfGenesis({ document: parsed.genesis, version, evmChainId, minGasPrice, crypto: PURE_CRYPTO });
  } catch (error) {
    if (error instanceof GenesisRefused) refuse(error.message);
    throw error;
  }
  context.ports.stdout(`File at ${path} is a valid genesis file\n`);
};

/**
 * `genesis add-genesis-account ADDRESS|NAME COINS [--append]`: adds an account with coins to the home's genesis file.
 */
const addGenesisAccount: CommandBody = async (context, [who = '', amount = ''], flags) => {
  const path = genesisPath(context);
  const document = objectAt(readJson(context, path), path);
  const appState = objectAt(document['app_state'], 'app_state');
  const [auth, bank] = [objectAt(appState['auth'], 'app_state.auth'), objectAt(appState['bank'], 'app_state.bank')];
  const coins = parseCoins(amount, 'amount', unitsOfGenesis(bank['denom_metadata']));
  const prefix = prefixOf(bank) ?? flags.text('bech32-prefix') ?? DEV_BECH32_PREFIX;
  const bytes = parseAddress(prefix, who);
  const address =
    bytes === undefined
      ? findKey(context, await context.keyring(prefix), who, prefix).bech32
      : encodeAddress(prefix, bytes);
  const balances = listAt(bank['balances']);
  const known = balances.find((entry) => entry['address'] === address);
  if (known !== undefined && !flags.is('append'))
    throw new CommandError(EXIT.failed, `Account ${address} already exists\nUse --append to add coins to it`);
  const accounts = listAt(auth['accounts']);
  const updated = {
    ...document,
    app_state: {
      ...appState,
      auth: {
        ...auth,
        accounts:
          known === undefined
            ? [...accounts, { '@type': BASE_ACCOUNT, address, pub_key: null, account_number: '0', sequence: '0' }]
            : accounts,
      },
      bank: {
        ...bank,
        balances: [
          ...balances.filter((entry) => entry !== known),
          { address, coins: sumCoins(coinsOf(known?.['coins']), coins) },
        ].toSorted((a, b) => (String(a['address']) < String(b['address']) ? -1 : 1)),
        supply: sumCoins(coinsOf(bank['supply']), coins),
      },
    },
  };
  writeGenesis(context, updated);
};

/** `genesis migrate`: not available, because there is no older genesis format. */
const migrateGenesis: CommandBody = () => {
  throw new CommandError(
    EXIT.notAvailable,
    'genesis migrate: not available yet; a genesis file of the Cosmos SDK 0.53 is read as it is',
  );
};

export const commands: readonly CommandRow[] = [
  command('genesis validate [file]', 'check that a chain can start from a genesis file', [], validateGenesis, {
    aliases: ['validate-genesis'],
    options: [
      HOME,
      { flag: '--preset <name>', doc: 'application that runs the chain' },
      { flag: '--evm-chain-id <id>', doc: 'EIP-155 chain id, where the chain id names none' },
    ],
  }),
  command('genesis add-genesis-account <address> <coins>', 'an account with coins', ['keyring'], addGenesisAccount, {
    aliases: ['add-account'],
    options: [
      { flag: '--bech32-prefix <prefix>', doc: 'prefix of addresses, where the file has none' },
      { flag: '--append', doc: 'add coins to an account that is there' },
    ],
  }),
  command('genesis migrate [words...]', 'not available yet', [], migrateGenesis),
];
