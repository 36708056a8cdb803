/**
 * Dev chain facts in the store of module `dev` that other modules read. Block facts that a developer set replace the
 * computed ones; because they are state, they survive replay and are undone by a revert.
 */
import { be64, bigintOfBytes, readBe64, wordOf } from '../../bytes/big-endian.js';
import { concat, concatAll, equal, text, utf8 } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import { FIXED_LIMITS } from '../../limits/limits.js';
import type { StateReader } from '../../state/state.js';
import type { Context } from './context.js';

/** Store name. */
export const STORE = 'dev';
const ENABLED_KEY = Uint8Array.of(0);
/** Key of the same parameter since upgrade `v2`, which renames it. */
const UNSIGNED_TRANSACTIONS_KEY = Uint8Array.of(8);
const COINBASE_KEY = Uint8Array.of(2);
/**
 * Keys of block facts. A value has the first and last height to which it applies (8 bytes each, big-endian) and a
 * 32-byte word. The fact is for the last height; earlier blocks in the range contain only dev commands.
 */
const BASE_FEE_KEY = Uint8Array.of(3);
const PREV_RANDAO_KEY = Uint8Array.of(4);
const FACTS_OF_BLOCK = [BASE_FEE_KEY, PREV_RANDAO_KEY] as const;
/** Present once an account's nonce was lowered. */
const NONCE_LOWERED_KEY = Uint8Array.of(5);
/**
 * Signatures (r, s and the parity of y: 65 bytes) followed by the address that ecrecover returns for each (20 bytes).
 */
const SIGNATURES_KEY = Uint8Array.of(6);
/** `extraData` of blocks; absent when empty. */
const EXTRA_DATA_KEY = Uint8Array.of(7);
/** Prefix of amounts outside of the supply, as decimal text by denom; absent for 0. */
const OUTSIDE_SUPPLY_PREFIX = Uint8Array.of(9);
const SIGNATURE_BYTES = 65;
const SIGNER_BYTES = 20;
const HEIGHT_BYTES = 8;
const WORD_AT = 2 * HEIGHT_BYTES;

type Readable = Pick<Context, 'store' | 'version'>;

/** True when this chain accepts unsigned transactions, which its genesis decides. */
export function isEnabled(context: { readonly store: Pick<StateReader, 'get'> }): boolean {
  const value = context.store.get(STORE, ENABLED_KEY) ?? context.store.get(STORE, UNSIGNED_TRANSACTIONS_KEY);
  return value !== undefined;
}

/** Moves the parameter `enabled` to the key of its new name. */
export function renameEnabled({ store }: Pick<Context, 'store'>): void {
  const value = store.get(STORE, ENABLED_KEY);
  if (value === undefined) return;
  store.set(STORE, UNSIGNED_TRANSACTIONS_KEY, value);
  store.delete(STORE, ENABLED_KEY);
}

/** Stores whether this chain accepts unsigned transactions; false writes no row. */
export function setEnabled(context: Pick<Context, 'store'>, enabled: boolean): void {
  if (enabled) context.store.set(STORE, ENABLED_KEY, Uint8Array.of(1));
}

/** Like `isEnabled`, for applications that may lack the module. */
export function isDevelopmentChain(context: Readable): boolean {
  return hasModule(context) && isEnabled(context);
}

/** Records that a nonce was lowered: a transaction in an earlier block may become valid again. */
export function recordNonceLowered({ store }: Pick<Context, 'store'>): void {
  store.set(STORE, NONCE_LOWERED_KEY, Uint8Array.of(1));
}

/** True when any account's nonce was ever lowered on this branch of the chain. */
export function wasNonceLowered(state: Pick<StateReader, 'get'>): boolean {
  return state.get(STORE, NONCE_LOWERED_KEY) !== undefined;
}

/**
 * Amount of a denom that accounts hold beyond the supply, because a developer set balances above the supply's range.
 */
export function outsideSupply(context: Readable, denom: string): bigint {
  if (!hasModule(context)) return 0n;
  const value = context.store.get(STORE, concat(OUTSIDE_SUPPLY_PREFIX, utf8(denom)));
  return value === undefined ? 0n : BigInt(text(value));
}

/** Stores the amount of a denom outside of the supply; 0 deletes the row. */
export function setOutsideSupply({ store }: Pick<Context, 'store'>, denom: string, amount: bigint): void {
  const key = concat(OUTSIDE_SUPPLY_PREFIX, utf8(denom));
  if (amount === 0n) store.delete(STORE, key);
  else store.set(STORE, key, utf8(amount.toString()));
}

/** Denoms with amounts outside of the supply. */
export function denomsOutsideSupply(context: Readable): readonly string[] {
  if (!hasModule(context)) return [];
  return Array.from(context.store.range(STORE, prefixRange(OUTSIDE_SUPPLY_PREFIX)), ({ key }) => text(key.subarray(1)));
}

/**
 * Makes ecrecover return `signer` for a signature of 65 bytes from now on; replaces an earlier entry for the
 * signature.
 */
export function setImpersonatedSigner(
  { store }: Pick<Context, 'store'>,
  signature: Uint8Array,
  signer: Uint8Array,
): void {
  const v = signature[SIGNATURE_BYTES - 1] ?? 0;
  const key = concat(signature.subarray(0, SIGNATURE_BYTES - 1), Uint8Array.of(v < 27 ? v : v - 27));
  const others = signersIn(store.get(STORE, SIGNATURES_KEY)).filter((one) => !equal(one.signature, key));
  const kept = [...others, { signature: key, signer }].slice(-FIXED_LIMITS.devSignatures);
  store.set(STORE, SIGNATURES_KEY, concatAll(kept.flatMap((one) => [one.signature, one.signer])));
}

