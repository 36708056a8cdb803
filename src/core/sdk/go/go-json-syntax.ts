import { quotedCharacter } from './go-text.js';

/**
 * Error of Go's JSON decoder for bytes that are not JSON (Go 1.24 `encoding/json` scanner.go): names the first
 * invalid byte and its context. Undefined for valid JSON.
 */
export function jsonProblem(bytes: Uint8Array): string | undefined {
  const scanner = new Scanner();
  for (const byte of bytes) {
    scanner.step(byte);
    if (scanner.problem !== undefined) return scanner.problem;
  }
  return scanner.end();
}

type State = (scanner: Scanner, byte: number) => void;
/** Scanner context: the key of a pair, its value, or a list element. */
type Inside = 'key' | 'value' | 'element';

const MAX_DEPTH = 10_000;
const code = (text: string): number => text.charCodeAt(0);
const [QUOTE, BACKSLASH, SPACE] = [code('"'), code('\\'), code(' ')];
const isSpace = (byte: number): boolean => byte === SPACE || byte === 9 || byte === 10 || byte === 13;
const isDigit = (byte: number): boolean => byte >= code('0') && byte <= code('9');
const isOneOf = (byte: number, text: string): boolean => byte < 0x80 && text.includes(String.fromCharCode(byte));

class Scanner {
  problem: string | undefined;
  state: State = beginValue;
  readonly inside: Inside[] = [];
  isDone = false;

  step(byte: number): void {
    this.state(this, byte);
  }

  /** Error when the input ends here; undefined when the JSON is complete. */
  end(): string | undefined {
    if (this.isDone) return undefined;
    this.step(SPACE);
    if (this.isDone) return undefined;
    return this.problem ?? 'unexpected end of JSON input';
  }

  refuse(byte: number, context: string): void {
    this.problem = `invalid character ${quotedCharacter(byte)} ${context}`;
  }

  enter(byte: number, inside: Inside, state: State): void {
    this.inside.push(inside);
    this.state = state;
    if (this.inside.length > MAX_DEPTH) this.refuse(byte, 'exceeded max depth');
  }

  leave(): void {
    this.inside.pop();
    this.state = endValue;
    if (this.inside.length === 0) this.finish();
  }

  finish(): void {
    this.state = endTop;
    this.isDone = true;
  }
}

function beginValue(scanner: Scanner, byte: number): void {
  if (isSpace(byte)) return;
  if (byte === code('{')) scanner.enter(byte, 'key', beginKeyOrEmpty);
  else if (byte === code('[')) scanner.enter(byte, 'element', beginValueOrEmpty);
  else if (byte === QUOTE) scanner.state = inString;
  else if (byte === code('-')) scanner.state = negative;
  else if (byte === code('0')) scanner.state = afterInteger;
  else if (isDigit(byte)) scanner.state = inInteger;
  else if (byte === code('t')) scanner.state = inLiteral('true', 1);
  else if (byte === code('f')) scanner.state = inLiteral('false', 1);
  else if (byte === code('n')) scanner.state = inLiteral('null', 1);
  else scanner.refuse(byte, 'looking for beginning of value');
}

function beginValueOrEmpty(scanner: Scanner, byte: number): void {
  if (isSpace(byte)) return;
  if (byte === code(']')) endValue(scanner, byte);
  else beginValue(scanner, byte);
}

function beginKeyOrEmpty(scanner: Scanner, byte: number): void {
  if (isSpace(byte)) return;
  if (byte === code('}')) scanner.leave();
  else beginKey(scanner, byte);
}

function beginKey(scanner: Scanner, byte: number): void {
  if (isSpace(byte)) return;
  if (byte === QUOTE) scanner.state = inString;
  else scanner.refuse(byte, 'looking for beginning of object key string');
}

function endValue(scanner: Scanner, byte: number): void {
  const { inside } = scanner;
  const innermost = inside.at(-1);
  if (innermost === undefined) {
    scanner.finish();
    endTop(scanner, byte);
    return;
  }
  scanner.state = endValue;
  if (isSpace(byte)) return;
  switch (innermost) {
    case 'key':
      if (byte !== code(':')) return scanner.refuse(byte, 'after object key');
      inside[inside.length - 1] = 'value';
      scanner.state = beginValue;
      return;
    case 'value':
      if (byte === code('}')) return scanner.leave();
      if (byte !== code(',')) return scanner.refuse(byte, 'after object key:value pair');
      inside[inside.length - 1] = 'key';
      scanner.state = beginKey;
      return;
    case 'element':
      if (byte === code(']')) return scanner.leave();
      if (byte !== code(',')) return scanner.refuse(byte, 'after array element');
      scanner.state = beginValue;
  }
}

function endTop(scanner: Scanner, byte: number): void {
  if (!isSpace(byte)) scanner.refuse(byte, 'after top-level value');
}

function inString(scanner: Scanner, byte: number): void {
  if (byte === QUOTE) scanner.state = endValue;
  else if (byte === BACKSLASH) scanner.state = inEscape;
  else if (byte < SPACE) scanner.refuse(byte, 'in string literal');
}

function inEscape(scanner: Scanner, byte: number): void {
  if (byte === code('u')) scanner.state = inUnicodeEscape(4);
  else if (isOneOf(byte, 'bfnrt\\/"')) scanner.state = inString;
  else scanner.refuse(byte, 'in string escape code');
}

const inUnicodeEscape =
  (left: number): State =>
  (scanner, byte) => {
    if (!isOneOf(byte, '0123456789abcdefABCDEF')) scanner.refuse(byte, String.raw`in \u hexadecimal character escape`);
    else scanner.state = left === 1 ? inString : inUnicodeEscape(left - 1);
  };

const inLiteral =
  (literal: string, at: number): State =>
  (scanner, byte) => {
    if (byte !== literal.charCodeAt(at))
      scanner.refuse(byte, `in literal ${literal} (expecting '${literal.charAt(at)}')`);
    else scanner.state = at === literal.length - 1 ? endValue : inLiteral(literal, at + 1);
  };

function negative(scanner: Scanner, byte: number): void {
  if (byte === code('0')) scanner.state = afterInteger;
  else if (isDigit(byte)) scanner.state = inInteger;
  else scanner.refuse(byte, 'in numeric literal');
}

function inInteger(scanner: Scanner, byte: number): void {
  if (!isDigit(byte)) afterInteger(scanner, byte);
}

function afterInteger(scanner: Scanner, byte: number): void {
  if (byte === code('.')) scanner.state = afterPoint;
  else if (isOneOf(byte, 'eE')) scanner.state = beginExponent;
  else endValue(scanner, byte);
}

function afterPoint(scanner: Scanner, byte: number): void {
  if (isDigit(byte)) scanner.state = inFraction;
  else scanner.refuse(byte, 'after decimal point in numeric literal');
}

function inFraction(scanner: Scanner, byte: number): void {
  if (isDigit(byte)) return;
  if (isOneOf(byte, 'eE')) scanner.state = beginExponent;
  else endValue(scanner, byte);
}

function beginExponent(scanner: Scanner, byte: number): void {
  if (isOneOf(byte, '+-')) scanner.state = afterSign;
  else afterSign(scanner, byte);
}

function afterSign(scanner: Scanner, byte: number): void {
  if (isDigit(byte)) scanner.state = inExponent;
  else scanner.refuse(byte, 'in exponent of numeric literal');
}

function inExponent(scanner: Scanner, byte: number): void {
  if (!isDigit(byte)) endValue(scanner, byte);
}
