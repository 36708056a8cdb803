/** Parameters for quantities, data, hashes and addresses, with the error texts of geth's `common/hexutil`. */
import { decodeBech32 } from '../../../core/sdk/codec/address.js';
import { wordOf } from '../../../core/bytes/big-endian.js';
import { bytesOfDigits } from '../../../core/bytes/hex.js';
import { type Decoded, type Param, type Place, bad, cannotUnmarshal, good, required } from './param.js';
import * as schema from '../schema.js';

type Digits = { readonly ok: true; readonly digits: string } | { readonly ok: false; readonly text: string };

/** The hex digits after the prefix `0x`; an error is only the text, without position. */
export function digitsOf(value: string): Digits {
  if (value === '') return { ok: false, text: 'empty hex string' };
  if (!/^0[xX]/u.test(value)) return { ok: false, text: 'hex string without 0x prefix' };
  return { ok: true, digits: value.slice(2) };
}

/** Parses a quantity of at most `bits` bits, without leading zeros. An error is only the text, without position. */
export function readQuantity(
  value: string,
  bits: 64 | 256,
): { readonly ok: true; readonly value: bigint } | { readonly ok: false; readonly text: string } {
  const read = digitsOf(value);
  if (!read.ok) return read;
  const { digits } = read;
  if (digits === '') return { ok: false, text: 'hex string "0x"' };
  if (digits.length > 1 && digits.startsWith('0')) return { ok: false, text: 'hex number with leading zero digits' };
  if (digits.length * 4 > bits) return { ok: false, text: `hex number > ${bits} bits` };
  return /^[0-9a-fA-F]+$/u.test(digits)
    ? { ok: true, value: BigInt(`0x${digits}`) }
    : { ok: false, text: 'invalid hex string' };
}

/** Decodes a quantity; an empty text is zero, as in geth's JSON decoders (`checkNumberText`). */
export function decodeQuantity(value: unknown, bits: 64 | 256, place: Place): Decoded<bigint> {
  if (typeof value !== 'string') return cannotUnmarshal('non-string', place);
  if (value === '') return good(0n);
  const read = readQuantity(value, bits);
  return read.ok ? read : cannotUnmarshal(read.text, place);
}

/**
 * Decodes bytes; an empty text is empty, as in geth's JSON decoders (`checkText`). The error for a wrong `length` has
 * no position.
 */
export function decodeData(value: unknown, place: Place, length?: number): Decoded<Uint8Array> {
  if (typeof value !== 'string') return cannotUnmarshal('non-string', place);
  const read = digitsOf(value === '' ? '0x' : value);
  if (!read.ok) return cannotUnmarshal(read.text, place);
  if (read.digits.length % 2 !== 0) return cannotUnmarshal('hex string of odd length', place);
  if (length !== undefined && read.digits.length !== 2 * length)
    return bad(`hex string has length ${read.digits.length}, want ${2 * length} for ${place.type}`);
  const bytes = bytesOfDigits(read.digits);
  return bytes === undefined ? cannotUnmarshal('invalid hex string', place) : good(bytes);
}

/** Decodes a 20-byte address in hex. Also accepts bech32, as every face does. */
export function decodeAddress(value: unknown, place: Place): Decoded<Uint8Array> {
  if (typeof value === 'string' && !value.startsWith('0x') && value.length <= 90) {
    const account = decodeBech32(value)?.bytes;
    if (account?.length === 20) return good(account);
  }
  return decodeData(value, place, 20);
}

/** Decodes a 32-byte hash in hex. Also accepts the consensus RPC's form, upper case without prefix. */
export function decodeHash(value: unknown, place: Place): Decoded<Uint8Array> {
  return decodeData(typeof value === 'string' && /^[0-9A-F]{64}$/u.test(value) ? `0x${value}` : value, place, 32);
}

export const ADDRESS = 'common.Address';
export const HASH = 'common.Hash';

export const address: Param<Uint8Array> = required('address', schema.ADDRESS, (value) =>
  decodeAddress(value, { type: ADDRESS }),
);
export const hash: Param<Uint8Array> = required('hash', schema.HASH, (value) => decodeHash(value, { type: HASH }));
export const data: Param<Uint8Array> = required('bytes', schema.DATA, (value) =>
  decodeData(value, { type: 'hexutil.Bytes' }),
);
/** A 256-bit quantity. */
export const quantity: Param<bigint> = required('quantity', schema.QUANTITY, (value) =>
  decodeQuantity(value, 256, { type: 'hexutil.Big' }),
);
/** Index of a transaction or uncle. */
export const index: Param<bigint> = required('index', schema.QUANTITY_64, (value) =>
  decodeQuantity(value, 64, { type: 'hexutil.Uint' }),
);

/** Schema of a slot as text, also as a member name. */
export const SLOT: schema.Schema = { title: 'Slot', type: 'string', pattern: '^(0x)?[0-9a-fA-F]{0,64}$' };

/**
 * A storage slot or word: hex of at most 32 bytes with or without prefix, left-padded (geth `decodeStorageKey`). Also
 * accepts a JSON number, as anvil does.
 */
export const slot: Param<Uint8Array> = required('slot', schema.anyOf(SLOT, schema.COUNT), (value) => {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return good(wordOf(BigInt(value)));
  if (typeof value !== 'string') return cannotUnmarshal(typeof value, { type: 'string' });
  const digits = value.replace(/^0[xX]/u, '');
  if (digits.length > 64) return bad(`storage key too long (want at most 32 bytes): ${JSON.stringify(value)}`);
  const bytes = bytesOfDigits(digits.padStart(64, '0'));
  return bytes === undefined ? bad(`invalid hex in storage key: ${JSON.stringify(value)}`) : good(bytes);
});
