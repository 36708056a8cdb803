/** Token pairs, allowances and parameters in store `erc20` (cosmos/evm v0.6 `x/erc20/types/keys.go`). */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { concat, utf8 } from '../../bytes/bytes.js';
import { fromHex } from '../../bytes/hex.js';
import { prefixRange } from '../../bytes/key-order.js';
import {
  AllowanceSchema,
  TokenPairSchema,
  type Allowance,
  type TokenPair,
} from '../../proto/cosmos/evm/erc20/v1/erc20_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { has } from '../../sdk/module/gas.js';
import { PAIR_BY_CONTRACT_PREFIX, PAIR_PREFIX, STORE } from '../../sdk/module/token-pair-keys.js';

export { STORE };

const PAIR_BY_DENOM_PREFIX = Uint8Array.of(3);
const ALLOWANCE_PREFIX = Uint8Array.of(5);
const NATIVE_PRECOMPILE_PREFIX = Uint8Array.of(6);
const DYNAMIC_PRECOMPILE_PREFIX = Uint8Array.of(7);
/** A set flag is this text; a flag that is not set has no key. */
const TRUE = utf8('0x01');

/** Keys of the parameters. */
const FLAGS = {
  enableErc20: utf8('EnableErc20'),
  permissionlessRegistration: utf8('PermissionlessRegistration'),
} as const;

const PRECOMPILES = { native: NATIVE_PRECOMPILE_PREFIX, dynamic: DYNAMIC_PRECOMPILE_PREFIX } as const;
/** Tokens that a precompile answers for: those of native coins in the genesis, and those that came with IBC. */
export type PrecompileKind = keyof typeof PRECOMPILES;

/** Stores a switch of the parameters; false has no row. */
export function setFlag({ store }: Context, flag: keyof typeof FLAGS, value: boolean): void {
  if (value) store.set(STORE, FLAGS[flag], TRUE);
  else store.delete(STORE, FLAGS[flag]);
}

/** Reads a switch of the parameters. */
export function getFlag({ store }: Context, flag: keyof typeof FLAGS): boolean {
  return has(store, STORE, FLAGS[flag]);
}

/** The pair under its id, and the id under contract and denom. `contract`: its 20 bytes. */
export function setTokenPair({ store, crypto }: Context, pair: TokenPair, contract: Uint8Array): void {
  const id = crypto.sha256(utf8(`${pair.erc20Address}|${pair.denom}`));
  store.set(STORE, concat(PAIR_PREFIX, id), toBinary(TokenPairSchema, pair));
  store.set(STORE, concat(PAIR_BY_DENOM_PREFIX, utf8(pair.denom)), id);
  store.set(STORE, concat(PAIR_BY_CONTRACT_PREFIX, contract), id);
}

/** All pairs, in order of their ids. */
export function tokenPairs({ store }: Context): readonly TokenPair[] {
  return [...store.range(STORE, prefixRange(PAIR_PREFIX))].map(({ value }) => fromBinary(TokenPairSchema, value));
}

/** The pair of a contract (20 bytes); undefined when there is none. */
export function tokenPairOfContract({ store }: Context, contract: Uint8Array): TokenPair | undefined {
  const id = store.get(STORE, concat(PAIR_BY_CONTRACT_PREFIX, contract));
  const value = id && store.get(STORE, concat(PAIR_PREFIX, id));
  return value && fromBinary(TokenPairSchema, value);
}

/** The pair of a denom; undefined when there is none. */
export function tokenPairOfDenom({ store }: Context, denom: string): TokenPair | undefined {
  const id = store.get(STORE, concat(PAIR_BY_DENOM_PREFIX, utf8(denom)));
  const value = id && store.get(STORE, concat(PAIR_PREFIX, id));
  return value && fromBinary(TokenPairSchema, value);
}

/** Checks for a token pair of a denom and costs the gas of the SDK's `Has`. */
export function hasPairOfDenom({ store }: Context, denom: string): boolean {
  return has(store, STORE, concat(PAIR_BY_DENOM_PREFIX, utf8(denom)));
}

/** `addresses`: contract, owner and spender, 20 bytes each. */
export function setAllowance({ store }: Context, addresses: readonly Uint8Array[], allowance: Allowance): void {
  store.set(STORE, concat(ALLOWANCE_PREFIX, ...addresses), toBinary(AllowanceSchema, allowance));
}

