import { addressText } from '../../core/activity/names.js';
import { equal } from '../../core/bytes/bytes.js';
import { hex } from '../../core/bytes/hex.js';
import type { FoundMoment, StateChange, StateDiff, StateDiffRequest } from '../../core/inspection/api.js';
import type { Spelling } from '../../core/inspection/row-form.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Timers } from '../../core/ports/time.js';
import type { Height } from '../../core/primitives.js';
import type { Ledger } from '../../runtime/chain/ledger.js';
import { isCursor, readDifferences, type Difference } from '../../store/state/difference.js';
import { HeightPruned } from '../../store/state/latest.js';
import { RangesBusy } from '../../store/state/range-gate.js';
import type { AnswerNames } from './answer-names.js';
import { findMoment, type MomentSource } from './moments.js';

export interface StateDiffSource extends MomentSource {
  readonly ledger: MomentSource['ledger'] & Pick<Ledger, 'context' | 'isReturning'>;
  readonly store: Pick<KeyValueStore, 'get' | 'range'>;
  readonly timers: Pick<Timers, 'yield'>;
  readonly spelling: Spelling;
  /** Names for one answer. */
  readonly names: () => AnswerNames;
}

const WENT_BACK = {
  ok: false,
  error: { code: 'busy', what: 'the chain, which goes back to an earlier block,' },
} as const;

const NO_CURSOR = {
  ok: false,
  error: { code: 'invalid-params', message: 'cursor is not one that was answered' },
} as const;

/** Rows of the state that differ between two moments, by names, as `InspectionApi.stateDiff` promises. */
export async function stateDiff(source: StateDiffSource, request: StateDiffRequest): Promise<Outcome<StateDiff>> {
  const from = await findMoment(source, request.from);
  if (!from.ok) return from;
  const to = await findMoment(source, request.to);
  if (!to.ok) return to;
  // Loaded with the first call: the table has the types of every module.
  const { describeChange } = await import('../../core/inspection/describe-row.js');
  const { storeRefusal } = await import('../../core/inspection/state-table.js');
  const message = request.store === undefined ? undefined : storeRefusal(request.store);
  if (message !== undefined) return { ok: false, error: { code: 'invalid-params', message } };
  if (request.cursor !== undefined && !isCursor(request.cursor, request.store)) return NO_CURSOR;
  const isForward = from.value.height <= to.value.height;
  const [lower, upper] = isForward ? [from.value, to.value] : [to.value, from.value];
  const changes: StateChange[] = [];
  const seen = new Map<string, Uint8Array>();
  const spelling: Spelling = {
    ...source.spelling,
    nameOf(address) {
      seen.set(hex(address), address);
      return source.spelling.nameOf(address);
    },
  };
  let characters = 0;
  const take = (difference: Difference): boolean => {
    const raw = oriented(difference, isForward);
    const described = describeChange(raw, spelling);
    changes.push({ ...described, raw });
    characters += weightOf(raw) + described.line.length;
    return changes.length < request.limit && characters < FIXED_LIMITS.diffCharacters;
  };
  const isSame = branchMark(source, upper);
  try {
    const range = { lower: lower.height, upper: upper.height, store: request.store, after: request.cursor };
    const page = await readDifferences(source.store, range, source.timers, take);
    if (!isSame()) return WENT_BACK;
    const named = await nameContracts(source, changes, seen.values());
    return { ok: true, value: { from: from.value, to: to.value, changes: named, ...page } };
  } catch (error) {
    if (error instanceof HeightPruned)
      return { ok: false, error: { code: 'state-pruned', height: error.height, lowest: error.lowest } };
    if (error instanceof RangesBusy) return { ok: false, error: { code: 'busy', what: 'ranges' } };
    // Pages of blocks that are taken back vanish while they are read.
    if (!isSame()) return WENT_BACK;
    throw error;
  }
}

/** The changes with the names of the contracts among these addresses. */
async function nameContracts(
  { spelling, names }: StateDiffSource,
  changes: readonly StateChange[],
  addresses: Iterable<Uint8Array>,
): Promise<readonly StateChange[]> {
  const known = names();
  await known.learn(addresses);
  const nameOf: Spelling['nameOf'] = (address) =>
    spelling.nameOf(address) ?? (known.contractAt(address) && addressText(known, address));
  const { describeChange } = await import('../../core/inspection/describe-row.js');
  return known.hasContracts
    ? changes.map(({ raw }) => ({ ...describeChange(raw, { ...spelling, nameOf }), raw }))
    : changes;
}

/** Answers later whether the chain still has the block at a height that it has now. */
function branchMark({ ledger }: StateDiffSource, { height }: FoundMoment): () => boolean {
  const hashAt = (at: Height): Uint8Array => ledger.context(at).hash;
  const hash = hashAt(height);
  return () => !ledger.isReturning && ledger.state.height >= height && equal(hashAt(height), hash);
}

function oriented({ store, key, lower, upper }: Difference, isForward: boolean): StateChange['raw'] {
  return isForward ? { store, key, before: lower, after: upper } : { store, key, before: upper, after: lower };
}

/** Characters of a row in hex, roughly. */
function weightOf({ key, before, after }: StateChange['raw']): number {
  return 2 * (key.length + (before?.length ?? 0) + (after?.length ?? 0));
}
