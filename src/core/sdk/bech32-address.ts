import { bech32 } from '@scure/base';
import { utf8 } from '../bytes/bytes.js';

/** BIP-173: a prefix of one letter, the separator, and a checksum of six letters. */
const LEAST_BYTES = 8;
const MOST_BYTES = 1_023;
const CHECKSUM = 6;
const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const MAX_ADDRESS = 255;

export type Bech32Address =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly problem: string };

/**
 * An address that can only be bech32 with `prefix`, or what is wrong with it in Go's words (cosmos-sdk v0.53
 * `types/address.go`, AccAddressFromBech32 and ConsAddressFromBech32; cosmos/btcutil v1.0.5 `bech32`).
 */
export function readBech32Address(prefix: string, text: string): Bech32Address {
  const refused = (problem: string): Bech32Address => ({ ok: false, problem });
  if (text.trim() === '') return refused('empty address string is not allowed');
  const problem = bech32Problem(text);
  if (problem !== undefined) return refused(`decoding bech32 failed: ${problem}`);
  const lower = text.toLowerCase();
  const found = lower.slice(0, lower.lastIndexOf('1'));
  const bytes = bech32.fromWordsUnsafe(wordsOf(lower).slice(0, -CHECKSUM));
  if (!(bytes instanceof Uint8Array)) return refused('decoding bech32 failed: invalid incomplete group');
  if (found !== prefix) return refused(`invalid Bech32 prefix; expected ${prefix}, got ${found}`);
  if (bytes.length === 0) return refused('addresses cannot be empty: unknown address');
  if (bytes.length > MAX_ADDRESS)
    return refused(`address max length is ${MAX_ADDRESS}, got ${bytes.length}: unknown address`);
  return { ok: true, bytes };
}

/** Go's reason for which a text is no bech32; undefined when it is. */
function bech32Problem(text: string): string | undefined {
  const bytes = utf8(text);
  if (bytes.length > MOST_BYTES || bytes.length < LEAST_BYTES) return `invalid bech32 string length ${bytes.length}`;
  const strange = bytes.findIndex((byte) => byte < 33 || byte > 126);
  // the first problem from the left
  const read = strange === -1 ? text : String.fromCharCode(...bytes.subarray(0, strange));
  if (/[a-z]/.test(read) && /[A-Z]/.test(read)) return 'string not all lowercase or all uppercase';
  if (strange !== -1) return `invalid character in string: '${String.fromCharCode(bytes[strange] ?? 0)}'`;
  const lower = text.toLowerCase();
  const separator = lower.lastIndexOf('1');
  if (separator < 1 || separator + CHECKSUM + 1 > lower.length) return `invalid separator index ${separator}`;
  const words = wordsOf(lower);
  const wrong = words.indexOf(-1);
  if (wrong !== -1) return `invalid character not part of charset: ${lower.charCodeAt(separator + 1 + wrong)}`;
  const data = words.slice(0, -CHECKSUM);
  const expected = bech32.encode(lower.slice(0, separator), data, MOST_BYTES).slice(-CHECKSUM);
  const actual = lower.slice(-CHECKSUM);
  return expected === actual ? undefined : `invalid checksum (expected ${expected} got ${actual})`;
}

/** Values of the letters after the separator; -1 for one that has none. */
function wordsOf(lower: string): number[] {
  return Array.from(lower.slice(lower.lastIndexOf('1') + 1), (letter) => CHARSET.indexOf(letter));
}
