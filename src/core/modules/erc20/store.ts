/** Token pairs, allowances and parameters in store `erc20` (cosmos/evm v0.6 `x/erc20/types/keys.go`). */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { concat, concatAll, utf8 } from '../../bytes/bytes.js';
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
/** Value of a set flag; an unset flag has no row. */
const TRUE = utf8('0x01');

/** Keys of the boolean parameters. */
const FLAGS = {
  enableErc20: utf8('EnableErc20'),
  permissionlessRegistration: utf8('PermissionlessRegistration'),
} as const;

const PRECOMPILES = { native: NATIVE_PRECOMPILE_PREFIX, dynamic: DYNAMIC_PRECOMPILE_PREFIX } as const;
/** Kinds of ERC-20 precompiles: native coins from genesis, and coins that arrived by IBC. */
export type PrecompileKind = keyof typeof PRECOMPILES;

/** Stores a boolean parameter; false has no row. */
export function setFlag({ store }: Context, flag: keyof typeof FLAGS, value: boolean): void {
  if (value) store.set(STORE, FLAGS[flag], TRUE);
  else store.delete(STORE, FLAGS[flag]);
}

/** Reads a boolean parameter. */
export function getFlag({ store }: Context, flag: keyof typeof FLAGS): boolean {
  return has(store, STORE, FLAGS[flag]);
}

/** Stores a pair by id, and its id by contract and denom. `contract` has 20 bytes. */
export function setTokenPair({ store, crypto }: Context, pair: TokenPair, contract: Uint8Array): void {
  const id = crypto.sha256(utf8(`${pair.erc20Address}|${pair.denom}`));
  store.set(STORE, concat(PAIR_PREFIX, id), toBinary(TokenPairSchema, pair));
  store.set(STORE, concat(PAIR_BY_DENOM_PREFIX, utf8(pair.denom)), id);
  store.set(STORE, concat(PAIR_BY_CONTRACT_PREFIX, contract), id);
}

/** All pairs, in id order. */
export function tokenPairs({ store }: Context): readonly TokenPair[] {
  return [...store.range(STORE, prefixRange(PAIR_PREFIX))].map(({ value }) => fromBinary(TokenPairSchema, value));
}

/** Pair of a contract (20 bytes); undefined when there is none. */
export function tokenPairOfContract({ store }: Context, contract: Uint8Array): TokenPair | undefined {
  const id = store.get(STORE, concat(PAIR_BY_CONTRACT_PREFIX, contract));
  const value = id && store.get(STORE, concat(PAIR_PREFIX, id));
  return value && fromBinary(TokenPairSchema, value);
}

/** Pair of a denom; undefined when there is none. */
export function tokenPairOfDenom({ store }: Context, denom: string): TokenPair | undefined {
  const id = store.get(STORE, concat(PAIR_BY_DENOM_PREFIX, utf8(denom)));
  const value = id && store.get(STORE, concat(PAIR_PREFIX, id));
  return value && fromBinary(TokenPairSchema, value);
}

/** Checks whether a denom has a token pair, with the gas of the SDK's `Has`. */
export function hasPairOfDenom({ store }: Context, denom: string): boolean {
  return has(store, STORE, concat(PAIR_BY_DENOM_PREFIX, utf8(denom)));
}

/** Stores an allowance. `addresses`: contract, owner and spender, 20 bytes each. */
export function setAllowance({ store }: Context, addresses: readonly Uint8Array[], allowance: Allowance): void {
  store.set(STORE, concatAll([ALLOWANCE_PREFIX, ...addresses]), toBinary(AllowanceSchema, allowance));
}

const decodeAllowance = (value: Uint8Array): Allowance => fromBinary(AllowanceSchema, value);

