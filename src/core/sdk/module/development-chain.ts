/**
 * Facts of a development chain that other modules ask for: rows of the store of module `dev`. Facts of blocks that a
 * developer set replace the computed ones; as rows, a replay has them, and a revert takes them back.
 */
import { be64, bigintOfBytes, readBe64, wordOf } from '../../bytes/big-endian.js';
import { concat, equal, text, utf8 } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import { FIXED_LIMITS } from '../../limits/limits.js';
import type { StateReader } from '../../state/state.js';
import type { Context } from './context.js';

/** Name of the store. */
export const STORE = 'dev';
const ENABLED_KEY = Uint8Array.of(0);
/** Row of the same parameter since the upgrade `v2`, which renames it. */
const UNSIGNED_TRANSACTIONS_KEY = Uint8Array.of(8);
const COINBASE_KEY = Uint8Array.of(2);
/**
 * Rows of the facts of a block: the first and the last height that have them, eight bytes big-endian each, and a word
 * of 32 bytes. The last one is the block; those before it hold commands.
 */
const BASE_FEE_KEY = Uint8Array.of(3);
const PREV_RANDAO_KEY = Uint8Array.of(4);
const FACTS_OF_BLOCK = [BASE_FEE_KEY, PREV_RANDAO_KEY] as const;
/** Present once the nonce of an account was lowered. */
const NONCE_LOWERED_KEY = Uint8Array.of(5);
/** Signatures (r, s and the parity of y: 65 bytes) with the address that ecrecover gives for each (20 bytes). */
const SIGNATURES_KEY = Uint8Array.of(6);
/** `extraData` of blocks, absent where it is empty. */
const EXTRA_DATA_KEY = Uint8Array.of(7);
/** Prefix of the coins outside of the supply, decimal text by denom; absent for 0. */
const OUTSIDE_SUPPLY_PREFIX = Uint8Array.of(9);
const SIGNATURE_BYTES = 65;
const SIGNER_BYTES = 20;
const HEIGHT_BYTES = 8;
const WORD_AT = 2 * HEIGHT_BYTES;

type Readable = Pick<Context, 'store' | 'version'>;

/** Checks whether this chain takes transactions without signatures; its genesis decides it. */
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

/** Stores that this chain takes transactions without signatures; false writes no row. */
export function setEnabled(context: Pick<Context, 'store'>, enabled: boolean): void {
  if (enabled) context.store.set(STORE, ENABLED_KEY, Uint8Array.of(1));
}

/** `isEnabled` for an application that may be without the module. */
export function isDevelopmentChain(context: Readable): boolean {
  return hasModule(context) && isEnabled(context);
}

/** A nonce was lowered: a transaction that a block holds may have a valid nonce again. */
export function recordNonceLowered({ store }: Pick<Context, 'store'>): void {
  store.set(STORE, NONCE_LOWERED_KEY, Uint8Array.of(1));
}

/** Checks whether the nonce of any account was ever lowered on this branch of the chain. */
export function wasNonceLowered(state: Pick<StateReader, 'get'>): boolean {
  return state.get(STORE, NONCE_LOWERED_KEY) !== undefined;
}

/** Base units of a denom that accounts hold beyond its supply: balances that a developer set above its range. */
export function outsideSupply(context: Readable, denom: string): bigint {
  if (!hasModule(context)) return 0n;
  const value = context.store.get(STORE, concat(OUTSIDE_SUPPLY_PREFIX, utf8(denom)));
  return value === undefined ? 0n : BigInt(text(value));
}

/** Stores what accounts hold beyond the supply of a denom; 0 deletes its row. */
export function setOutsideSupply({ store }: Pick<Context, 'store'>, denom: string, amount: bigint): void {
  const key = concat(OUTSIDE_SUPPLY_PREFIX, utf8(denom));
  if (amount === 0n) store.delete(STORE, key);
  else store.set(STORE, key, utf8(amount.toString()));
}

/** The denoms of which accounts hold more than the supply. */
export function denomsOutsideSupply(context: Readable): readonly string[] {
  if (!hasModule(context)) return [];
  return Array.from(context.store.range(STORE, prefixRange(OUTSIDE_SUPPLY_PREFIX)), ({ key }) => text(key.subarray(1)));
}

