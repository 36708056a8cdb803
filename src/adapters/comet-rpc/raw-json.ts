/**
 * Splits JSON text into the raw texts of its members, as Go's `json.RawMessage` does. The peer's RPC decodes each member
 * on its own, so ids keep their spelling, numbers their digits, and errors carry Go's words (cometbft-rpc.md 1.2).
 */

export type SplitJson =
  /** Members in order; a name may repeat, the last one counts. */
  | { readonly kind: 'object'; readonly members: readonly (readonly [name: string, raw: string])[] }
  | { readonly kind: 'array'; readonly elements: readonly string[] }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number' | 'bool' | 'null'; readonly raw: string };

export type SplitResult = { readonly ok: true; readonly value: SplitJson } | { readonly ok: false; readonly error: string };

/** Checks the whole text and splits its outermost value. `error` is the text of Go's decoder, or names the depth limit. */
export function splitJson(text: string, maximumDepth: number): SplitResult {
  try {
    return { ok: true, value: new Scanner(text, maximumDepth).document() };
  } catch (error) {
    if (error instanceof SyntaxProblem) return { ok: false, error: error.message };
    throw error;
  }
}

class SyntaxProblem extends Error {}

const SPACE = /[ \t\r\n]*/y;
// eslint-disable-next-line no-control-regex
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const DIGITS = /[0-9]*/y;

class Scanner {
  #at = 0;
  #depth = 0;

  constructor(
    private readonly text: string,
    private readonly maximumDepth: number,
  ) {}

  document(): SplitJson {
    this.#skip(SPACE);
    const value = this.#value(true);
    this.#skip(SPACE);
    if (this.#at < this.text.length) this.#fail('after top-level value');
    return value;
  }

  /** Scans one value; members are collected for the outermost one only. */
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
    if (this.#depth > this.maximumDepth) throw new SyntaxProblem(`exceeded max depth (${this.maximumDepth})`);
    this.#at += 1;
    this.#skip(SPACE);
  }

  #leave(): void {
    this.#depth -= 1;
    this.#at += 1;
  }

  /** After a member: true when another one follows. */
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
      for (let digit = 0; digit < 4; digit++) {
        if (!/^[0-9a-fA-F]$/.test(this.text[this.#at] ?? '')) this.#fail('in \\u hexadecimal character escape');
        this.#at += 1;
      }
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
    const first = this.text[this.#at] ?? '';
    if (!/^[0-9]$/.test(first)) this.#fail(negative ? 'in numeric literal' : 'looking for beginning of value');
    this.#at += 1;
    if (first !== '0') this.#skip(DIGITS);
    if (this.text[this.#at] === '.') this.#digits('after decimal point in numeric literal');
    if (this.text[this.#at] === 'e' || this.text[this.#at] === 'E') {
      const sign = this.text[this.#at + 1];
      if (sign === '+' || sign === '-') this.#at += 1;
      this.#digits('in exponent of numeric literal');
    }
  }

  /** One character, then at least one digit. */
  #digits(context: string): void {
    this.#at += 1;
    if (!/^[0-9]$/.test(this.text[this.#at] ?? '')) this.#fail(context);
    this.#skip(DIGITS);
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    pattern.test(this.text);
    this.#at = pattern.lastIndex;
  }

  #fail(context: string): never {
    const character = this.text[this.#at];
    throw new SyntaxProblem(character === undefined ? 'unexpected end of JSON input' : `invalid character ${quoteCharacter(character)} ${context}`);
  }
}

/** Go reads bytes, so a character beyond ASCII shows as its first UTF-8 byte. */
function quoteCharacter(character: string): string {
  if (character === "'") return String.raw`'\''`;
  if (character === '"') return `'"'`;
  const first = new TextEncoder().encode(character)[0] ?? 0;
  const shown = JSON.stringify(String.fromCharCode(first)).slice(1, -1);
  return `'${shown}'`;
}

/** The value of a checked string literal. */
function unquote(raw: string): string {
  return String(JSON.parse(raw));
}

/** JSON text with the escapes of Go's encoder: answers can be compared byte for byte. */
export function goJson(value: unknown): string {
  return goEscape(JSON.stringify(value));
}

/** Escapes what Go's encoder escapes inside strings; such characters stand nowhere else in JSON. */
export function goEscape(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