/** Deletes a pair, its index entries, and the allowances of its token. */
export function deleteTokenPair({ store, crypto }: Context, pair: TokenPair, contract: Uint8Array): void {
  const id = crypto.sha256(utf8(`${pair.erc20Address}|${pair.denom}`));
  store.delete(STORE, concat(PAIR_PREFIX, id));
  store.delete(STORE, concat(PAIR_BY_CONTRACT_PREFIX, contract));
  store.delete(STORE, concat(PAIR_BY_DENOM_PREFIX, utf8(pair.denom)));
  for (const { key } of [...store.range(STORE, prefixRange(concat(ALLOWANCE_PREFIX, contract)))])
    store.delete(STORE, key);
}

/** Pair of a hexadecimal contract address or a denom; undefined when there is none. */
export function tokenPairOf(context: Context, token: string): TokenPair | undefined {
  const contract = hexAddress(token);
  return contract === undefined ? tokenPairOfDenom(context, token) : tokenPairOfContract(context, contract);
}

/** Key prefix of pairs. */
export const PAIRS = PAIR_PREFIX;

/** Decodes a row of the store. */
export const decodeTokenPair = (value: Uint8Array): TokenPair => fromBinary(TokenPairSchema, value);

/** Checks whether a contract has a token pair. */
export function hasPairOfContract({ store }: Context, contract: Uint8Array): boolean {
  return has(store, STORE, concat(PAIR_BY_CONTRACT_PREFIX, contract));
}

/** Rewrites a pair by id, without its index entries. */
export function replaceTokenPair({ store, crypto }: Context, pair: TokenPair): void {
  store.set(
    STORE,
    concat(PAIR_PREFIX, crypto.sha256(utf8(`${pair.erc20Address}|${pair.denom}`))),
    toBinary(TokenPairSchema, pair),
  );
}

/** Allowance of a spender. `addresses`: contract, owner and spender, 20 bytes each. */
export function getAllowance({ store }: Context, addresses: readonly Uint8Array[]): bigint {
  const value = store.get(STORE, concatAll([ALLOWANCE_PREFIX, ...addresses]));
  return value === undefined ? 0n : BigInt(decodeAllowance(value).value);
}

/** Deletes an allowance. `addresses`: contract, owner and spender. */
export function deleteAllowance({ store }: Context, addresses: readonly Uint8Array[]): void {
  store.delete(STORE, concatAll([ALLOWANCE_PREFIX, ...addresses]));
}

/** All allowances in key order. */
export function allowances({ store }: Context): readonly Allowance[] {
  return [...store.range(STORE, prefixRange(ALLOWANCE_PREFIX))].map(({ value }) => fromBinary(AllowanceSchema, value));
}

/** Adds a precompile. `address` is checksummed text, which is the key. */
export function addPrecompile({ store }: Context, kind: PrecompileKind, address: string): void {
  store.set(STORE, concat(PRECOMPILES[kind], utf8(address)), TRUE);
}

/** Checks whether a precompile exists. `address` is checksummed text. */
export function hasPrecompile({ store }: Context, kind: PrecompileKind, address: string): boolean {
  return has(store, STORE, concat(PRECOMPILES[kind], utf8(address)));
}

/** Addresses of precompiles as text, in byte order. */
export function precompiles({ store }: Context, kind: PrecompileKind): readonly string[] {
  return [...store.range(STORE, prefixRange(PRECOMPILES[kind]))].map(({ key }) =>
    new TextDecoder().decode(key.subarray(1)),
  );
}

/** Parses `0x` text to 20 bytes; undefined for other text. */
export function contractOf(text: string): Uint8Array | undefined {
  return /^0x[0-9a-fA-F]{40}$/.test(text) ? fromHex(text.slice(2)) : undefined;
}

/** Parses 20 bytes of hexadecimal, with or without `0x`, like go-ethereum (`common.IsHexAddress`). */
export function hexAddress(text: string): Uint8Array | undefined {
  return /^(0[xX])?[0-9a-fA-F]{40}$/.test(text) ? fromHex(text.slice(-40)) : undefined;
}
