/** A terminal that says it is narrower does not know its width. */
const LEAST_COLUMNS = 40;

/**
 * Lines for a terminal of so many columns: a longer line goes on in the next one, below its first value, where the
 * terminal would break it anywhere. Breaks stand before a value behind two blanks, else before a word; a word that is
 * longer than the terminal stays whole. Without a terminal (`columns` undefined) lines stay as they are.
 */
export function fittedLines(lines: readonly string[], columns: number | undefined): readonly string[] {
  return columns === undefined || columns < LEAST_COLUMNS ? lines : lines.flatMap((line) => fitted(line, columns));
}

function fitted(line: string, columns: number): readonly string[] {
  if (line.length <= columns) return [line];
  const indent = Math.min(/^ *\S+ +/.exec(line)?.[0].length ?? 0, columns >> 1);
  const gaps = [...line.matchAll(/ +/g)].filter(({ index }) => index >= indent && index <= columns);
  const gap = gaps.findLast(([blanks]) => blanks.length > 1) ?? gaps.at(-1);
  if (gap === undefined) return [line];
  return [line.slice(0, gap.index), ...fitted(' '.repeat(indent) + line.slice(gap.index + gap[0].length), columns)];
}
