/**
 * Genesis transactions (gentx): each creates a validator before the first block (cosmos-sdk v0.53
 * `x/genutil/client/cli/gentx.go`, `collect.go`).
 */
import { create } from '@bufbuild/protobuf';
import { base64 } from '@scure/base';
import { withGenesisTransactions } from '../../core/genesis/collected-transactions.js';
import { DEV_BECH32_PREFIX } from '../../core/genesis/dev-chain.js';
import { asObject, jsonOf } from '../../core/text/json-object.js';
import { MsgCreateValidatorSchema } from '../../core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { TxSchema } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { decodeBech32, encodeAddress } from '../../core/sdk/codec/address.js';
import { type CoinAmount, parseCoins, parseGasPrice, type Units } from '../values/coins.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { command, HOME } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import {
  coinsOf,
  genesisPath,
  type JsonObject,
  listAt,
  objectAt,
  prefixOf,
  readJson,
  writeGenesis,
} from '../genesis-file.js';
import { consensusKeyOf, nodeIdOf } from '../home-keys.js';
import { findKey } from '../values/names.js';
import { type ChosenFee, coinsOf as coinMessages, draftOf, messageAny } from '../tx/draft.js';
import { PURE_CRYPTO } from '../tx/pure-crypto.js';
import { signedBy, signingMode } from '../tx/sign.js';
import { validatorOfJson } from '../tx/validator-file.js';
import { transactionJson } from '../values/tx-json.js';
import { unitsOfGenesis } from '../values/units.js';

const NO_KEY = { key: undefined };
const GAS = 200_000n;

/**
 * `genesis gentx KEY AMOUNT`: writes a signed genesis transaction that creates a validator with this home's consensus
 * key.
 */
const gentx: CommandBody = async (context, [name = '', amount = ''], flags) => {
  const path = genesisPath(context);
  const document = objectAt(readJson(context, path), path);
  const appState = objectAt(document['app_state'], 'app_state');
  const bank = objectAt(appState['bank'], 'app_state.bank');
  const units = unitsOfGenesis(bank['denom_metadata']);
  const value = bondedCoin(appState, amount, units);
  const prefix = prefixOf(bank) ?? DEV_BECH32_PREFIX;
  const entry = findKey(context, await context.keyring(prefix), name, prefix);
  requireCoins(bank, entry.bech32, value);

  const nodeId = flags.text('node-id') ?? nodeIdOf(context);
  const { amount: _, ...validator } = validatorOfJson('the flags', describe(context, flags));
  const operator = decodeBech32(entry.bech32);
  const message = messageAny(MsgCreateValidatorSchema, {
    ...validator,
    validatorAddress: encodeAddress(`${prefix}valoper`, operator?.bytes ?? new Uint8Array()),
    value: coinMessages([value])[0],
  });
  const terms = { fee: feeOf(flags, units), timeout: { unordered: false }, payer: '', granter: '' } as const;
  const draft = draftOf([message], flags, terms, gasOf(flags));
  if (draft.body !== undefined)
    draft.body.memo = flags.text('note') || `${nodeId}@${flags.text('ip')}:${flags.text('p2p-port')}`;
  const at = {
    chainId: flags.text('chain-id') ?? String(document['chain_id']),
    accountNumber: 0n,
    sequence: 0n,
  };
  const tx = signedBy(create(TxSchema, draft), signingMode(flags), [{ entry, at }]);
  const target = flags.text('output-document') ?? `${gentxFolder(context)}/gentx-${nodeId}.json`;
  context.ports.files.write(target, `${JSON.stringify(transactionJson(tx))}\n`);
  context.ports.stderr(`Genesis transaction written to ${JSON.stringify(target)}\n`);
};

