import type { Limits } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { keyAfter, toOrderedString } from '../../core/bytes/key-order.js';
import { concat } from '../../core/bytes/bytes.js';
import { readU64 } from '../bytes.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { PREFIX } from '../keys.js';
import { RangesBusy } from '../state/range-gate.js';

/** The indexed fields of an Ethereum log. */
export interface IndexedLog {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
}

export const LOG_PREFIX = PREFIX.index + 3;
/** Kind of the rows of blocks with at least one log. */
const ANY = 0;
const ADDRESS = 1;
const TOPIC = 2;
/** A log has at most 4 topics. */
const TOUCHED = TOPIC + 4;

/**
 * Keys of the rows of one block: one for each address, one for each topic at its position, and one when the block has
 * logs.
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

/** Keys of the rows of the addresses that frames of a block touched, one for each. */
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
  /** Alternatives at each position; an empty list matches anything. */
  readonly topics: readonly (readonly Uint8Array[])[];
  /** Blocks with a frame that touched one of these; any block when it is absent or empty. */
  readonly touched?: readonly Uint8Array[];
}

/**
 * Heights that may hold a matching log, ascending. Each criterion is matched separately, so a block can be included in
 * which no single log meets all of them. Fails with `limit-exceeded` beyond `limits.searchRows` rows, and with `busy`
 * when too many ranges wait.
 */
export async function searchLogPostings(
  store: Pick<KeyValueStore, 'range'>,
  search: LogSearch,
  limits: Pick<Limits, 'searchRows' | 'rangeRows'>,
): Promise<Outcome<readonly Height[]>> {
  const criteria: (readonly (readonly [kind: number, value: Uint8Array])[])[] = [
    search.addresses.map((address) => [ADDRESS, address] as const),
    (search.touched ?? []).map((address) => [TOUCHED, address] as const),
    ...search.topics.map((alternatives, position) => alternatives.map((topic) => [TOPIC + position, topic] as const)),
  ].filter((alternatives) => alternatives.length > 0);
  if (criteria.length === 0) criteria.push([[ANY, new Uint8Array()]]);
  let left = limits.searchRows;
  let survivors: ReadonlySet<bigint> | undefined;
  try {
    for (const alternatives of criteria) {
      const found = new Set<bigint>();
      for (const [kind, value] of alternatives) {
        let start: Uint8Array | undefined = postingKey(kind, value, search.from);
        const end = postingKey(kind, value, search.to + 1n);
        while (start !== undefined) {
          const rows: readonly { readonly key: Uint8Array }[] = await store.range({
            start,
            end,
            limit: Math.min(left + 1, limits.rangeRows),
            mayBeRefused: true,
          });
          left -= rows.length;
          if (left < 0)
            return { ok: false, error: { code: 'limit-exceeded', limit: 'searchRows', maximum: limits.searchRows } };
          for (const { key } of rows) {
            const height = readU64(key, key.length - 8);
            if (survivors === undefined || survivors.has(height)) found.add(height);
          }
          const last: Uint8Array | undefined = rows.at(-1)?.key;
          start = rows.length < limits.rangeRows || last === undefined ? undefined : keyAfter(last);
        }
      }
      survivors = found;
      if (found.size === 0) break;
    }
  } catch (error) {
    if (error instanceof RangesBusy) return { ok: false, error: { code: 'busy', what: 'ranges' } };
    throw error;
  }
  return { ok: true, value: [...(survivors ?? [])].sort((a, b) => (a < b ? -1 : 1)).map(toHeight) };
}
