/**
 * Fast codec of the form in which this node and evmd wrap an Ethereum transaction into a Cosmos transaction
 * (cosmos/evm v0.6 x/vm/types/msg.go, `BuildTx`). The generated codec handles all other forms.
 */
import { utf8 } from '../bytes/bytes.js';
import { toOrderedString } from '../bytes/key-order.js';

export const MESSAGE_URL = '/cosmos.evm.vm.v1.MsgEthereumTx';
export const EXTENSION_URL = '/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx';

/** Content of the wrapping transaction. */
export interface Wrapper {
  /** Sender, 20 bytes. */
  readonly from: Uint8Array;
  /** Signed Ethereum transaction: RLP or typed envelope. */
  readonly raw: Uint8Array;
  readonly denom: string;
  /** Fee in units of `denom`; a fee of 0 is written as no coin. */
  readonly fee: bigint;
  readonly gasLimit: bigint;
}

/** A wrapper with the offsets of its parts in the transaction; byte fields are views. */
export interface LocatedWrapper extends Omit<Wrapper, 'fee'> {
  /** Decimal digits; empty without a fee, in which case `denom` is empty too. */
  readonly amount: string;
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
  /** Encoded `MsgEthereumTx`. */
  readonly message: Uint8Array;
}

const ADDRESS_BYTES = 20;
/** Tags of the form's length-delimited fields, in the order of their messages. */
const TAG = {
  body: 0x0a,
  authInfo: 0x12,
  messages: 0x0a,
  typeUrl: 0x0a,
  value: 0x12,
  from: 0x2a,
  raw: 0x32,
  fee: 0x12,
  amount: 0x0a,
  denom: 0x0a,
  coinAmount: 0x12,
} as const;
/** Tag of `Fee.gas_limit`, a varint. */
const GAS_TAG = 0x10;
const TYPE_URL = delimited([TAG.typeUrl], utf8(MESSAGE_URL));
/** Field 1023 of the body: the extension option, which is empty. */
const EXTENSION = delimited([0xfa, 0x3f], delimited([0x0a], utf8(EXTENSION_URL)));

/** Encodes the transaction. */
export function writeWrapper({ from, raw, denom, fee, gasLimit }: Wrapper): Uint8Array {
  const denomBytes = utf8(denom);
  const amount = utf8(fee.toString());
  const gas = varint(gasLimit);
  const coin = fieldLength(denomBytes.length) + fieldLength(amount.length);
  const feeLength = (fee === 0n ? 0 : fieldLength(coin)) + (gasLimit === 0n ? 0 : 1 + gas.length);
  const authInfo = fieldLength(feeLength);
  const message = fieldLength(from.length) + fieldLength(raw.length);
  const any = TYPE_URL.length + fieldLength(message);
  const body = fieldLength(any) + EXTENSION.length;

  const to = new WrapperWriter(fieldLength(body) + fieldLength(authInfo));
  to.head(TAG.body, body);
  to.head(TAG.messages, any);
  to.bytes(TYPE_URL);
  to.head(TAG.value, message);
  to.field(TAG.from, from);
  to.field(TAG.raw, raw);
  to.bytes(EXTENSION);
  to.head(TAG.authInfo, authInfo);
  to.head(TAG.fee, feeLength);
  if (fee !== 0n) {
    to.head(TAG.amount, coin);
    to.field(TAG.denom, denomBytes);
    to.field(TAG.coinAmount, amount);
  }
  if (gasLimit !== 0n) {
    to.head(GAS_TAG);
    to.bytes(gas);
  }
  return to.written;
}

/** Locates all parts in bytes that `writeWrapper` could have written; undefined for other bytes. */
export function readWrapper(tx: Uint8Array): LocatedWrapper | undefined {
  const at = new WrapperReader(tx);
  const body = at.enter(TAG.body, tx.length);
  const any = at.enter(TAG.messages, body.end);
  at.expect(TYPE_URL);
  const value = at.enter(TAG.value, any.end);
  const from = at.enter(TAG.from, value.end);
  at.skipTo(from.end);
  const raw = at.enter(TAG.raw, value.end);
  at.skipTo(raw.end);
  at.expect(EXTENSION);
  const fits = raw.end === value.end && value.end === any.end && at.offset === body.end;
  const authInfo = at.enter(TAG.authInfo, tx.length);
  const fee = at.enter(TAG.fee, authInfo.end);
  let [denom, amount] = ['', ''];
  if (at.isAt(TAG.amount, fee.end)) {
    const coin = at.enter(TAG.amount, fee.end);
    denom = at.ascii(at.enter(TAG.denom, coin.end).end);
    amount = at.ascii(at.enter(TAG.coinAmount, coin.end).end);
    if (at.offset !== coin.end || denom === '' || !isAmount(amount)) return undefined;
  }
  const gasLimit = at.isAt(GAS_TAG, fee.end) ? at.gas(fee.end) : 0n;
  const ended = at.offset === fee.end && fee.end === authInfo.end && authInfo.end === tx.length;
  if (at.failed || !fits || !ended || from.end - from.start !== ADDRESS_BYTES || raw.end === raw.start)
    return undefined;
  return {
    from: tx.subarray(from.start, from.end),
    raw: tx.subarray(raw.start, raw.end),
    denom,
    amount,
    gasLimit,
    bodyBytes: tx.subarray(body.start, body.end),
    authInfoBytes: tx.subarray(authInfo.start, authInfo.end),
    message: tx.subarray(value.start, value.end),
  };
}

