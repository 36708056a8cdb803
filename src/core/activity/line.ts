import { FIXED_LIMITS } from '../limits/limits.js';
import { printable, printableLine } from '../text/printable.js';

/** Colour of a part of a line in a terminal. */
export type Tint = 'good' | 'bad' | 'name' | 'faint';

export type Part = string | readonly [Tint, string];

export type Severity = 'debug' | 'info' | 'warn';

/** One line of the activity log: parts of text for people, fields for programs. */
export interface Line {
  readonly severity: Severity;
  /** Kind of the line: `block`, `transaction`. */
  readonly message: string;
  readonly parts: readonly Part[];
  /** Fields of the JSON form; chain numbers are decimal strings. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Parameters of "select graphic rendition" (ECMA-48 8.3.117). */
const CODES: Readonly<Record<Tint, number>> = { good: 32, bad: 31, name: 36, faint: 2 };

/**
 * Line as text, with colour escape sequences if `coloured` and no others: contract names and other nodes' responses
 * may contain any characters.
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

/**
 * User-provided text as one line: removes control characters, which could drive a terminal, and shortens long text.
 */
export function oneLine(text: string): string {
  return printableLine(text.slice(0, FIXED_LIMITS.shownCharacters));
}
