/** Reads and writes the fields of Amino structures, whose wire format is that of protobuf. */
import { fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { BinaryReader, type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { MAX_UINT64 } from '../../../../core/bigint.js';
import { fromBase64 } from '../../../../core/bytes/base64.js';
import { type Coin, CoinSchema } from '../../../../core/proto/cosmos/base/v1beta1/coin_pb.js';
import { BadAmino, isObject } from './from-json.js';

/** The error for a message with more than `maximum` parts. */
export function tooManyParts(maximum: number): BadAmino {
  return new BadAmino(`limit messageParts (${maximum}) exceeded`);
}

/**
 * Limits the number of fields of a transaction, including those of its messages and coins (`messageParts`). A field
 * may have only two bytes, so the request size alone does not bound the work.
 */
export class PartBudget {
  #left: number;

  constructor(private readonly maximum: number) {
    this.#left = maximum;
  }

  /** Remaining number of fields. */
  get left(): number {
    return this.#left;
  }

  /** Takes fields from the budget. Throws BadAmino if it is exceeded. */
  take(parts: number): void {
    this.#left -= parts;
    if (this.#left < 0) throw tooManyParts(this.maximum);
  }
}

/** The fields of a structure. */
export interface Fields {
  /** All length-delimited values of a field number, in order. */
  bytes(field: number): readonly Uint8Array[];
  /** The last varint of a field number; 0 if absent. */
  number(field: number): bigint;
}

/**
 * Runs a decoder of untrusted bytes. Throws BadAmino with the part's name, and whether bytes are missing or
 * malformed; go-amino's texts also have byte counts and Go types.
 */
export function decoding<Value>(part: string, decode: () => Value): Value {
  try {
    return decode();
  } catch (error) {
    if (error instanceof BadAmino) throw error;
    throw new BadAmino(`${part}: ${error instanceof RangeError ? 'unexpected EOF' : 'malformed'}`);
  }
}

/**
 * Reads the fields of a structure; `name` is for errors. Throws BadAmino for malformed bytes and for too many fields.
 */
export function readFields(name: string, encoded: Uint8Array, budget: PartBudget): Fields {
  const parts = new Map<number, Uint8Array[]>();
  const numbers = new Map<number, bigint>();
  const reader = new BinaryReader(encoded);
  decoding(name, () => {
    while (reader.pos < reader.len) {
      budget.take(1);
      const [field, wireType] = reader.tag();
      if (wireType === WireType.LengthDelimited) {
        const list = parts.get(field) ?? [];
        if (list.length === 0) parts.set(field, list);
        list.push(reader.bytes());
      } else if (wireType === WireType.Varint) numbers.set(field, BigInt(reader.uint64()));
      else reader.skip(wireType, field);
    }
  });
  return { bytes: (field) => parts.get(field) ?? [], number: (field) => numbers.get(field) ?? 0n };
}

/** Writes a bytes field, even if empty. */
export function writeBytes(writer: BinaryWriter, field: number, bytes: Uint8Array): void {
  writer.tag(field, WireType.LengthDelimited).bytes(bytes);
}

/** Writes a string field; omits it if empty. */
export function writeText(writer: BinaryWriter, field: number, value: JsonValue | undefined, name: string): void {
  if (value === undefined || value === null || value === '') return;
  if (typeof value !== 'string') throw new BadAmino(`${name} is not a string`);
  writer.tag(field, WireType.LengthDelimited).string(value);
}

/** Writes a uint64 from its Amino JSON string; omits 0. */
export function writeNumber(writer: BinaryWriter, field: number, value: JsonValue | undefined, name: string): void {
  if (value === undefined || value === null) return;
  const number = typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : -1n;
  if (number < 0n || number > MAX_UINT64) throw new BadAmino(`${name} is not a uint64 in a string`);
  if (number > 0n) writer.tag(field, WireType.Varint).uint64(number);
}

/** Decodes a string field; empty if absent. */
export function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes ?? new Uint8Array());
}

/** Narrows to an object. Throws BadAmino with the field name. */
export function objectOf(value: JsonValue | undefined, name: string): JsonObject {
  if (!isObject(value)) throw new BadAmino(`${name} is not an object`);
  return value;
}

/** Narrows to a list; absent and null are empty. Throws BadAmino with the field name. */
export function listOf(value: JsonValue | undefined, name: string): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new BadAmino(`${name} is not a list`);
  return value;
}

/** Decodes base64. Throws BadAmino with the field name. */
export function base64Of(value: JsonValue | undefined, name: string): Uint8Array {
  if (typeof value !== 'string') throw new BadAmino(`${name} is not base64`);
  try {
    return fromBase64(value);
  } catch {
    throw new BadAmino(`${name} is not base64`);
  }
}

/** Parses a coin from Amino JSON. Throws BadAmino. */
export function coinOf(value: JsonValue): Coin {
  try {
    return fromJson(CoinSchema, value);
  } catch {
    throw new BadAmino('amount is not a list of coins');
  }
}