const decodeAllowance = (value: Uint8Array): Allowance => fromBinary(AllowanceSchema, value);

/** Deletes a pair, what leads to it, and the allowances of its token. */
export function deleteTokenPair({ store, crypto }: Context, pair: TokenPair, contract: Uint8Array): void {
  const id = crypto.sha256(utf8(`${pair.erc20Address}|${pair.denom}`));
  store.delete(STORE, concat(PAIR_PREFIX, id));
  store.delete(STORE, concat(PAIR_BY_CONTRACT_PREFIX, contract));
  store.delete(STORE, concat(PAIR_BY_DENOM_PREFIX, utf8(pair.denom)));
  for (const { key } of [...store.range(STORE, prefixRange(concat(ALLOWANCE_PREFIX, contract)))])
    store.delete(STORE, key);
}

/** The pair that a contract's address in hexadecimal or a denom names; undefined when there is none. */
export function tokenPairOf(context: Context, token: string): TokenPair | undefined {
  const contract = hexAddress(token);
  return contract === undefined ? tokenPairOfDenom(context, token) : tokenPairOfContract(context, contract);
}

/** Prefix of the pairs. */
export const PAIRS = PAIR_PREFIX;

/** Decodes a row of the store. */
export const decodeTokenPair = (value: Uint8Array): TokenPair => fromBinary(TokenPairSchema, value);

/** Checks for the pair of a contract. */
export function hasPairOfContract({ store }: Context, contract: Uint8Array): boolean {
  return has(store, STORE, concat(PAIR_BY_CONTRACT_PREFIX, contract));
}

/** Writes a pair again, under its id alone. */
export function replaceTokenPair({ store, crypto }: Context, pair: TokenPair): void {
  store.set(
    STORE,
    concat(PAIR_PREFIX, crypto.sha256(utf8(`${pair.erc20Address}|${pair.denom}`))),
    toBinary(TokenPairSchema, pair),
  );
}

/** The amount of an owner's tokens that a spender may move; `addresses`: contract, owner and spender, 20 bytes each. */
export function getAllowance({ store }: Context, addresses: readonly Uint8Array[]): bigint {
  const value = store.get(STORE, concat(ALLOWANCE_PREFIX, ...addresses));
  return value === undefined ? 0n : BigInt(decodeAllowance(value).value);
}

/** Deletes the allowance of a token, owner and spender, in this order. */
export function deleteAllowance({ store }: Context, addresses: readonly Uint8Array[]): void {
  store.delete(STORE, concat(ALLOWANCE_PREFIX, ...addresses));
}

/** Reads all allowances, in the order of their keys. */
export function allowances({ store }: Context): readonly Allowance[] {
  return [...store.range(STORE, prefixRange(ALLOWANCE_PREFIX))].map(({ value }) => fromBinary(AllowanceSchema, value));
}

/** `address`: checksummed text, which is the key. */
export function addPrecompile({ store }: Context, kind: PrecompileKind, address: string): void {
  store.set(STORE, concat(PRECOMPILES[kind], utf8(address)), TRUE);
}

/** Checks for a precompile at an address, a checksummed text. */
export function hasPrecompile({ store }: Context, kind: PrecompileKind, address: string): boolean {
  return has(store, STORE, concat(PRECOMPILES[kind], utf8(address)));
}

/** Addresses of precompiles as text, in their order as bytes. */
export function precompiles({ store }: Context, kind: PrecompileKind): readonly string[] {
  return [...store.range(STORE, prefixRange(PRECOMPILES[kind]))].map(({ key }) =>
    new TextDecoder().decode(key.subarray(1)),
  );
}

/** The 20 bytes of `0x` text; undefined for any other text. */
export function contractOf(text: string): Uint8Array | undefined {
  return /^0x[0-9a-fA-F]{40}$/.test(text) ? fromHex(text.slice(2)) : undefined;
}

/** 20 bytes in hexadecimal, with or without `0x`, as go-ethereum reads an address (`common.IsHexAddress`). */
export function hexAddress(text: string): Uint8Array | undefined {
  return /^(0[xX])?[0-9a-fA-F]{40}$/.test(text) ? fromHex(text.slice(-40)) : undefined;
}
