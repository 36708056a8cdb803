import { decodeBech32, encodeAddress, parseAddress } from '../../core/sdk/codec/address.js';
import { DEV_BECH32_PREFIX } from '../../core/genesis/dev-chain.js';
import { checksumAddress } from '../../core/keys/address.js';
import { addressTypo, hasBech32Form } from '../../core/keys/address-typo.js';
import type { KeyEntry, Keyring } from '../../core/keys/keyring.js';
import type { KeyCrypto } from '../../core/ports/key-crypto.js';
import {
  Bech32PrefixRequestSchema,
  Bech32PrefixResponseSchema,
} from '../../core/proto/cosmos/auth/v1beta1/query_pb.js';
import { ask } from '../client/app-query.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { devAccount, requireDevChain } from './dev-accounts.js';

/** The bech32 prefix of the node's chain. */
export async function nodePrefix({ rpc, ports }: CommandContext): Promise<string> {
  if (rpc.offline) return ports.env['CHRONICLED_BECH32_PREFIX'] ?? DEV_BECH32_PREFIX;
  const { bech32Prefix } = await ask(
    rpc,
    '/cosmos.auth.v1beta1.Query/Bech32Prefix',
    Bech32PrefixRequestSchema,
    {},
    Bech32PrefixResponseSchema,
  );
  return bech32Prefix;
}

/**
 * A key by name or address: from the keyring, else one of the dev accounts (`dev0` to `dev9`), whose name is refused
 * where the node's chain has other ones.
 */
export async function keyOf(context: CommandContext, nameOrAddress: string, prefix: string): Promise<KeyEntry> {
  const keyring = await context.keyring(prefix);
  const entry = findKey(context, keyring, nameOrAddress, prefix);
  if (entry.name === nameOrAddress && !keyring.find(nameOrAddress).ok) await requireDevChain(context, entry, prefix);
  return entry;
}

/** Adds a hint how to list names, unless the message suggests a name already. */
function withHint(message: string): string {
  if (message.includes('did you mean')) return message;
  return `${message}\nNames are those of chronicled keys list, and dev0 to dev9: chronicled keys list --dev`;
}

/**
 * Finds a key as `keyOf` does, in a keyring that is already open, and asks no node. An address with a typo is refused
 * as such.
 */
export function findKey(context: CommandContext, keyring: Keyring, nameOrAddress: string, prefix: string): KeyEntry {
  rejectAddressTypo(context.ports.keyCrypto, nameOrAddress);
  const found = keyring.find(nameOrAddress);
  if (found.ok) return found.value;
  const account = devAccount(context, nameOrAddress, prefix);
  if (account === undefined) throw new CommandError(EXIT.notFound, withHint(found.message));
  return account;
}

/**
 * Resolves a key name, bech32 or 0x address to a bech32 address with the chain's prefix. A bech32 address is returned
 * as typed, but rejected if `prefix` is given and differs.
 */
export async function addressOf(context: CommandContext, text: string, prefix?: string): Promise<string> {
  rejectAddressTypo(context.ports.keyCrypto, text, checkedPrefix(context, prefix));
  return anyAddressOf(context, text, prefix);
}

/** Matches an Ethereum address. */
export const HEX_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Resolves a key name, bech32 or 0x address to a 0x address; a 0x address is returned as typed. */
export async function hexAddressOf(context: CommandContext, text: string): Promise<string> {
  rejectAddressTypo(context.ports.keyCrypto, text);
  if (HEX_ADDRESS.test(text)) return text;
  const bech32 = await addressOf(context, text);
  const bytes = decodeBech32(bech32)?.bytes ?? parseAddress('', bech32);
  if (bytes?.length !== 20) throw new CommandError(EXIT.usage, `${JSON.stringify(text)} is not an address`);
  return checksumAddress(context.ports.keyCrypto, bytes);
}