/** `genesis collect-gentxs`: puts the genesis transactions of a folder into the genesis file. */
const collectGentxs: CommandBody = (context, _args, flags) => {
  const path = genesisPath(context);
  const document = objectAt(readJson(context, path), path);
  const appState = objectAt(document['app_state'], 'app_state');
  const folder = flags.text('gentx-dir') ?? gentxFolder(context);
  const files = context.ports.files.list(folder);
  if (files === undefined) throw new CommandError(EXIT.notFound, `open ${folder}: no such file or directory`);
  const transactions = files
    .filter((file) => file.endsWith('.json'))
    .map((file) => checked(appState, `${folder}/${file}`, readJson(context, `${folder}/${file}`)));
  if (transactions.length === 0)
    throw new CommandError(EXIT.failed, `there must be at least one genesis tx: ${folder} has none`);
  if (objectAt(appState['staking'] ?? {}, 'app_state.staking')['exported'] === true)
    throw new CommandError(EXIT.config, 'app_state.staking is that of a running chain, which has its validators');
  const updated = withGenesisTransactions(document, transactions, PURE_CRYPTO);
  writeGenesis(context, updated);
  context.ports.stderr(
    `${JSON.stringify({
      moniker: context.options().moniker,
      chain_id: document['chain_id'],
      node_id: nodeIdOf(context),
      gentxs_dir: folder,
      app_message: updated['app_state'],
    })}\n`,
  );
};

const gentxFolder = (context: CommandContext): string => `${context.home()}/config/gentx`;

/** Parses an amount as one coin of the bond denom. */
function bondedCoin(appState: JsonObject, text: string, units: Units): CoinAmount {
  const [value, ...more] = parseCoins(text, 'amount', units);
  if (value === undefined || more.length > 0) throw new CommandError(EXIT.usage, `amount: ${text} is not one coin`);
  const denom = asObject(asObject(appState['staking'])?.['params'])?.['bond_denom'];
  if (value.denom !== denom)
    throw new CommandError(EXIT.usage, `amount: ${text} is not in the bond denomination ${String(denom)}`);
  return value;
}

/** Throws if the account's balance in the genesis file is too small, with the SDK's texts (`x/genutil/gentx.go`). */
function requireCoins(bank: JsonObject, address: string, { denom, amount }: CoinAmount): void {
  const refuse = (text: string): never => {
    throw new CommandError(EXIT.failed, `failed to validate account in genesis: ${text}`);
  };
  const balance = listAt(bank['balances']).find((entry) => entry['address'] === address);
  if (balance === undefined) return refuse(`account ${address} does not have a balance in the genesis state`);
  const spendable = coinsOf(balance['coins']).find((coin) => coin.denom === denom)?.amount ?? 0n;
  if (spendable < amount)
    refuse(
      `account ${address} has a balance in genesis, but it only has ${spendable}${denom} available to stake, not ${amount}${denom}`,
    );
}

/** The validator that the flags describe, in the form of a validator file, with the consensus key of the home. */
function describe(context: CommandContext, flags: Flags): JsonObject {
  const key = flags.text('pubkey');
  return {
    amount: '1',
    pubkey:
      key === undefined
        ? {
            '@type': '/cosmos.crypto.ed25519.PubKey',
            key: base64.encode(consensusKeyOf(context)),
          }
        : (jsonOf(key) ?? NO_KEY),
    moniker: flags.text('moniker') ?? context.options().moniker,
    identity: flags.text('identity') ?? '',
    website: flags.text('website') ?? '',
    security: flags.text('security-contact') ?? '',
    details: flags.text('details') ?? '',
    'commission-rate': flags.text('commission-rate') ?? '',
    'commission-max-rate': flags.text('commission-max-rate') ?? '',
    'commission-max-change-rate': flags.text('commission-max-change-rate') ?? '',
    'min-self-delegation': flags.text('min-self-delegation') ?? '',
  };
}

function feeOf(flags: Flags, units: Units): ChosenFee {
  const [fees, price] = [flags.text('fees'), flags.text('gas-prices')];
  if (fees !== undefined && price !== undefined)
    throw new CommandError(EXIT.usage, 'cannot provide both fees and gas prices');
  if (price !== undefined) return { kind: 'price', price: parseGasPrice(price, units) };
  return { kind: 'coins', coins: fees === undefined ? [] : parseCoins(fees, '--fees', units) };
}

