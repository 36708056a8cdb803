import { FIXED_LIMITS } from '../limits/limits.js';
import { printable, printableLine } from '../text/printable.js';

/** The colour of a part of a line on a terminal. */
export type Tint = 'good' | 'bad' | 'name' | 'faint';

export type Part = string | readonly [Tint, string];

export type Severity = 'debug' | 'info' | 'warn';

/** One line of the activity log: for people as parts of a text, for programs as fields. */
export interface Line {
  readonly severity: Severity;
  /** The kind of the line: `block`, `transaction`. */
  readonly message: string;
  readonly parts: readonly Part[];
  /** Members of the JSON form; numbers of the chain are decimal texts. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Parameters of "select graphic rendition" (ECMA-48 8.3.117). */
const CODES: Readonly<Record<Tint, number>> = { good: 32, bad: 31, name: 36, faint: 2 };

/**
 * The line as text, with escape sequences for colours where `coloured`, and no other ones, whatever the names of
 * compiled contracts and the answers of other nodes hold.
 */
export function lineText({ parts }: Line, coloured: boolean): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return printable(part);
      const [tint, raw] = part;
      const text = printable(raw);
      return coloured ? `\u001b[${CODES[tint]}m${text}\u001b[0m` : text;
    })
    .join('');
}

/** Text of a chain's user in one line: without control characters, which could drive a terminal, and cut when long. */
export function oneLine(text: string): string {
  return printableLine(text.slice(0, FIXED_LIMITS.shownCharacters));
}