/** Sender and signed bytes of an encoded `MsgEthereumTx` in this form; undefined for other bytes. */
export function readWrappedMessage(value: Uint8Array): Pick<Wrapper, 'from' | 'raw'> | undefined {
  const at = new WrapperReader(value);
  const from = at.enter(TAG.from, value.length);
  at.skipTo(from.end);
  const raw = at.enter(TAG.raw, value.length);
  if (at.failed || raw.end !== value.length || from.end - from.start !== ADDRESS_BYTES || raw.end === raw.start)
    return undefined;
  return { from: value.subarray(from.start, from.end), raw: value.subarray(raw.start, raw.end) };
}

/** A number with at most this many digits always fits 256 bits. */
const EXACT_DIGITS = 77;

/** True for the digits of a positive number that fits the SDK's Int (cosmossdk.io/math v1.5.3 `int.go`). */
function isAmount(digits: string): boolean {
  if (!/^[1-9][0-9]{0,77}$/.test(digits)) return false;
  return digits.length <= EXACT_DIGITS || isEncodableFee(BigInt(digits));
}

/** True for a fee of at most 256 bits; larger ones do not decode. */
export const isEncodableFee = (fee: bigint): boolean => fee >> 256n === 0n;

class WrapperWriter {
  readonly written: Uint8Array;
  #at = 0;

  constructor(length: number) {
    this.written = new Uint8Array(length);
  }

  /** Writes the tag of a field and, when it is length-delimited, its length. */
  head(tag: number, length?: number): void {
    this.written[this.#at++] = tag;
    if (length === undefined) return;
    let rest = length;
    for (; rest > 0x7f; rest >>>= 7) this.written[this.#at++] = (rest & 0x7f) | 0x80;
    this.written[this.#at++] = rest;
  }

  bytes(bytes: Uint8Array): void {
    this.written.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  field(tag: number, bytes: Uint8Array): void {
    this.head(tag, bytes.length);
    this.bytes(bytes);
  }
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Continues reading within the bytes after a mismatch, and reports the mismatch at the end. */
class WrapperReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  failed = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get offset(): number {
    return this.#at;
  }

  isAt(tag: number, end: number): boolean {
    return this.#at < end && this.#bytes[this.#at] === tag;
  }

  /** Content range of a field with this tag, whose length must be minimally encoded and end before `end`. */
  enter(tag: number, end: number): Span {
    if (this.#bytes[this.#at++] !== tag) this.failed = true;
    const from = this.#at;
    let length = 0;
    let byte = 0x80;
    for (let scale = 1; byte > 0x7f && scale <= 0x20_0000; scale *= 128) {
      byte = this.#bytes[this.#at++] ?? 0xff;
      length += (byte & 0x7f) * scale;
    }
    // A last byte of zero is not minimal, except as the only byte.
    if (byte > 0x7f || (byte === 0 && this.#at - from > 1) || this.#at + length > end) {
      this.failed = true;
      return { start: this.#at, end: this.#at };
    }
    return { start: this.#at, end: this.#at + length };
  }

  skipTo(end: number): void {
    this.#at = end;
  }

  expect(bytes: Uint8Array): void {
    for (const byte of bytes) if (this.#bytes[this.#at++] !== byte) this.failed = true;
  }

  ascii(end: number): string {
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = Math.max(this.#at, end);
    for (const byte of bytes) if (byte > 0x7f) this.failed = true;
    return toOrderedString(bytes);
  }

  /** Gas limit with its tag: a minimally encoded varint of 64 bits that is not zero. */
  gas(end: number): bigint {
    this.#at += 1;
    let value = 0n;
    let byte = 0x80;
    for (let shift = 0n; byte > 0x7f && this.#at < end; shift += 7n) {
      byte = this.#bytes[this.#at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
    }
    if (byte > 0x7f || byte === 0 || value >= 1n << 64n) this.failed = true;
    return value;
  }
}

/** Length of a field with a one-byte tag and this content length. */
function fieldLength(length: number): number {
  return 1 + (length < 0x80 ? 1 : length < 0x4000 ? 2 : length < 0x20_0000 ? 3 : 4) + length;
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

/** Encodes a length-delimited field shorter than 128 bytes. */
function delimited(tag: readonly number[], content: Uint8Array): Uint8Array {
  return Uint8Array.from([...tag, content.length, ...content]);
}
