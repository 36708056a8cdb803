import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { PostingKind } from './posting.js';
import { matchOf, indexOfCode, type Found, type UnitStream } from './unit.js';

/** A unit at which reading of the results can resume, and the number of results before it. */
interface ResumePoint {
  readonly at: number;
  readonly before: number;
}

/** Number of transactions or blocks that a search matches, and points at which reading can resume. */
export interface MatchCount {
  readonly total: number;
  /** Ascending. */
  readonly marks: readonly ResumePoint[];
}

/** Counts the matches of a stream. Awaits `pause` between slices of work. */
export async function countMatches(stream: UnitStream, pause: () => Promise<void>): Promise<MatchCount> {
  let stride = FIXED_LIMITS.searchResumeStride;
  let marks: ResumePoint[] = [];
  let total = 0;
  let paused = 0;
  for (let from = 0; ;) {
    const found = stream.seek(from);
    const unit = found instanceof Promise ? await found : found;
    if (unit === undefined) return { total, marks };
    if (total - (marks.at(-1)?.before ?? 0) >= stride) marks.push({ at: unit.at, before: total });
    if (marks.length > FIXED_LIMITS.searchResumePoints) {
      stride *= 2;
      marks = marks.filter((_, at) => at % 2 === 1);
    }
    total += countContainers(unit.codes);
    from = unit.at + 1;
    if (total - paused < FIXED_LIMITS.searchPostingsPerTurn) continue;
    paused = total;
    await pause();
  }
}

/** Matches number `begin` to `end - 1`, read from a resume point at or before `begin`. */
export async function matchesFrom(
  kind: PostingKind,
  stream: UnitStream,
  mark: ResumePoint,
  { begin, end }: { readonly begin: number; readonly end: number },
): Promise<readonly Found[]> {
  const items: Found[] = [];
  let number = mark.before;
  for (let from = mark.at; number < end;) {
    const found = stream.seek(from);
    const unit = found instanceof Promise ? await found : found;
    if (unit === undefined) break;
    let last = -1;
    for (const code of unit.codes) {
      if (indexOfCode(code) === last) continue;
      last = indexOfCode(code);
      if (number >= begin && number < end) items.push(matchOf(kind, unit.at, code));
      number += 1;
    }
    from = unit.at + 1;
  }
  return items;
}

/** Number of distinct transactions or blocks in ascending event codes. */
function countContainers(codes: readonly number[]): number {
  let count = 0;
  let last = -1;
  for (const code of codes) {
    const index = indexOfCode(code);
    if (index !== last) count += 1;
    last = index;
  }
  return count;
}
