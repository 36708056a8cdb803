/** Form of the rows of one kind in a store: the parts of its keys, and how to read its values. */
import { encodeAddress } from '../sdk/codec/address.js';
import { hexData } from '../bytes/hex.js';

/** How to format addresses. */
export interface Spelling {
  readonly bech32Prefix: string;
  /** Short name of an account, such as `dev1`; undefined for an account without one. */
  readonly nameOf: (address: Uint8Array) => string | undefined;
}

/** A field of a value, as text. The name is empty when the value is a single thing, such as a balance. */
export interface RowField {
  readonly name: string;
  readonly value: string;
}

/** A part of a key as text; `short` is for lines. */
export interface KeyText {
  readonly text: string;
  readonly short?: string;
}

/** Reads one part of a key; undefined when the bytes do not match. */
export interface KeyPart {
  readonly name: string;
  readonly read: (from: KeyReader, spelling: Spelling) => KeyText | undefined;
}

/** Reads the fields of a value. Throws on malformed bytes. */
export type RowValue = (value: Uint8Array, spelling: Spelling) => readonly RowField[];

export interface RowForm {
  /** Bytes that all keys of the form begin with. */
  readonly prefix: Uint8Array;
  /** Name of such a row, in a word or two. */
  readonly name: string;
  readonly key: readonly KeyPart[];
  readonly value: RowValue;
  /** Set for index rows, which repeat other rows for searching or queueing. */
  readonly isIndex?: true;
}

/** Reader of a key after its prefix. */
export class KeyReader {
  #at = 0;

  constructor(readonly bytes: Uint8Array) {}

  /** Next `length` bytes; undefined when fewer are left. */
  take(length: number): Uint8Array | undefined {
    if (this.#at + length > this.bytes.length) return undefined;
    this.#at += length;
    return this.bytes.subarray(this.#at - length, this.#at);
  }

  /** Bytes up to `mark`, which is skipped; undefined when it does not occur. */
  takeUntil(mark: number): Uint8Array | undefined {
    const end = this.bytes.indexOf(mark, this.#at);
    if (end < 0) return undefined;
    const taken = this.bytes.subarray(this.#at, end);
    this.#at = end + 1;
    return taken;
  }

  rest(): Uint8Array {
    const rest = this.bytes.subarray(this.#at);
    this.#at = this.bytes.length;
    return rest;
  }

  get isAtEnd(): boolean {
    return this.#at === this.bytes.length;
  }
}

/** Kind of a bech32 address (cosmos-sdk v0.53 `types/address.go`). */
export type AddressKind = 'account' | 'operator' | 'consensus';

const INFIX = { account: '', operator: 'valoper', consensus: 'valcons' } as const;

/** Formats an address of a kind, with an account's short name. */
export function addressText(kind: AddressKind, address: Uint8Array, { bech32Prefix, nameOf }: Spelling): KeyText {
  const text = address.length === 0 ? hexData(address) : encodeAddress(bech32Prefix + INFIX[kind], address);
  const short = kind === 'account' ? nameOf(address) : undefined;
  return short === undefined ? { text } : { text, short };
}
