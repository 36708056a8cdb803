/** Accumulators of field values while a message is read. */
import { ScalarType, type DescField } from '@bufbuild/protobuf';
import { WireType, type BinaryReader } from '@bufbuild/protobuf/wire';
import { wireTypeOf } from '../../../core/sdk/codec/wire-type.js';
import { readPair } from './pairs.js';
import { absentMapValue, scalarReader, type ElementReader } from './scalar-text.js';

/** The value of a field so far: JSON texts of elements, or encoded messages. */
export type Slot = string | string[] | Map<string, string> | MessageParts | MessageList | undefined;

/** A message field that occurs several times. The concatenation of the parts encodes their merge. */
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

/** A list of encoded messages. */
export class MessageList {
  readonly messages: Uint8Array[] = [];

  add(bytes: Uint8Array): this {
    this.messages.push(bytes);
    return this;
  }
}

/** Reads a field occurrence into its slot. */
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

/** Reads an element of a list of messages as bytes. */
export function readElement(reader: BinaryReader, _wire: WireType, slot: Slot): MessageList {
  return (slot instanceof MessageList ? slot : new MessageList()).add(reader.bytes());
}

/** Reads a list of numbers, packed or not. */
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

/** Wire type of packable elements; undefined for strings, bytes and messages. */
export function packedType(field: DescField): WireType | undefined {
  const wire = wireTypeOf(field);
  return wire === WireType.LengthDelimited ? undefined : wire;
}

/** Reads a map entry; map keys are always strings in JSON. */
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

/** An empty message. */
export const EMPTY: Uint8Array = new Uint8Array();