/** The gas limit of the flags: gas cannot be simulated before the first block. */
function gasOf(flags: Flags): bigint {
  return flags.text('gas') === 'auto' ? GAS : (flags.whole('gas') ?? GAS);
}

/** Checks a gentx file: it creates one validator, whose operator has the coins in the genesis file. */
function checked(appState: JsonObject, path: string, json: unknown): JsonObject {
  const tx = objectAt(json, path);
  const body = objectAt(tx['body'], `${path}: body`);
  const [message, ...more] = listAt(body['messages']);
  if (message?.['@type'] !== '/cosmos.staking.v1beta1.MsgCreateValidator' || more.length > 0)
    throw new CommandError(EXIT.config, `${path}: a genesis transaction holds one MsgCreateValidator`);
  if (!/^[^@]+@[^@]+$/.test(String(body['memo'])))
    throw new CommandError(
      EXIT.config,
      `${path}: failed to find node's address and IP in the note: ${String(body['memo'])}`,
    );
  const operator = decodeBech32(String(message['validator_address']));
  if (operator === undefined) throw new CommandError(EXIT.config, `${path}: validator_address is not an address`);
  const [value] = coinsOf([message['value']]);
  if (value !== undefined)
    requireCoins(
      objectAt(appState['bank'], 'app_state.bank'),
      encodeAddress(operator.prefix.replace(/valoper$/, ''), operator.bytes),
      value,
    );
  return tx;
}

export const commands: readonly CommandRow[] = [
  command(
    'genesis gentx <key> <amount>',
    'a signed transaction that makes the key of this home a validator',
    ['keyring'],
    gentx,
    {
      options: [
        { flag: '--moniker <name>', doc: "name of the validator; the home's by default" },
        { flag: '--commission-rate <rate>', doc: 'commission (default: 0.1)' },
        { flag: '--commission-max-rate <rate>', doc: 'greatest commission (default: 0.2)' },
        {
          flag: '--commission-max-change-rate <rate>',
          doc: 'greatest change of the commission in a day (default: 0.01)',
        },
        { flag: '--min-self-delegation <tokens>', doc: 'tokens that the operator keeps bonded (default: 1)' },
        { flag: '--details <text>', doc: 'details' },
        { flag: '--identity <text>', doc: 'identity, for example of Keybase' },
        { flag: '--website <url>', doc: 'website' },
        { flag: '--security-contact <text>', doc: 'contact for security' },
        { flag: '--pubkey <json>', doc: "consensus key; the home's by default" },
        { flag: '--node-id <id>', doc: "id of the node; the home's by default" },
        { flag: '--ip <address>', doc: 'address of the node in the note', default: '127.0.0.1' },
        { flag: '--p2p-port <port>', doc: 'its port', default: '26656' },
        { flag: '--output-document <file>', doc: 'file to write (default: config/gentx/gentx-ID.json)' },
        { flag: '--chain-id <id>', doc: "chain id to sign for; the genesis file's by default" },
        { flag: '--gas <amount>', doc: 'gas limit', default: '200000' },
        { flag: '--gas-prices <price>', doc: 'price of gas (default: nothing is paid)' },
        { flag: '--fees <coins>', doc: 'fee, in place of a gas price' },
        { flag: '--memo, --note <text>', doc: 'text in place of the address of the node', default: '' },
        { flag: '--sign-mode <mode>', doc: 'sign mode', choices: ['direct', 'amino-json'], default: 'direct' },
      ],
    },
  ),
  command(
    'genesis collect-gentxs',
    'genesis transactions become the validators of the genesis file',
    [],
    collectGentxs,
    {
      options: [HOME, { flag: '--gentx-dir <dir>', doc: 'folder of the transactions (default: config/gentx)' }],
    },
  ),
];