/** Address that ecrecover should return for r and s (64 bytes) and a parity; undefined when none was set. */
export function impersonatedSigner(context: Readable, signature: Uint8Array, parity: number): Uint8Array | undefined {
  const row = hasModule(context) ? context.store.get(STORE, SIGNATURES_KEY) : undefined;
  if (row === undefined) return undefined;
  const wanted = concat(signature, Uint8Array.of(parity));
  return signersIn(row).find((one) => equal(one.signature, wanted))?.signer;
}

/**
 * True for a state in which upgrade `v2` of an earlier build overwrote the stored signers with the renamed parameter.
 */
export function lostSigners(state: Pick<StateReader, 'get'>): boolean {
  return (state.get(STORE, SIGNATURES_KEY)?.length ?? 0) % (SIGNATURE_BYTES + SIGNER_BYTES) > 0;
}

function signersIn(
  row: Uint8Array = new Uint8Array(),
): readonly { readonly signature: Uint8Array; readonly signer: Uint8Array }[] {
  const each = SIGNATURE_BYTES + SIGNER_BYTES;
  return Array.from({ length: row.length / each }, (_, index) => {
    const one = row.subarray(index * each, (index + 1) * each);
    return { signature: one.subarray(0, SIGNATURE_BYTES), signer: one.subarray(SIGNATURE_BYTES) };
  });
}

/** COINBASE override for every block, 20 bytes; undefined: the proposer. */
export function coinbaseOverride(context: Readable): Uint8Array | undefined {
  return hasModule(context) ? context.store.get(STORE, COINBASE_KEY) : undefined;
}

/** `extraData` override for every block, at most 32 bytes; undefined when empty. */
export function extraDataOverride(context: Readable): Uint8Array | undefined {
  return hasModule(context) ? context.store.get(STORE, EXTRA_DATA_KEY) : undefined;
}

/** Base fee override for the block at `height`, in wei; undefined: the fee market computes it. */
export function baseFeeOverride(context: Readable, height: bigint): bigint | undefined {
  const word = wordOfBlock(context, BASE_FEE_KEY, height);
  return word && bigintOfBytes(word);
}

/** PREVRANDAO override for the block at `height`, 32 bytes; undefined: the chain's value. */
export function prevRandaoOverride(context: Readable, height: bigint): Uint8Array | undefined {
  return wordOfBlock(context, PREV_RANDAO_KEY, height);
}

/** True when base fee or PREVRANDAO was set for the block at `height`. */
export function hasFactsOf(state: Pick<StateReader, 'get'>, height: bigint): boolean {
  return FACTS_OF_BLOCK.some((key) => rowOfBlock(state, key, height) !== undefined);
}

/** Sets the coinbase of every block; empty bytes restore the proposer. */
export function setCoinbaseOverride({ store }: Pick<Context, 'store'>, coinbase: Uint8Array): void {
  if (coinbase.length === 0) store.delete(STORE, COINBASE_KEY);
  else store.set(STORE, COINBASE_KEY, coinbase);
}

/** Sets the extra data of every block; empty bytes restore the default. */
export function setExtraDataOverride({ store }: Pick<Context, 'store'>, extraData: Uint8Array): void {
  if (extraData.length === 0) store.delete(STORE, EXTRA_DATA_KEY);
  else store.set(STORE, EXTRA_DATA_KEY, extraData);
}

/** Sets the base fee of the block at `height`, or of the first later block if that one contains dev commands. */
export function setBaseFeeOverride({ store }: Pick<Context, 'store'>, height: bigint, baseFee: bigint): void {
  store.set(STORE, BASE_FEE_KEY, concat(be64(height), be64(height), wordOf(baseFee)));
}

/** Sets PREVRANDAO of the block at `height`, or of the first later block if that one contains dev commands. */
export function setPrevRandaoOverride({ store }: Pick<Context, 'store'>, height: bigint, prevRandao: Uint8Array): void {
  store.set(STORE, PREV_RANDAO_KEY, concat(be64(height), be64(height), prevRandao));
}

/** Extends block facts for `height` to the next block, unless that one has its own. */
export function deferFactsOf({ store }: Pick<Context, 'store'>, height: bigint): void {
  for (const key of FACTS_OF_BLOCK) {
    const row = rowOfBlock(store, key, height);
    if (row !== undefined)
      store.set(STORE, key, concat(row.subarray(0, HEIGHT_BYTES), be64(height + 1n), row.subarray(WORD_AT)));
  }
}

function wordOfBlock(context: Readable, key: Uint8Array, height: bigint): Uint8Array | undefined {
  return hasModule(context) ? rowOfBlock(context.store, key, height)?.subarray(WORD_AT) : undefined;
}

function rowOfBlock(state: Pick<StateReader, 'get'>, key: Uint8Array, height: bigint): Uint8Array | undefined {
  const row = state.get(STORE, key);
  if (row === undefined || height < readBe64(row) || height > readBe64(row, HEIGHT_BYTES)) return undefined;
  return row;
}

function hasModule({ version }: Readable): boolean {
  return version.stores.includes(STORE);
}
