import { prefixEnd } from '../../core/bytes/key-order.js';
import { KeyStream } from './key-rows.js';
import { hasKey, scansOf, type Plan, type Scan } from './plan.js';
import { keyOfRow, keyPrefix, keysOf } from './posting-key.js';
import type { PostingKind } from './posting.js';
import { IntersectionStream, UnionStream } from './combined-streams.js';
import type { UnitStream } from './unit.js';
import { ValueStream, type RowReads } from './value-rows.js';

/**
 * Stream of the postings that satisfy every scan of a plan. Scans with an exact value are read first, because they
 * narrow what the others read.
 */
export async function planStream(kind: PostingKind, plan: Plan, reads: RowReads): Promise<UnitStream> {
  const scans = scansOf(kind, plan).toSorted(
    (left, right) => Number(left.value === undefined) - Number(right.value === undefined),
  );
  const streams: UnitStream[] = [];
  for (const scan of scans) streams.push(await scanStream(kind, scan, plan, reads));
  return new IntersectionStream(streams);
}

async function scanStream(kind: PostingKind, scan: Scan, plan: Plan, reads: RowReads): Promise<UnitStream> {
  const streams: UnitStream[] = [];
  for (const one of scan.or === undefined ? [scan] : [scan, scan.or]) {
    const { value } = one;
    const accepts = (text: string): boolean => one.accepts(text);
    for (const key of await indexedKeys(kind, one, reads))
      streams.push(
        value === undefined
          ? new KeyStream({ kind, key, accepts }, plan, reads)
          : new ValueStream({ kind, key, value, accepts }, plan, reads),
      );
  }
  const [only, second] = streams;
  return only !== undefined && second === undefined ? only : new UnionStream(streams);
}

/** Composite keys of a scan. For a suffix scan, one seek per distinct key of the index finds the matching ones. */
async function indexedKeys(kind: PostingKind, scan: Scan, { store }: RowReads): Promise<readonly string[]> {
  if (!scan.key.startsWith('.')) return [scan.key];
  const keys: string[] = [];
  const { end, ...all } = keysOf(kind);
  for (let start: Uint8Array | undefined = all.start; start !== undefined;) {
    const [row] = await store.range({ start, end, limit: 1, mayBeRefused: true });
    if (row === undefined) break;
    const key = keyOfRow(row.key);
    if (hasKey(scan, key)) keys.push(key);
    start = prefixEnd(keyPrefix(kind, key));
  }
  return keys;
}