/** Resolves an account of the node's chain for a transaction: `addressOf` with the node's prefix. */
export async function accountAddress(context: CommandContext, text: string): Promise<string> {
  return addressOf(context, text, await nodePrefix(context));
}

/**
 * Resolves the receiver on another chain: a key name becomes its address with this chain's prefix, which the other
 * chain may share. Any other text stays as typed, because only the other chain knows its address format.
 */
export async function receiverOf(context: CommandContext, text: string): Promise<string> {
  if (hasBech32Form(text) || HEX_ADDRESS.test(text)) return text;
  const prefix = await nodePrefix(context);
  const named = (await context.keyring(prefix)).find(text);
  if (named.ok) return named.value.bech32;
  const account = devAccount(context, text, prefix);
  if (account !== undefined) await requireDevChain(context, account, prefix);
  return account?.bech32 ?? text;
}

/** The prefix to check; undefined offline, where the chain's prefix is unknown and any is accepted. */
function checkedPrefix({ rpc }: CommandContext, prefix: string | undefined): string | undefined {
  return rpc.offline ? undefined : prefix;
}

/** `addressOf` without the check of the prefix. */
async function anyAddressOf(context: CommandContext, text: string, prefix: string | undefined): Promise<string> {
  rejectAddressTypo(context.ports.keyCrypto, text);
  if (hasBech32Form(text)) return text;
  const known = prefix ?? (await nodePrefix(context));
  const bytes = parseAddress(known, text);
  return bytes === undefined ? (await keyOf(context, text, known)).bech32 : encodeAddress(known, bytes);
}

/** Throws a usage error for a mistyped address (`src/core/keys/address-typo.ts`). */
export function rejectAddressTypo(crypto: KeyCrypto, text: string, prefix?: string): void {
  const typo = addressTypo(crypto, text, prefix);
  if (typo !== undefined) throw notAnAddress(text, typo);
}

/**
 * Resolves a validator operator address: given as such, or as its account by key name, bech32 or 0x. A given address
 * is validated before any request or signature.
 */
export async function operatorOf(context: CommandContext, text: string, prefix?: string): Promise<string> {
  const account = await anyAddressOf(context, text, prefix);
  const decoded = decodeBech32(account);
  if (decoded === undefined) throw notAnAddress(text, 'its checksum is wrong');
  if (decoded.prefix.endsWith('valcons')) throw notAnAddress(text, 'it is of a key that signs blocks');
  const isOperator = decoded.prefix.endsWith(OPERATOR);
  const chain = checkedPrefix(context, prefix);
  if (!isOperator) rejectAddressTypo(context.ports.keyCrypto, account, chain);
  else if (chain !== undefined && decoded.prefix !== `${chain}${OPERATOR}`)
    throw notAnAddress(
      text,
      `it begins with ${decoded.prefix}1, and validators of this chain with ${chain}${OPERATOR}1`,
    );
  return isOperator ? account : encodeAddress(`${decoded.prefix}${OPERATOR}`, decoded.bytes);
}

const OPERATOR = 'valoper';

/**
 * Resolves a consensus address: given as such, or from address bytes by key name or 0x (`cosmossdk.io/client/v2`
 * v2.0.0-beta.7 `autocli/flag/address.go`).
 */
export async function consensusOf(context: CommandContext, text: string): Promise<string> {
  const account = await anyAddressOf(context, text, undefined);
  const decoded = decodeBech32(account);
  if (decoded === undefined) throw notAnAddress(text, 'its checksum is wrong');
  if (decoded.prefix.endsWith(CONSENSUS)) return account;
  if (account === text) throw notAnAddress(text, 'it is not of a key that signs blocks');
  return encodeAddress(`${decoded.prefix}${CONSENSUS}`, decoded.bytes);
}

const CONSENSUS = 'valcons';

function notAnAddress(text: string, reason: string): CommandError {
  return new CommandError(EXIT.usage, `${JSON.stringify(text)} is not an address: ${reason}`);
}
