/** Values of fields while a message is read: texts of elements, or the parts in which a message was sent. */
import { ScalarType, type DescField } from '@bufbuild/protobuf';
import { WireType, type BinaryReader } from '@bufbuild/protobuf/wire';
import { wireTypeOf } from '../../../core/sdk/codec/wire-type.js';
import { readPair } from './pairs.js';
import { absentMapValue, scalarReader, type ElementReader } from './scalar-text.js';

/** The value of a field so far: texts of elements, or the bytes of a message in as many parts as were sent. */
export type Slot = string | string[] | Map<string, string> | MessageParts | undefined;

/** A message that was sent in parts. The concatenation of the parts encodes their merge. */
export class MessageParts {
  readonly #parts: Uint8Array[] = [];

  add(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }

  merged(): Uint8Array {
    const [only = EMPTY] = this.#parts;
    return this.#parts.length <= 1 ? only : Buffer.concat(this.#parts);
  }
}

/** Takes what was sent for a field into its slot. */
export type FieldReader = (reader: BinaryReader, wire: WireType, slot: Slot, depth: number) => Slot;

/** Text of a slot with a single value. */
export function showText(slot: Exclude<Slot, undefined>): string {
  return typeof slot === 'string' ? slot : 'null';
}

/** Text of a slot with a list. */
export function showList(slot: Exclude<Slot, undefined>): string {
  return Array.isArray(slot) ? `[${slot.join(',')}]` : '[]';
}

/** Text of a slot with a map. */
export function showMap(slot: Exclude<Slot, undefined>): string {
  return slot instanceof Map ? `{${[...slot].map(([key, value]) => `${key}:${value}`).join(',')}}` : '{}';
}

/** Reads a message, or a further part of it, as bytes. */
export function readBytes(reader: BinaryReader, _wire: WireType, slot: Slot): MessageParts {
  return (slot instanceof MessageParts ? slot : new MessageParts()).add(reader.bytes());
}

/** Reads a list of numbers, packed in one field or in one field each. */
export function listReader(element: ElementReader, packed: WireType | undefined): FieldReader {
  return (reader, wire, slot, depth) => {
    const list = Array.isArray(slot) ? slot : [];
    if (packed === undefined || wire === packed) list.push(element(reader, depth));
    else {
      const end = reader.uint32() + reader.pos;
      while (reader.pos < end) list.push(element(reader, depth));
    }
    return list;
  };
}

/** Wire type of an element that may be packed; undefined for texts, bytes and messages. */
export function packedType(field: DescField): WireType | undefined {
  const wire = wireTypeOf(field);
  return wire === WireType.LengthDelimited ? undefined : wire;
}

/** Keys of maps are always texts in JSON. */
export function mapReader(field: DescField & { fieldKind: 'map' }, element: ElementReader): FieldReader {
  const keyReader = scalarReader(field.mapKey, undefined);
  const absentValue = absentMapValue(field);
  return (reader, _wire, slot, depth) => {
    const entries = slot instanceof Map ? slot : new Map<string, string>();
    let key = field.mapKey === ScalarType.STRING ? '""' : '0';
    let value = absentValue;
    readPair(
      reader.bytes(),
      (entry) => (key = keyReader(entry, depth)),
      (entry) => (value = element(entry, depth)),
    );
    return entries.set(key.startsWith('"') ? key : `"${key}"`, value);
  };
}

/** No bytes: a message without fields. */
export const EMPTY: Uint8Array = new Uint8Array();
