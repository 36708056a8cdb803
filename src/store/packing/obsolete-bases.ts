import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { ANCHOR_MAGIC, ANCHOR_POSITION } from '../log/anchor.js';
import { ByteReader, ByteWriter } from '../bytes.js';
import { PREFIX, recordBound, recordKey, recordsEnd } from '../keys.js';
import { openStored } from '../rows/row.js';
import { baseBounds, baseIdIn, baseKey, numberIn, RECORD, RESULTS, OBSOLETE_BASES_KEY, WRITES } from './kinds.js';

const KINDS = [RECORD, RESULTS, WRITES] as const;

/** The last record at the time of an anchor, and the current bases then: later rows use these or later bases. */
interface Mark {
  readonly position: number;
  /** Base numbers in the order of `KINDS`; 0 for a kind without base. */
  readonly ids: readonly number[];
}

/** True for a batch that puts a new anchor in place. */
export function replacesAnchor(operations: readonly StoreOperation[]): boolean {
  return operations.some(({ key }) => key[0] === PREFIX.restored);
}

/**
 * Operations for a batch that puts an anchor in place: delete the bases before the mark if the records up to the mark
 * are pruned, and set a new mark for a later anchor. The first base is kept for the genesis record, and one more for a
 * reader that has just read a row.
 */
export async function obsoleteBases(store: Pick<KeyValueStore, 'get' | 'range'>): Promise<readonly StoreOperation[]> {
  const mark = markIn(store);
  if (mark !== undefined && keptFrom(store) <= mark.position) return [];
  const spent: StoreOperation[] = [];
  for (const [at, kind] of KINDS.entries()) {
    const [start, end] = [baseKey(kind, 1), baseKey(kind, Math.max(1, (mark?.ids[at] ?? 0) - 1))];
    const rows = await store.range({ start, end, limit: FIXED_LIMITS.derivedPrunedRows });
    for (const { key } of rows) spent.push({ type: 'delete', key });
  }
  return [...spent, ...(await marked(store))];
}

/** Position of the first record after the current anchor; 0 without an anchor. */
function keptFrom(store: Pick<KeyValueStore, 'get'>): number {
  const key = recordKey(ANCHOR_POSITION, 0);
  const row = store.get(key);
  if (row === undefined) return 0;
  const reader = new ByteReader(openStored(key, row).value);
  const isAnchor = ANCHOR_MAGIC.every((byte) => reader.byte() === byte);
  if (!isAnchor) return 0;
  reader.raw(8);
  return Number(ANCHOR_POSITION) + reader.count();
}

function markIn(store: Pick<KeyValueStore, 'get'>): Mark | undefined {
  const row = store.get(OBSOLETE_BASES_KEY);
  if (row === undefined) return undefined;
  const reader = new ByteReader(openStored(OBSOLETE_BASES_KEY, row).value);
  return { position: reader.count(), ids: KINDS.map(() => reader.count()) };
}

async function marked(store: Pick<KeyValueStore, 'range'>): Promise<readonly StoreOperation[]> {
  const [last] = await store.range({ start: recordBound(0n), end: recordsEnd(), reverse: true, limit: 1 });
  if (last === undefined) return [];
  const to = new ByteWriter();
  to.uint(numberIn(last.key));
  for (const kind of KINDS) {
    const [base] = await store.range({ ...baseBounds(kind), reverse: true, limit: 1 });
    to.uint(base === undefined ? 0 : baseIdIn(base.key));
  }
  return [{ type: 'put', key: OBSOLETE_BASES_KEY, value: to.finish() }];
}
