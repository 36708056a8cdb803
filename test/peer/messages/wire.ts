/**
 * Messages as lists of wire fields, which can be encoded in every form that a decoder may meet (protobuf.dev,
 * "Encoding"), not only in that of an encoder.
 */
import type { Random } from '../random.js';

export type WireField =
  | { readonly no: number; readonly kind: 'varint'; readonly value: bigint }
  | { readonly no: number; readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly no: number; readonly kind: 'fixed64' | 'fixed32'; readonly value: bigint };

const TYPES = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** `padding`: redundant bytes in the varint. */
export function varint(value: bigint, padding = 0): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  do {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  } while (rest > 0n);
  for (let index = 0; index < padding; index += 1) bytes.push(0x80);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) & 0x7f;
  return Uint8Array.from(bytes);
}

export const text = (no: number, value: string): WireField => ({ no, kind: 'bytes', value: Buffer.from(value) });
export const bytes = (no: number, value: Uint8Array): WireField => ({ no, kind: 'bytes', value });
export const number = (no: number, value: bigint | number): WireField => ({ no, kind: 'varint', value: BigInt(value) });

function writeField(field: WireField, padding = 0): Uint8Array {
  const tag = varint(BigInt(field.no * 8 + TYPES[field.kind]));
  switch (field.kind) {
    case 'varint':
      return Buffer.concat([tag, varint(field.value, padding)]);
    case 'bytes':
      return Buffer.concat([tag, varint(BigInt(field.value.length), padding), field.value]);
    case 'fixed64':
    case 'fixed32': {
      const size = field.kind === 'fixed64' ? 8 : 4;
      const value = Buffer.alloc(size);
      for (let index = 0; index < size; index += 1) value[index] = Number((field.value >> BigInt(8 * index)) & 0xffn);
      return Buffer.concat([tag, value]);
    }
  }
}

/** The fields one after another. */
export function write(fields: readonly WireField[]): Uint8Array {
  return Buffer.concat(fields.map((field) => writeField(field)));
}

const FORMS = [
  'double',
  'drop',
  'swap',
  'later',
  'critical',
  'ignored',
  'other type',
  'padded',
  'cut',
  'group',
  'zero',
] as const;

/** The fields in a form that decoders may treat differently. */
export function writeOddly(random: Random, fields: readonly WireField[]): Uint8Array {
  const list = [...fields];
  const at = random.below(list.length);
  const chosen = list[at];
  if (chosen === undefined) return write([number(random.between(1, 9), 1)]);
  switch (random.pick(FORMS)) {
    case 'double':
      list.splice(at, 0, chosen);
      break;
    case 'drop':
      list.splice(at, 1);
      break;
    case 'swap':
      return write(random.shuffled(list));
    case 'later':
      list.push(...list.splice(at, 1));
      break;
    case 'critical':
      list.push(number(random.between(1, 60), random.below(3)));
      break;
    case 'ignored':
      list.push(bytes(random.between(1024, 2100), random.bytes(random.below(4))));
      break;
    case 'other type':
      list[at] = random.pick<WireField>([
        { no: chosen.no, kind: 'varint', value: 5n },
        { no: chosen.no, kind: 'bytes', value: random.bytes(random.below(3)) },
        { no: chosen.no, kind: 'fixed64', value: 1n },
        { no: chosen.no, kind: 'fixed32', value: 1n },
      ]);
      break;
    case 'padded':
      return Buffer.concat(list.map((field, index) => writeField(field, index === at ? random.between(1, 4) : 0)));
    case 'cut': {
      const whole = write(list);
      return whole.subarray(0, random.below(whole.length + 1));
    }
    case 'group':
      return Buffer.concat([write(list), varint(BigInt(random.between(1, 40) * 8 + random.pick([3, 4, 6, 7])))]);
    case 'zero':
      list.splice(at, 0, chosen.kind === 'bytes' ? bytes(chosen.no, new Uint8Array()) : number(chosen.no, 0));
      break;
  }
  return write(list);
}

/** Decodes the output of `write`; undefined if the bytes are not a message. */
export function read(encoded: Uint8Array): readonly WireField[] {
  const fields: WireField[] = [];
  let at = 0;
  const next = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n, at += 1) {
      const byte = encoded[at] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    at += 1;
    return value;
  };
  while (at < encoded.length) {
    const tag = Number(next());
    const no = tag >> 3;
    if (tag % 8 === TYPES.varint) fields.push({ no, kind: 'varint', value: next() });
    else {
      const length = tag % 8 === TYPES.bytes ? Number(next()) : tag % 8 === TYPES.fixed64 ? 8 : 4;
      fields.push({ no, kind: 'bytes', value: encoded.slice(at, at + length) });
      at += length;
    }
  }
  return fields;
}
