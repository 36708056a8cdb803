/**
 * Splits JSON text into the raw texts of its members, like Go's `json.RawMessage`. CometBFT decodes members
 * separately, so ids and numbers keep their exact text, and errors have the texts of Go's decoder (v0.38
 * `rpc/jsonrpc/types/types.go`).
 */
import type { Limits } from '../core/limits/limits.js';
import { jsonText, parseJson } from '../core/text/json-text.js';

export type JsonLimits = Pick<Limits, 'jsonDepth' | 'jsonParts'>;

export type SplitJson =
  /** Members in order; if a name repeats, the last one counts. */
  | { readonly kind: 'object'; readonly members: readonly (readonly [name: string, raw: string])[] }
  | { readonly kind: 'array'; readonly elements: readonly string[] }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number' | 'bool' | 'null'; readonly raw: string };

export type SplitResult =
  | { readonly ok: true; readonly value: SplitJson }
  | { readonly ok: false; readonly error: string };

/**
 * Validates the whole text and splits its outermost value. `error`: the text of Go's decoder, or the exceeded limit.
 */
export function splitJson(text: string, limits: JsonLimits): SplitResult {
  try {
    return { ok: true, value: new Scanner(text, limits).document() };
  } catch (error) {
    if (error instanceof SyntaxProblem) return { ok: false, error: error.message };
    throw error;
  }
}

class SyntaxProblem extends Error {}

// each of these sticky patterns may match the empty string
const SPACE = /[ \n\r\t]*/y;
// eslint-disable-next-line no-control-regex
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const HEX_DIGITS = /[0-9a-fA-F]{0,4}/y;
const INTEGER = /(?:0|[1-9][0-9]*)?/y;
const POINT = /\.?/y;
const EXPONENT = /(?:[eE][+-]?)?/y;
const DIGITS = /[0-9]*/y;

class Scanner {
  #at = 0;
  #depth = 0;
  /** Number of objects, arrays and members so far. */
  #parts = 0;

  constructor(
    private readonly text: string,
    private readonly limits: JsonLimits,
  ) {}

