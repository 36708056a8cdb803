import type { Limits } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import type { Condition } from '../../core/query/index.js';
import { keyAfter, prefixEnd } from '../../core/bytes/key-order.js';
import { compare, concat } from '../../core/bytes/bytes.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { RangesBusy } from '../state/range-gate.js';
import { beginOf, hasIndexGoneBack, indexedThrough } from './index-rows.js';
import { HEIGHT_KEY, postingsOf, type BlockEvents, type Posting, type PostingKind } from './posting.js';
import { keyOfRow, keyPrefix, keysOf, valuePrefix, windowOf } from './posting-key.js';
import { decodePostings } from './posting-rows.js';
import { planOf, type Plan, type Scan } from './plan.js';

/** A transaction that was found; for blocks `index` is 0. */
export interface Found {
  readonly height: Height;
  readonly index: number;
}

export interface SearchContext {
  /** Reads committed rows; gated. */
  readonly store: Pick<KeyValueStore, 'get' | 'range'>;
  /** Published head; later heights are not visible yet. */
  readonly head: Height;
  /** First height of the chain, where matching in memory begins while nothing is indexed. */
  readonly first: Height;
  /**
   * Events of a published height that is not indexed yet, those of transactions for `tx` only; undefined when it was
   * not executed.
   */
  readonly eventsAt: (height: Height, kind: PostingKind) => BlockEvents | undefined;
  readonly limits: Pick<Limits, 'searchRows' | 'rangeRows'>;
}

/**
 * tx_search and block_search: every transaction or block with one event that satisfies all conditions, ascending by
 * height and index. The caller handles conditions on `tx.hash`, as CometBFT does before it scans (v0.38
 * `state/txindex/kv/kv.go`). Fails with `limit-exceeded` when more than `limits.searchRows` postings had to be read,
 * and with `busy` when too many ranges wait.
 */
export async function searchPostings(
  kind: PostingKind,
  conditions: readonly Condition[],
  context: SearchContext,
): Promise<Outcome<readonly Found[]>> {
  const { head, limits, store } = context;
  const plan = planOf(kind, conditions, head);
  if (plan.low > plan.high) return { ok: true, value: [] };
  const budget = { rows: limits.searchRows };
  for (;;) {
    const indexed = indexedThrough(store);
    const found = await searchOnce(kind, plan, context, budget);
    // Rows of blocks that stay may have gone with those of blocks that a revert took back.
    if (!found.ok || !hasIndexGoneBack(store, indexed)) return found;
  }
}

/** One reading of the rows, and of the blocks behind the cursor. */
async function searchOnce(
  kind: PostingKind,
  plan: Plan,
  context: SearchContext,
  budget: Budget,
): Promise<Outcome<readonly Found[]>> {
  const { limits } = context;
  const scans = plan.scans.length > 0 ? plan.scans : [{ key: HEIGHT_KEY[kind], value: '', accepts: () => true }];
  try {
    const tail = tailPostings(kind, plan, context, budget);
    let survivors: ReadonlyMap<string, Posting> | undefined;
    for (const scan of scans) {
      const found = new Map<string, Posting>();
      for (const one of scan.or === undefined ? [scan] : [scan, scan.or]) {
        const keep = (posting: Posting): void => {
          const id = `${posting.height}/${posting.index}/${posting.event}`;
          if (one.accepts(posting.value) && (survivors === undefined || survivors.has(id))) found.set(id, posting);
        };
        for await (const key of indexedKeys(kind, one, context, budget))
          for await (const posting of indexedPostings(kind, { ...one, key }, plan, context, budget)) keep(posting);
        for (const posting of tail) if (hasKey(one, posting.key)) keep(posting);
      }
      survivors = found;
      if (found.size === 0) break;
    }
    return { ok: true, value: carriersOf(survivors?.values() ?? []) };
  } catch (error) {
    if (error instanceof BudgetSpent)
      return { ok: false, error: { code: 'limit-exceeded', limit: 'searchRows', maximum: limits.searchRows } };
    if (error instanceof RangesBusy) return { ok: false, error: { code: 'busy', what: 'ranges' } };
    throw error;
  }
}

