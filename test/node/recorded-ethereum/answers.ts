/** Answers of this node beside the recorded ones, and the list of those that may differ. */
import { expect, test } from 'vitest';
import { DIFFERENCES } from './differences.js';

/** One recorded line: what was answered there, and here. */
export interface Pair {
  readonly ours: unknown;
  readonly recorded: unknown;
}

/** Lines of a recording that are listed as different, each with its reason. */
export function listedLines(recording: string): ReadonlySet<number> {
  const lines = DIFFERENCES.flatMap(({ recording: name, lines: ranges }) =>
    name === recording ? ranges.split(',').flatMap(linesOf) : [],
  );
  const listed = new Set(lines);
  if (listed.size !== lines.length) throw new Error(`a line of ${recording} has two reasons`);
  return listed;
}

function linesOf(range: string): readonly number[] {
  const [first = 0, last = first] = range.split('-').map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Members that differ wherever they occur (docs/interfaces/eth-rpc.md): of blocks, the last one of transactions. */
export const DIFFERENT_MEMBERS = ['size', 'miner', 'totalDifficulty', 'blockTimestamp'] as const;

/** A parsed answer without the members that differ; the time of a block in its logs is compared. */
export function comparable(value: unknown, different: readonly string[] = DIFFERENT_MEMBERS): unknown {
  return JSON.parse(JSON.stringify(value ?? null), function (this: object, key: string, inner: unknown) {
    return different.includes(key) && !('topics' in this) ? undefined : inner;
  });
}

/** JSON as its value, for the order of members has no meaning; another text as it is. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** One test for each line: its answer is equal, or the line is listed as different and differs. */
export function compareLines(
  recording: string,
  lines: readonly (readonly [line: number, name: string])[],
  pairs: ReadonlyMap<number, Pair>,
): void {
  const listed = listedLines(recording);
  test('every line listed as different is compared', () => {
    const compared = new Set(lines.map(([line]) => line));
    expect([...listed].filter((line) => !compared.has(line))).toEqual([]);
  });
  test.each(lines)('line %i: %s', (line) => {
    const pair = pairs.get(line);
    if (pair === undefined) throw new Error('not asked');
    const [ours, recorded] = [comparable(pair.ours), comparable(pair.recorded)];
    if (listed.has(line)) expect(ours, 'listed as different, and equal').not.toEqual(recorded);
    else expect(ours).toEqual(recorded);
  });
}
