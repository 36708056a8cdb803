import type { Limits } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { toOrderedString } from '../../core/bytes/key-order.js';
import { concat } from '../../core/bytes/bytes.js';
import { readU64 } from '../bytes.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { PREFIX } from '../keys.js';
import { RangesBusy } from '../state/range-gate.js';
import { firstOfAll, PostedHeights } from './posted-heights.js';

/** The indexed fields of an Ethereum log. */
export interface IndexedLog {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
}

export const LOG_PREFIX = PREFIX.index + 3;
/** Row kinds: block with at least one log, address, topic. */
const ANY = 0;
const ADDRESS = 1;
const TOPIC = 2;
/** Row kind of touched addresses; a log has at most 4 topics, which take the kinds before it. */
const TOUCHED = TOPIC + 4;

/**
 * Keys of a block's log rows: one per distinct address, one per distinct topic and position, and one when the block has
 * any log.
 */
export function logPostingKeys(height: Height, logs: readonly IndexedLog[]): readonly Uint8Array[] {
  if (logs.length === 0) return [];
  const keys = [
    postingKey(ANY, new Uint8Array(), height),
    ...logs.flatMap(({ address, topics }) => [
      postingKey(ADDRESS, address, height),
      ...topics.map((topic, position) => postingKey(TOPIC + position, topic, height)),
    ]),
  ];
  return distinct(keys);
}

/** Keys of the rows of touched addresses: one per distinct address that a call frame of the block touched. */
export function touchedPostingKeys(height: Height, addresses: readonly Uint8Array[]): readonly Uint8Array[] {
  return distinct(addresses.map((address) => postingKey(TOUCHED, address, height)));
}

function distinct(keys: readonly Uint8Array[]): readonly Uint8Array[] {
  return [...new Map(keys.map((key) => [toOrderedString(key), key])).values()];
}

/** Key of a row: kind (1), value (20 or 32 bytes, none for `ANY`), height (8). */
function postingKey(kind: number, value: Uint8Array, height: bigint): Uint8Array {
  return concat(Uint8Array.of(LOG_PREFIX, kind), value, be64(height));
}

export interface LogSearch {
  /** Both ends included. */
  readonly from: Height;
  readonly to: Height;
  readonly addresses: readonly Uint8Array[];
  /** Alternatives for each topic position; an empty list matches any topic. */
  readonly topics: readonly (readonly Uint8Array[])[];
  /** Only blocks in which a call frame touched one of these addresses; any block when absent or empty. */
  readonly touched?: readonly Uint8Array[];
}

/**
 * Heights that may hold a matching log, ascending. Criteria are matched per block, not per log, so a block may be a
 * false positive. The rows of all criteria are merged by height, so that a rare criterion skips rows of a frequent one.
 * Fails with `limit-exceeded` above `limits.searchRows` heights or `limits.logIndexRows` rows, and with `busy` when too
 * many range reads wait.
 */
export async function searchLogPostings(
  store: Pick<KeyValueStore, 'range'>,
  search: LogSearch,
  limits: Pick<Limits, 'searchRows' | 'logIndexRows' | 'rangeRows'>,
): Promise<Outcome<readonly Height[]>> {
  const alternatives: (readonly (readonly [kind: number, value: Uint8Array])[])[] = [
    search.addresses.map((address) => [ADDRESS, address] as const),
    (search.touched ?? []).map((address) => [TOUCHED, address] as const),
    ...search.topics.map((topics, position) => topics.map((topic) => [TOPIC + position, topic] as const)),
  ].filter(({ length }) => length > 0);
  if (alternatives.length === 0) alternatives.push([[ANY, new Uint8Array()]]);
  let left = limits.logIndexRows;
  const range: ReadHeights = async (kind, value, from, rows) => {
    const [start, end] = [postingKey(kind, value, from), postingKey(kind, value, search.to + 1n)];
    const read = await store.range({ start, end, limit: rows, mayBeRefused: true });
    left -= read.length;
    if (left < 0) throw new TooManyRows();
    return read.map(({ key }) => readU64(key, key.length - 8));
  };
  const criteria = alternatives.map((each) =>
    each.map(([kind, value]) => new PostedHeights((from, rows) => range(kind, value, from, rows), limits.rangeRows)),
  );
  const found: Height[] = [];
  try {
    for (let height = await firstOfAll(criteria, search.from); height !== undefined;) {
      if (found.length === limits.searchRows)
        return { ok: false, error: { code: 'limit-exceeded', limit: 'searchRows', maximum: limits.searchRows } };
      found.push(toHeight(height));
      height = await firstOfAll(criteria, height + 1n);
    }
  } catch (error) {
    if (error instanceof RangesBusy) return { ok: false, error: { code: 'busy', what: 'ranges' } };
    if (error instanceof TooManyRows)
      return { ok: false, error: { code: 'limit-exceeded', limit: 'logIndexRows', maximum: limits.logIndexRows } };
    throw error;
  }
  return { ok: true, value: found };
}

/** Reads up to `rows` heights of one value's rows, from height `from` on. */
type ReadHeights = (kind: number, value: Uint8Array, from: bigint, rows: number) => Promise<readonly bigint[]>;

class TooManyRows extends Error {}
