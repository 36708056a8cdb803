/** The form of the rows of one kind in a store: what its keys consist of, and how its values are read. */
import { encodeAddress } from '../sdk/codec/address.js';
import { hexData } from '../bytes/hex.js';

/** How addresses are written. */
export interface Spelling {
  readonly bech32Prefix: string;
  /** A short name of an account, such as `dev1`; undefined for an account without one. */
  readonly nameOf: (address: Uint8Array) => string | undefined;
}

/** A field of a value, both as text. The name is empty where the value is one thing, such as a balance. */
export interface RowField {
  readonly name: string;
  readonly value: string;
}

/** A part of a key as text. `short` stands in lines for people. */
export interface KeyText {
  readonly text: string;
  readonly short?: string;
}

/** Reads one part of a key; undefined where the bytes are not of this form. */
export interface KeyPart {
  readonly name: string;
  readonly read: (from: KeyReader, spelling: Spelling) => KeyText | undefined;
}

/** Reads the fields of a value. Throws on bytes that are none. */
export type RowValue = (value: Uint8Array, spelling: Spelling) => readonly RowField[];

export interface RowForm {
  /** The bytes with which every key of the form begins. */
  readonly prefix: Uint8Array;
  /** Name of one such row, in a word or two. */
  readonly name: string;
  readonly key: readonly KeyPart[];
  readonly value: RowValue;
  /** The rows repeat what others say, for a search or a queue. */
  readonly isIndex?: true;
}

/** The bytes of a key after its prefix. */
export class KeyReader {
  #at = 0;

  constructor(readonly bytes: Uint8Array) {}

  /** The next bytes; undefined where fewer are left. */
  take(length: number): Uint8Array | undefined {
    if (this.#at + length > this.bytes.length) return undefined;
    this.#at += length;
    return this.bytes.subarray(this.#at - length, this.#at);
  }

  /** The bytes up to one with this value, which is skipped; undefined where there is none. */
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

/** Kind of the bech32 address that names a party (cosmos-sdk v0.53 `types/address.go`). */
export type AddressKind = 'account' | 'operator' | 'consensus';

const INFIX = { account: '', operator: 'valoper', consensus: 'valcons' } as const;

/** An address as text of its kind, with the short name of an account. */
export function addressText(kind: AddressKind, address: Uint8Array, { bech32Prefix, nameOf }: Spelling): KeyText {
  const text = address.length === 0 ? hexData(address) : encodeAddress(bech32Prefix + INFIX[kind], address);
  const short = kind === 'account' ? nameOf(address) : undefined;
  return short === undefined ? { text } : { text, short };
}
