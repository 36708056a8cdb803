/**
 * Bech32 (BIP-173) like the Go node's library (cosmos-sdk v0.53 `types/bech32`; cosmos/btcutil v1.0.5 `bech32`): it
 * encodes any prefix, and its decoding errors have Go's texts.
 */
import { concat, utf8 } from '../../bytes/bytes.js';
import { lowerCase } from '../go/go-case.js';

const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const CHECKSUM_LENGTH = 6;
const SEPARATOR = 0x31;
/** Longest text that the SDK decodes. */
const MAX_LENGTH = 1023;
const MIN_LENGTH = 8;

/** Encodes bytes under a prefix, which may be any bytes; upper-case letters of the prefix become lower case. */
export function writeBech32(prefix: Uint8Array, bytes: Uint8Array): Uint8Array {
  const small = lowerCase(prefix);
  const words = toWords(bytes);
  return concat(small, utf8(`1${written(words)}${checksum(small, words)}`));
}

export type ReadBech32 =
  | { readonly ok: true; readonly prefix: string; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problem: string };

/** Decodes prefix and bytes of a text, or returns Go's error text. */
export function readBech32(text: Uint8Array): ReadBech32 {
  try {
    return { ok: true, ...decode(text) };
  } catch (error) {
    if (!(error instanceof NoBech32)) throw error;
    return { ok: false, problem: error.message };
  }
}

class NoBech32 extends Error {}

function decode(text: Uint8Array): { readonly prefix: string; readonly bytes: Uint8Array } {
  if (text.length > MAX_LENGTH || text.length < MIN_LENGTH)
    throw new NoBech32(`invalid bech32 string length ${text.length}`);
  const small = normalized(text);
  const at = small.lastIndexOf(SEPARATOR);
  if (at < 1 || at + CHECKSUM_LENGTH + 1 > small.length) throw new NoBech32(`invalid separator index ${at}`);
  const words = Array.from(small.subarray(at + 1), (byte) => {
    const word = CHARSET.indexOf(String.fromCharCode(byte));
    if (word === -1) throw new NoBech32(`invalid character not part of charset: ${byte}`);
    return word;
  });
  const prefix = small.subarray(0, at);
  const data = words.slice(0, -CHECKSUM_LENGTH);
  const expected = checksum(prefix, data);
  const actual = written(words.slice(-CHECKSUM_LENGTH));
  if (expected !== actual) throw new NoBech32(`invalid checksum (expected ${expected} got ${actual})`);
  return { prefix: String.fromCharCode(...prefix), bytes: fromWords(data) };
}

const written = (words: readonly number[]): string => words.map((word) => CHARSET[word]).join('');

/** Converts text to lower case; rejects mixed case. */
function normalized(text: Uint8Array): Uint8Array {
  let [hasLower, hasUpper] = [false, false];
  for (const byte of text) {
    if (byte < 33 || byte > 126) throw new NoBech32(`invalid character in string: '${String.fromCharCode(byte)}'`);
    hasLower ||= byte >= 97 && byte <= 122;
    hasUpper ||= byte >= 65 && byte <= 90;
    if (hasLower && hasUpper) throw new NoBech32('string not all lowercase or all uppercase');
  }
  return hasUpper ? lowerCase(text) : text;
}

function checksum(prefix: Uint8Array, words: readonly number[]): string {
  let sum = 1;
  for (const byte of prefix) sum = next(sum, byte >> 5);
  sum = next(sum, 0);
  for (const byte of prefix) sum = next(sum, byte & 31);
  for (const word of words) sum = next(sum, word);
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) sum = next(sum, 0);
  sum ^= 1;
  return written(Array.from({ length: CHECKSUM_LENGTH }, (_, index) => (sum >> (5 * (5 - index))) & 31));
}

/**
 * One step of the checksum's polynomial. Takes words one by one instead of a list, because a prefix may have a
 * million bytes.
 */
function next(sum: number, word: number): number {
  const high = sum >> 25;
  let mixed = ((sum & 0x1ffffff) << 5) ^ word;
  if ((high & 1) !== 0) mixed ^= 0x3b6a57b2;
  if ((high & 2) !== 0) mixed ^= 0x26508e6d;
  if ((high & 4) !== 0) mixed ^= 0x1ea119fa;
  if ((high & 8) !== 0) mixed ^= 0x3d4233dd;
  if ((high & 16) !== 0) mixed ^= 0x2a1462b3;
  return mixed;
}

/** Splits bytes into groups of five bits; pads the last one with zeros. */
function toWords(bytes: Uint8Array): readonly number[] {
  const words: number[] = [];
  let [held, bits] = [0, 0];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) words.push((held >> (bits - 5)) & 31);
  }
  if (bits > 0) words.push((held << (5 - bits)) & 31);
  return words;
}

function fromWords(words: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  let [held, bits] = [0, 0];
  for (const word of words) {
    held = ((held << 5) | word) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  if (bits > 4 || (held & ((1 << bits) - 1)) !== 0) throw new NoBech32('invalid incomplete group');
  return Uint8Array.from(bytes);
}
