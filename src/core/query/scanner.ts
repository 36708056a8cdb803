/**
 * Tokens of the query language of CometBFT v0.38 (`libs/pubsub/query/syntax/doc.go`).
 *
 *   query  = cond { "AND" cond }
 *   cond   = tag ( "EXISTS" | "CONTAINS" string | "=" any | ("<" | "<=" | ">" | ">=") ordered )
 *   any    = ordered | string | word                    word is an extension: see `nextOperand`
 *   ordered= number | time | date
 *   tag    = (letter | "_") { letter | digit | "_" | "-" | "." }
 *   string = "'" { any character but "'" } "'"
 *   number = digit { digit } [ "." { digit } ]
 *   time   = "TIME " { "-" | "T" | ":" | "+" | "Z" | digit }       RFC 3339, years 1900 to 2999
 *   date   = "DATE " { "-" | digit }                               YYYY-MM-DD, same years
 *   word   = (letter | "_") { tag character } | "0x" { hex digit } | 64 or 40 hex digits
 *
 * Tokens are separated by optional white space; keywords are upper case only. Offsets count UTF-8 bytes, as CometBFT's
 * do.
 */
import { parseDate, parseTime } from './time.js';
import { utf8Bytes } from './utf8.js';

export type TokenKind =
  | 'invalid token'
  | 'tag'
  | 'string'
  | 'number'
  | 'timestamp'
  | 'datestamp'
  | 'AND operator'
  | 'CONTAINS operator'
  | 'EXISTS operator'
  | '= operator'
  | '< operator'
  | '<= operator'
  | '> operator'
  | '>= operator';

export type Token =
  /** `text` is the text between quotes or after TIME and DATE; `instant` is in nanoseconds since 1970. */
  | { readonly kind: TokenKind; readonly text: string; readonly offset: number; readonly instant?: bigint }
  | { readonly kind: 'eof'; readonly offset: number }
  | { readonly kind: 'failed'; readonly offset: number; readonly message: string };

export interface Scanner {
  next(): Token;
  /**
   * Next token where an operand is expected: bare words, 0x values and hashes are strings here, which CometBFT does
   * not accept.
   */
  nextOperand(): Token;
}

const SPACE = /\s/u;
const LETTER = /\p{L}/u;
const DIGIT = /[0-9]/u;
const TAG = /[\p{L}\p{Nd}._-]/u;
const BARE_HEX = /^(?:0[xX][0-9a-fA-F]*|(?=[0-9]*[a-fA-F])(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{40}))$/u;
const KEYWORDS: ReadonlyMap<string, TokenKind> = new Map([
  ['AND', 'AND operator'],
  ['CONTAINS', 'CONTAINS operator'],
  ['EXISTS', 'EXISTS operator'],
]);

/** Creates a scanner that passes once over the characters of `text`. */
export function createScanner(text: string): Scanner {
  const runes = Array.from(text);
  let at = 0;
  let bytes = 0;

  const advance = (): string | undefined => {
    const rune = runes[at];
    if (rune === undefined) return undefined;
    at += 1;
    bytes += utf8Bytes(rune);
    return rune;
  };
  const takeWhile = (accepts: RegExp): string => {
    let taken = '';
    for (let rune = runes[at]; rune !== undefined && accepts.test(rune); rune = runes[at]) {
      taken += rune;
      advance();
    }
    return taken;
  };

  const scanNumber = (offset: number): Token => {
    let number = takeWhile(DIGIT);
    if (runes[at] === '.') {
      advance();
      number += `.${takeWhile(DIGIT)}`;
    }
    return { kind: 'number', text: number, offset };
  };
  const scanString = (offset: number): Token => {
    advance();
    const value = takeWhile(/[^']/u);
    return advance() === undefined ? { kind: 'eof', offset } : { kind: 'string', text: value, offset };
  };
  const scanCompare = (first: '=' | '<' | '>', offset: number): Token => {
    advance();
    if (first === '=' || runes[at] !== '=') return { kind: `${first} operator`, text: first, offset };
    advance();
    return { kind: `${first}= operator`, text: `${first}=`, offset };
  };
  const scanInstant = (label: 'TIME' | 'DATE', offset: number): Token => {
    advance();
    const value = takeWhile(label === 'TIME' ? /[-T:+Z0-9]/u : /[-0-9]/u);
    const parsed = label === 'TIME' ? parseTime(value) : parseDate(value);
    if (!parsed.ok) return { kind: 'failed', offset, message: `invalid ${label} value: ${parsed.message}` };
    const kind = label === 'TIME' ? 'timestamp' : 'datestamp';
    if (parsed.year < 1900 || parsed.year > 2999) {
      return { kind: 'failed', offset, message: `${kind} year ${parsed.year} out of range` };
    }
    return { kind, text: value, offset, instant: parsed.instant };
  };
  const scanWord = (offset: number, plain: 'tag' | 'string'): Token => {
    const word = takeWhile(TAG);
    // Without a following space, TIME and DATE are ordinary tags.
    if ((word === 'TIME' || word === 'DATE') && runes[at] === ' ') return scanInstant(word, offset);
    return { kind: KEYWORDS.get(word) ?? plain, text: word, offset };
  };
  const scanBareHex = (offset: number): Token | undefined => {
    const start = at;
    let end = at;
    for (let rune = runes[end]; rune !== undefined && TAG.test(rune); rune = runes[end]) end += 1;
    const word = runes.slice(start, end).join('');
    if (!BARE_HEX.test(word)) return undefined;
    takeWhile(TAG);
    return { kind: 'string', text: word, offset };
  };

  const scan = (wordsAre: 'tag' | 'string'): Token => {
    takeWhile(SPACE);
    const offset = bytes;
    const rune = runes[at];
    if (rune === undefined) return { kind: 'eof', offset };
    if (wordsAre === 'string') {
      const hex = scanBareHex(offset);
      if (hex !== undefined) return hex;
    }
    if (DIGIT.test(rune)) return scanNumber(offset);
    if (rune === '_' || LETTER.test(rune)) return scanWord(offset, wordsAre);
    if (rune === "'") return scanString(offset);
    if (rune === '=' || rune === '<' || rune === '>') return scanCompare(rune, offset);
    advance();
    return { kind: 'failed', offset, message: `invalid input ${rune} at offset ${bytes}` };
  };

  return { next: () => scan('tag'), nextOperand: () => scan('string') };
}
