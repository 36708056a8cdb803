/** Parts of store keys (cosmos-sdk v0.53 `types/address`, `collections` v1.2 `codec`). */
import { readBe64 } from '../bytes/big-endian.js';
import { text as textOf } from '../bytes/bytes.js';
import { hexData } from '../bytes/hex.js';
import { addressText, type AddressKind, type KeyPart } from './row-form.js';

const TIME_CHARACTERS = 29;
const PRINTABLE = /^[\x20-\x7e]*$/;

/** Address with a length byte. */
export function address(name: string, kind: AddressKind = 'account'): KeyPart {
  return {
    name,
    read(from, spelling) {
      const bytes = from.take(from.take(1)?.[0] ?? 0);
      return bytes && addressText(kind, bytes, spelling);
    },
  };
}

/** Account address that fills the rest of the key. */
export function lastAddress(name: string): KeyPart {
  return { name, read: (from, spelling) => addressText('account', from.rest(), spelling) };
}

/** Address of 20 bytes, shown in Ethereum's form. */
export function ethereumAddress(name: string): KeyPart {
  return {
    name,
    read(from, { nameOf }) {
      const bytes = from.take(20);
      if (bytes === undefined) return undefined;
      const short = nameOf(bytes);
      return short === undefined ? { text: hexData(bytes) } : { text: hexData(bytes), short };
    },
  };
}

/** Operator address with inverted bytes after its length (`x/staking/types/keys.go` of cosmos-sdk v0.53). */
export function invertedOperator(name: string): KeyPart {
  return {
    name,
    read(from, spelling) {
      const bytes = from.take(from.take(1)?.[0] ?? 0);
      return (
        bytes &&
        addressText(
          'operator',
          bytes.map((byte) => 0xff - byte),
          spelling,
        )
      );
    },
  };
}

/** Number of eight bytes, big-endian. */
export function number(name: string): KeyPart {
  return {
    name,
    read(from) {
      const bytes = from.take(8);
      return bytes && { text: readBe64(bytes).toString() };
    },
  };
}

/** Number of eight bytes, little-endian. */
export function littleEndian(name: string): KeyPart {
  return {
    name,
    read(from) {
      const bytes = from.take(8);
      return bytes && { text: readBe64(bytes.slice().reverse()).toString() };
    },
  };
}

/** Time as text of fixed length. */
export function time(name: string): KeyPart {
  return { name, read: (from) => printable(from.take(TIME_CHARACTERS)) };
}

/** Time as text after its length in eight bytes. */
export function countedTime(name: string): KeyPart {
  return { name, read: (from) => (from.take(8) === undefined ? undefined : printable(from.take(TIME_CHARACTERS))) };
}

/** Text that ends with a zero byte. */
export function endedText(name: string): KeyPart {
  return { name, read: (from) => printable(from.takeUntil(0)) };
}

/** Text that fills the rest of the key. */
export function lastText(name: string): KeyPart {
  return { name, read: (from) => printable(from.rest()) };
}

/** Fixed number of bytes, shown in hex. */
export function bytes(name: string, length: number): KeyPart {
  return {
    name,
    read(from) {
      const taken = from.take(length);
      return taken && { text: hexData(taken) };
    },
  };
}

/** Bytes that fill the rest of the key, at least one, shown in hex. */
export function lastBytes(name: string): KeyPart {
  return { name, read: (from) => (from.isAtEnd ? undefined : { text: hexData(from.rest()) }) };
}

function printable(taken: Uint8Array | undefined): { readonly text: string } | undefined {
  if (taken === undefined) return undefined;
  const text = textOf(taken);
  return PRINTABLE.test(text) ? { text } : undefined;
}
