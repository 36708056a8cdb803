import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { PostingKind } from './posting.js';
import { carrierOf, indexOf, type Found, type UnitStream } from './unit.js';

/** A place in what a search finds: the unit, and how many are found before it. */
interface Mark {
  readonly at: number;
  readonly before: number;
}

/** The number of transactions or blocks that a search finds, and places from which they can be read. */
export interface Counted {
  readonly total: number;
  /** Ascending. */
  readonly marks: readonly Mark[];
}

/** Counts what a stream has. Lets the event loop turn between slices. */
export async function countFound(stream: UnitStream, pause: () => Promise<void>): Promise<Counted> {
  let stride = FIXED_LIMITS.searchMarkStride;
  let marks: Mark[] = [];
  let total = 0;
  let paused = 0;
  for (let from = 0; ;) {
    const found = stream.seek(from);
    const unit = found instanceof Promise ? await found : found;
    if (unit === undefined) return { total, marks };
    if (total - (marks.at(-1)?.before ?? 0) >= stride) marks.push({ at: unit.at, before: total });
    if (marks.length > FIXED_LIMITS.searchMarks) {
      stride *= 2;
      marks = marks.filter((_, at) => at % 2 === 1);
    }
    total += carriers(unit.codes);
    from = unit.at + 1;
    if (total - paused < FIXED_LIMITS.searchedAtOnce) continue;
    paused = total;
    await pause();
  }
}

/** The transactions or blocks with numbers from `begin` to before `end`, read from a place that is not after them. */
export async function foundFrom(
  kind: PostingKind,
  stream: UnitStream,
  mark: Mark,
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
      if (indexOf(code) === last) continue;
      last = indexOf(code);
      if (number >= begin && number < end) items.push(carrierOf(kind, unit.at, code));
      number += 1;
    }
    from = unit.at + 1;
  }
  return items;
}

/** The number of transactions or blocks of ascending events. */
function carriers(codes: readonly number[]): number {
  let count = 0;
  let last = -1;
  for (const code of codes) {
    const index = indexOf(code);
    if (index !== last) count += 1;
    last = index;
  }
  return count;
}
