import { equal } from '../../core/bytes/bytes.js';
import type { FoundMoment, StateChange, StateDiff, StateDiffRequest } from '../../core/inspection/api.js';
import type { Outcome } from '../../core/node-api.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Timers } from '../../core/ports/time.js';
import type { Height } from '../../core/primitives.js';
import type { Ledger } from '../../runtime/chain/ledger.js';
import { isCursor, readDifferences, type Difference } from '../../store/state/difference.js';
import { HeightPruned } from '../../store/state/latest.js';
import { RangesBusy } from '../../store/state/range-gate.js';
import { describeChanges, type DescribedChangesOptions } from './described-changes.js';
import { findMoment, type MomentSource } from './moments.js';

export interface StateDiffSource extends MomentSource, DescribedChangesOptions {
  readonly ledger: MomentSource['ledger'] & Pick<Ledger, 'context' | 'isReverting'>;
  readonly store: Pick<KeyValueStore, 'get' | 'range'>;
  readonly timers: Pick<Timers, 'yield'>;
}

const WENT_BACK = {
  ok: false,
  error: { code: 'busy', what: 'the chain, which goes back to an earlier block,' },
} as const;

const INVALID_CURSOR = {
  ok: false,
  error: { code: 'invalid-params', message: 'cursor is not one that was answered' },
} as const;

/** Implements `InspectionApi.stateDiff`: rows of the state that differ between two moments, with readable names. */
export async function stateDiff(source: StateDiffSource, request: StateDiffRequest): Promise<Outcome<StateDiff>> {
  const from = await findMoment(source, request.from);
  if (!from.ok) return from;
  const to = await findMoment(source, request.to);
  if (!to.ok) return to;
  // Loaded on first use, because the table imports the types of every module.
  const { storeRefusal } = await import('../../core/inspection/state-table.js');
  const message = request.store === undefined ? undefined : storeRefusal(request.store);
  if (message !== undefined) return { ok: false, error: { code: 'invalid-params', message } };
  if (request.cursor !== undefined && !isCursor(request.cursor, request.store)) return INVALID_CURSOR;
  const isForward = from.value.height <= to.value.height;
  const [lower, upper] = isForward ? [from.value, to.value] : [to.value, from.value];
  const described = await describeChanges(source, request.limit);
  const take = (difference: Difference): boolean => described.take(oriented(difference, isForward));
  const isSame = branchMark(source, upper);
  try {
    const range = { lower: lower.height, upper: upper.height, store: request.store, after: request.cursor };
    const page = await readDifferences(source.store, range, source.timers, take);
    if (!isSame()) return WENT_BACK;
    return { ok: true, value: { from: from.value, to: to.value, changes: await described.named(), ...page } };
  } catch (error) {
    if (error instanceof HeightPruned)
      return { ok: false, error: { code: 'state-pruned', height: error.height, lowest: error.lowest } };
    if (error instanceof RangesBusy) return { ok: false, error: { code: 'busy', what: 'ranges' } };
    // A revert removes pages while they are read.
    if (!isSame()) return WENT_BACK;
    throw error;
  }
}

/** Returns a function that checks whether the chain still has the current block at this height. */
function branchMark({ ledger }: StateDiffSource, { height }: FoundMoment): () => boolean {
  const hashAt = (at: Height): Uint8Array => ledger.context(at).hash;
  const hash = hashAt(height);
  return () => !ledger.isReverting && ledger.state.height >= height && equal(hashAt(height), hash);
}

function oriented({ store, key, lower, upper }: Difference, isForward: boolean): StateChange['raw'] {
  return isForward ? { store, key, before: lower, after: upper } : { store, key, before: upper, after: lower };
}
