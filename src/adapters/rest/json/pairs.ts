/** Reads messages with only the fields 1 and 2: `Any`, timestamps, map entries. */
import { BinaryReader } from '@bufbuild/protobuf/wire';
import type { Instant } from './well-known.js';

/** Reads an `Any` without decoding its value. */
export function readAny(bytes: Uint8Array): { readonly typeUrl: string; readonly value: Uint8Array } {
  let typeUrl = '';
  let value: Uint8Array = new Uint8Array();
  readPair(
    bytes,
    (reader) => (typeUrl = reader.string()),
    (reader) => (value = reader.bytes()),
  );
  return { typeUrl, value };
}

/** Reads a Timestamp or a Duration. */
export function readInstant(bytes: Uint8Array): Instant {
  let seconds = 0n;
  let nanos = 0;
  readPair(
    bytes,
    (reader) => (seconds = BigInt(reader.int64())),
    (reader) => (nanos = reader.int32()),
  );
  return { seconds, nanos };
}

/** Passes each field to its reader, in wire order. */
export function readPair(
  bytes: Uint8Array,
  first: (reader: BinaryReader) => void,
  second: (reader: BinaryReader) => void,
): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (number === 1) first(reader);
    else if (number === 2) second(reader);
    else reader.skip(wire, number);
  }
}