/** From now on ecrecover gives `signer` for a signature of 65 bytes; a later one for the same signature replaces it. */
export function setImpersonatedSigner(
  { store }: Pick<Context, 'store'>,
  signature: Uint8Array,
  signer: Uint8Array,
): void {
  const v = signature[SIGNATURE_BYTES - 1] ?? 0;
  const key = concat(signature.subarray(0, SIGNATURE_BYTES - 1), Uint8Array.of(v < 27 ? v : v - 27));
  const others = signersIn(store.get(STORE, SIGNATURES_KEY)).filter((one) => !equal(one.signature, key));
  const kept = [...others, { signature: key, signer }].slice(-FIXED_LIMITS.devSignatures);
  store.set(STORE, SIGNATURES_KEY, concat(...kept.flatMap((one) => [one.signature, one.signer])));
}

/**
 * Reads the address that was set as the result of ecrecover for r and s (64 bytes) and a parity; undefined if none was
 * set.
 */
export function impersonatedSigner(context: Readable, signature: Uint8Array, parity: number): Uint8Array | undefined {
  const row = hasModule(context) ? context.store.get(STORE, SIGNATURES_KEY) : undefined;
  if (row === undefined) return undefined;
  const wanted = concat(signature, Uint8Array.of(parity));
  return signersIn(row).find((one) => equal(one.signature, wanted))?.signer;
}

/** Checks for a state in which upgrade `v2` of an earlier build wrote the renamed parameter over the stored signers. */
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

/** COINBASE of every block, 20 bytes; undefined where it is the proposer. */
export function coinbaseOverride(context: Readable): Uint8Array | undefined {
  return hasModule(context) ? context.store.get(STORE, COINBASE_KEY) : undefined;
}

/** `extraData` of every block, at most 32 bytes; undefined where it is empty. */
export function extraDataOverride(context: Readable): Uint8Array | undefined {
  return hasModule(context) ? context.store.get(STORE, EXTRA_DATA_KEY) : undefined;
}

/** Base fee of the block at `height`, wei; undefined where the fee market computes it. */
export function baseFeeOverride(context: Readable, height: bigint): bigint | undefined {
  const word = wordOfBlock(context, BASE_FEE_KEY, height);
  return word && bigintOfBytes(word);
}

/** PREVRANDAO of the block at `height`, 32 bytes; undefined where it is the chain's. */
export function prevRandaoOverride(context: Readable, height: bigint): Uint8Array | undefined {
  return wordOfBlock(context, PREV_RANDAO_KEY, height);
}

/** Checks for a base fee or PREVRANDAO that was set for the block at `height`. */
export function hasFactsOf(state: Pick<StateReader, 'get'>, height: bigint): boolean {
  return FACTS_OF_BLOCK.some((key) => rowOfBlock(state, key, height) !== undefined);
}

/** An empty `coinbase` gives the proposer back. */
export function setCoinbaseOverride({ store }: Pick<Context, 'store'>, coinbase: Uint8Array): void {
  if (coinbase.length === 0) store.delete(STORE, COINBASE_KEY);
  else store.set(STORE, COINBASE_KEY, coinbase);
}

/** Stores the extra data of later headers; empty bytes restore the default. */
export function setExtraDataOverride({ store }: Pick<Context, 'store'>, extraData: Uint8Array): void {
  if (extraData.length === 0) store.delete(STORE, EXTRA_DATA_KEY);
  else store.set(STORE, EXTRA_DATA_KEY, extraData);
}

/** Holds for the block at `height` alone, or for the first one after it that holds no command. */
export function setBaseFeeOverride({ store }: Pick<Context, 'store'>, height: bigint, baseFee: bigint): void {
  store.set(STORE, BASE_FEE_KEY, concat(be64(height), be64(height), wordOf(baseFee)));
}

/** Holds for the block at `height` alone, or for the first one after it that holds no command. */
export function setPrevRandaoOverride({ store }: Pick<Context, 'store'>, height: bigint, prevRandao: Uint8Array): void {
  store.set(STORE, PREV_RANDAO_KEY, concat(be64(height), be64(height), prevRandao));
}

/** Facts of the block at `height` hold for the one after it, too, unless that one has others. */
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