class BudgetSpent extends Error {}

interface Budget {
  rows: number;
}

function spend(budget: Budget, rows: number): void {
  budget.rows -= rows;
  if (budget.rows < 0) throw new BudgetSpent('search budget is spent');
}

function hasKey(scan: Scan, key: string): boolean {
  return scan.key === key || (scan.key.startsWith('.') && key.endsWith(scan.key));
}

/** The composite keys of a scan. Those that end alike are searched in one step for each key of the index. */
async function* indexedKeys(
  kind: PostingKind,
  scan: Scan,
  { store }: SearchContext,
  budget: Budget,
): AsyncGenerator<string> {
  if (!scan.key.startsWith('.')) {
    yield scan.key;
    return;
  }
  const { end, ...all } = keysOf(kind);
  for (let start: Uint8Array | undefined = all.start; start !== undefined;) {
    const [row] = await store.range({ start, end, limit: 1, mayBeRefused: true });
    if (row === undefined) return;
    spend(budget, 1);
    const key = keyOfRow(row.key);
    if (hasKey(scan, key)) yield key;
    start = prefixEnd(keyPrefix(kind, key));
  }
}

/**
 * Postings of one scan from the rows, inside the plan's heights; with a value, height bounds narrow the range itself.
 */
async function* indexedPostings(
  kind: PostingKind,
  scan: Scan,
  plan: Plan,
  { store, limits }: SearchContext,
  budget: Budget,
): AsyncGenerator<Posting> {
  const bounds = boundsOf(kind, scan, plan);
  for (let start: Uint8Array | undefined = bounds.start; start !== undefined;) {
    const rows = await store.range({ start, end: bounds.end, limit: limits.rangeRows, mayBeRefused: true });
    for (const { key, value } of rows) {
      const postings = decodePostings(kind, scan.key, key, value);
      spend(budget, postings.length);
      for (const posting of postings) if (posting.height >= plan.low && posting.height <= plan.high) yield posting;
    }
    const last = rows.length < limits.rangeRows ? undefined : rows.at(-1)?.key;
    start = last === undefined ? undefined : keyAfter(last);
  }
}

function boundsOf(kind: PostingKind, scan: Scan, plan: Plan): { readonly start: Uint8Array; readonly end: Uint8Array } {
  if (scan.value === undefined) {
    const start = keyPrefix(kind, scan.key);
    return { start, end: prefixEnd(start) ?? start };
  }
  const prefix = valuePrefix(kind, scan.key, scan.value);
  // A row that blocks of a window share stands where the window begins.
  return { start: concat(prefix, be64(windowOf(plan.low))), end: concat(prefix, be64(plan.high + 1n)) };
}

/**
 * Postings of published heights that have no rows yet, computed in memory; they equal the rows that a running batch
 * adds meanwhile.
 */
function tailPostings(
  kind: PostingKind,
  plan: Plan,
  { store, first, eventsAt }: SearchContext,
  budget: Budget,
): readonly Posting[] {
  const next = toHeight((indexedThrough(store) ?? first - 1n) + 1n);
  // Block events get their rows at the end of their window.
  const from = kind === 'block' ? beginOf(next, first) : next;
  const postings: Posting[] = [];
  for (let height = from > plan.low ? from : plan.low; height <= plan.high; height = toHeight(height + 1n)) {
    // A block without postings costs work too, so it counts.
    spend(budget, 1);
    const block = eventsAt(height, kind);
    if (block === undefined) continue;
    const made = postingsOf(kind, block);
    spend(budget, made.length);
    postings.push(...made);
  }
  return postings;
}

function carriersOf(postings: Iterable<Posting>): readonly Found[] {
  const carriers = new Map<string, Found>();
  for (const { height, index } of postings) carriers.set(`${height}/${index}`, { height, index });
  return [...carriers.values()].sort(
    (left, right) => compare(be64(left.height), be64(right.height)) || left.index - right.index,
  );
}
