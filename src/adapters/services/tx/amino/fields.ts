/** Reading and writing the fields of Amino structures, whose wire form is protobuf's. */
import { fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf';
import { BinaryReader, type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { fromBase64 } from '../../../../core/comet/text.js';
import { type Coin, CoinSchema } from '../../../../core/proto/cosmos/base/v1beta1/coin_pb.js';
import { BadAmino, isObject } from './from-json.js';

const MAX_UINT64 = 2n ** 64n - 1n;

export function tooManyParts(maximum: number): BadAmino {
  return new BadAmino(`limit messageParts (${maximum}) exceeded`);
}

/** Fields that one transaction may have, its messages' and coins' counted (`messageParts`): two bytes are one, so the bytes of a request do not bound the work. */
export class PartBudget {
  #left: number;

  constructor(private readonly maximum: number) {
    this.#left = maximum;
  }

  /** What is left, until it is exceeded. */
  get left(): number {
    return this.#left;
  }

  /** Throws BadAmino when there are fewer. */
  take(parts: number): void {
    this.#left -= parts;
    if (this.#left < 0) throw tooManyParts(this.maximum);
  }
}

/** Fields of one structure as they came. */
export interface Fields {
  /** Length-delimited fields of a number, in order. */
  bytes(field: number): readonly Uint8Array[];
  /** The last varint of a number; 0 when absent. */
  number(field: number): bigint;
}

/**
 * Runs a decoder of outside bytes. Throws BadAmino, which says of what part and whether bytes are missing or wrong; go-amino
 * adds counts of bytes and its own types.
 */
export function decoding<Value>(part: string, decode: () => Value): Value {
  try {
    return decode();
  } catch (error) {
    if (error instanceof BadAmino) throw error;
    throw new BadAmino(`${part}: ${error instanceof RangeError ? 'unexpected EOF' : 'malformed'}`);
  }
}

/** The fields of a part that is called `name`. Throws BadAmino for bytes that are no fields or too many. */
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

export function writeBytes(writer: BinaryWriter, field: number, bytes: Uint8Array): void {
  writer.tag(field, WireType.LengthDelimited).bytes(bytes);
}

/** Left out when empty. */
export function writeText(writer: BinaryWriter, field: number, value: JsonValue | undefined, name: string): void {
  if (value === undefined || value === null || value === '') return;
  if (typeof value !== 'string') throw new BadAmino(`${name} is not a string`);
  writer.tag(field, WireType.LengthDelimited).string(value);
}

/** A number of 64 bits in a text, as Amino writes it; left out when 0. */
export function writeNumber(writer: BinaryWriter, field: number, value: JsonValue | undefined, name: string): void {
  if (value === undefined || value === null) return;
  const number = typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : -1n;
  if (number < 0n || number > MAX_UINT64) throw new BadAmino(`${name} is not a uint64 in a string`);
  if (number > 0n) writer.tag(field, WireType.Varint).uint64(number);
}

export function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes ?? new Uint8Array());
}

export function objectOf(value: JsonValue | undefined, name: string): JsonObject {
  if (!isObject(value)) throw new BadAmino(`${name} is not an object`);
  return value;
}

/** Absent and null are empty lists. */
export function listOf(value: JsonValue | undefined, name: string): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new BadAmino(`${name} is not a list`);
  return value;
}

export function base64Of(value: JsonValue | undefined, name: string): Uint8Array {
  if (typeof value !== 'string') throw new BadAmino(`${name} is not base64`);
  try {
    return fromBase64(value);
  } catch {
    throw new BadAmino(`${name} is not base64`);
  }
}

export function coinOf(value: JsonValue): Coin {
  try {
    return fromJson(CoinSchema, value);
  } catch {
    throw new BadAmino('amount is not a list of coins');
  }
}
