import { base64 } from '@scure/base';
import { deriveDevAccounts, type KeyAccount } from '../../../core/keys/accounts.js';
import { DEV_MNEMONIC } from '../../../core/keys/dev-mnemonic.js';
import { derivePrivateKeys } from '../../../core/keys/hd-key.js';
import { createKeyring, type KeyringResult } from '../../../core/keys/keyring.js';
import { isMnemonic, mnemonicOf } from '../../../core/keys/mnemonic.js';
import type { CommandContext } from '../context.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { yamlOf } from '../output.js';

export interface KeysFlags {
  readonly bech32Prefix: string;
  readonly recover?: string;
  readonly index: string;
  readonly dev?: boolean;
  readonly address?: boolean;
  readonly hex?: boolean;
  readonly listNames?: boolean;
}

const ENTROPY_BYTES = 32;
const MAX_INDEX = 1000;

/** `keys add NAME [--recover WORDS] [--index N]`: a new key, or one of a mnemonic; prints the words of a new key, once. */
export function addKey(context: CommandContext, name: string, flags: KeysFlags): void {
  const mnemonic = flags.recover?.trim().replace(/\s+/g, ' ') ?? mnemonicOf(context.ports.randomness.bytes(ENTROPY_BYTES));
  if (!isMnemonic(mnemonic)) throw new CommandError(EXIT.usage, 'invalid mnemonic');
  const index = Number(flags.index);
  if (!Number.isInteger(index) || index < 0 || index > MAX_INDEX) throw new CommandError(EXIT.usage, `--index: must be from 0 to ${MAX_INDEX}`);
  const privateKey = derivePrivateKeys(context.ports.keyCrypto, mnemonic, index + 1)[index];
  if (privateKey === undefined) throw new Error('invariant: a key for each index');
  const account = valueOf(keyringOf(context, flags).add(name, privateKey));
  print(context, [account]);
  if (flags.recover === undefined) {
    context.ports.stderr(`\n**Important** write this mnemonic phrase in a safe place.\nIt is the only way to recover your account.\n\n${mnemonic}\n`);
  }
}

/** `keys list [--dev] [-n]`. */
export function listKeys(context: CommandContext, flags: KeysFlags): void {
  const accounts = flags.dev === true
    ? deriveDevAccounts(context.ports.keyCrypto, { mnemonic: DEV_MNEMONIC, count: 10, bech32Prefix: flags.bech32Prefix })
    : valueOf(keyringOf(context, flags).list());
  if (flags.listNames === true) context.ports.stdout(accounts.map(({ name }) => `${name}\n`).join(''));
  else print(context, accounts);
}

/** `keys show NAME [-a] [--hex]`: `-a` is the bech32 address alone. */
export function showKey(context: CommandContext, name: string, flags: KeysFlags): void {
  const found = keyringOf(context, flags).find(name);
  const account = found.ok ? found.value : deriveDevAccounts(context.ports.keyCrypto, { mnemonic: DEV_MNEMONIC, count: 10, bech32Prefix: flags.bech32Prefix }).find((one) => one.name === name);
  if (account === undefined) throw new CommandError(EXIT.notFound, found.ok ? '' : found.message);
  if (flags.hex === true) context.ports.stdout(`${account.hex}\n`);
  else if (flags.address === true) context.ports.stdout(`${account.bech32}\n`);
  else print(context, [account]);
}

function keyringOf({ ports, keyDirectory }: CommandContext, flags: KeysFlags) {
  return createKeyring(ports.keyCrypto, ports.keyring(keyDirectory()), flags.bech32Prefix);
}

function valueOf<Value>(result: KeyringResult<Value>): Value {
  if (!result.ok) throw new CommandError(EXIT.other, result.message);
  return result.value;
}

/** The SDK's listing, with the 0x address besides. */
function print({ ports, output }: CommandContext, accounts: readonly KeyAccount[]): void {
  const shown = accounts.map(({ name, bech32, hex, publicKey }) => ({
    name, type: 'local', address: bech32, hex,
    pubkey: JSON.stringify({ '@type': '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey', key: base64.encode(publicKey) }),
  }));
  ports.stdout(output === 'json' ? `${JSON.stringify(shown)}\n` : yamlOf(shown));
}