  document(): SplitJson {
    this.#skip(SPACE);
    const value = this.#value(true);
    this.#skip(SPACE);
    if (this.#at < this.text.length) this.#fail('after top-level value');
    return value;
  }

  /** Scans a value; collects members only for the outermost one. */
  #value(outermost: boolean): SplitJson {
    const start = this.#at;
    switch (this.text.charAt(start)) {
      case '{':
        return this.#object(outermost);
      case '[':
        return this.#array(outermost);
      case '"':
        this.#string();
        return { kind: 'string', value: outermost ? unquote(this.text.slice(start, this.#at)) : '' };
      case 't':
        this.#literal('true');
        return { kind: 'bool', raw: 'true' };
      case 'f':
        this.#literal('false');
        return { kind: 'bool', raw: 'false' };
      case 'n':
        this.#literal('null');
        return { kind: 'null', raw: 'null' };
      default:
        this.#number();
        return { kind: 'number', raw: outermost ? this.text.slice(start, this.#at) : '' };
    }
  }

  #object(outermost: boolean): SplitJson {
    const members: (readonly [string, string])[] = [];
    this.#enter();
    if (this.text[this.#at] !== '}') {
      for (;;) {
        if (this.text[this.#at] !== '"') this.#fail('looking for beginning of object key string');
        const nameStart = this.#at;
        this.#string();
        const nameEnd = this.#at;
        this.#skip(SPACE);
        if (this.text[this.#at] !== ':') this.#fail('after object key');
        this.#at += 1;
        this.#count();
        this.#skip(SPACE);
        const start = this.#at;
        this.#value(false);
        if (outermost) members.push([unquote(this.text.slice(nameStart, nameEnd)), this.text.slice(start, this.#at)]);
        if (!this.#next('}', 'after object key:value pair')) break;
      }
    }
    this.#leave();
    return { kind: 'object', members };
  }

  #array(outermost: boolean): SplitJson {
    const elements: string[] = [];
    this.#enter();
    if (this.text[this.#at] !== ']') {
      for (;;) {
        const start = this.#at;
        this.#value(false);
        if (outermost) elements.push(this.text.slice(start, this.#at));
        if (!this.#next(']', 'after array element')) break;
      }
    }
    this.#leave();
    return { kind: 'array', elements };
  }

  #enter(): void {
    this.#depth += 1;
    if (this.#depth > this.limits.jsonDepth) throw new SyntaxProblem(`exceeded max depth (${this.limits.jsonDepth})`);
    this.#at += 1;
    this.#count();
    this.#skip(SPACE);
  }

  #count(): void {
    this.#parts += 1;
    if (this.#parts > this.limits.jsonParts)
      throw new SyntaxProblem(`exceeded max objects, arrays and members (limit jsonParts: ${this.limits.jsonParts})`);
  }

  #leave(): void {
    this.#depth -= 1;
    this.#at += 1;
  }

  /** After a member: true if another one follows. */
  #next(end: string, context: string): boolean {
    this.#skip(SPACE);
    const character = this.text[this.#at];
    if (character === end) return false;
    if (character !== ',') this.#fail(context);
    this.#at += 1;
    this.#skip(SPACE);
    return true;
  }

  #string(): void {
    this.#at += 1;
    for (;;) {
      this.#skip(PLAIN);
      const character = this.text[this.#at];
      if (character === '"') break;
      if (character !== '\\') this.#fail('in string literal');
      this.#at += 1;
      const escape = this.text[this.#at];
      if (escape === undefined || !'"\\/bfnrtu'.includes(escape)) this.#fail('in string escape code');
      this.#at += 1;
      if (escape !== 'u') continue;
      if (this.#skip(HEX_DIGITS) < 4) this.#fail('in \\u hexadecimal character escape');
    }
    this.#at += 1;
  }

  #literal(word: string): void {
    for (let index = 0; index < word.length; index++) {
      const expected = word.charAt(index);
      if (this.text[this.#at] !== expected) this.#fail(`in literal ${word} (expecting ${quoteCharacter(expected)})`);
      this.#at += 1;
    }
  }

  #number(): void {
    const negative = this.text[this.#at] === '-';
    if (negative) this.#at += 1;
    if (this.#skip(INTEGER) === 0) this.#fail(negative ? 'in numeric literal' : 'looking for beginning of value');
    if (this.#skip(POINT) > 0) this.#digits('after decimal point in numeric literal');
    if (this.#skip(EXPONENT) > 0) this.#digits('in exponent of numeric literal');
  }

  #digits(context: string): void {
    if (this.#skip(DIGITS) === 0) this.#fail(context);
  }

  /** Skips the characters that a pattern matches; returns how many. */
  #skip(pattern: RegExp): number {
    const start = this.#at;
    pattern.lastIndex = start;
    pattern.test(this.text);
    this.#at = pattern.lastIndex;
    return this.#at - start;
  }

  #fail(context: string): never {
    const character = this.text[this.#at];
    throw new SyntaxProblem(
      character === undefined
        ? 'unexpected end of JSON input'
        : `invalid character ${quoteCharacter(character)} ${context}`,
    );
  }
}

/** Quotes a character as in Go's errors, which show the first UTF-8 byte of a non-ASCII character. */
function quoteCharacter(character: string): string {
  if (character === "'") return String.raw`'\''`;
  if (character === '"') return `'"'`;
  const first = new TextEncoder().encode(character)[0] ?? 0;
  const shown = JSON.stringify(String.fromCharCode(first)).slice(1, -1);
  return `'${shown}'`;
}

/** The value of a checked string literal. */
function unquote(raw: string): string {
  return String(parseJson(raw));
}

/** JSON text with the escapes of Go's encoder, so that responses are byte-identical. */
export function goJson(value: unknown): string {
  return goEscape(jsonText(value));
}

/** Escapes the characters that Go's encoder escapes in strings; they cannot occur elsewhere in JSON. */
export function goEscape(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
