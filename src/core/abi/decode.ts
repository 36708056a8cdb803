/** Decodes values of Solidity's ABI (docs.soliditylang.org, "Contract ABI Specification"). */
import { bigintOfBytes } from '../bytes/big-endian.js';
import { text } from '../bytes/bytes.js';
import { FIXED_LIMITS } from '../limits/limits.js';
import { type AbiParameter, type AbiType, headBytes, isDynamic } from './type.js';

export type AbiValue =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'bool'; readonly value: boolean }
  /** Address, 20 bytes. */
  | { readonly kind: 'address'; readonly value: Uint8Array }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'list'; readonly items: readonly AbiValue[] }
  | { readonly kind: 'struct'; readonly members: readonly NamedValue[] };

export interface NamedValue {
  /** Empty for an unnamed parameter. */
  readonly name: string;
  readonly value: AbiValue;
}

/** Thrown for bytes that do not decode; caught in this file. */
class Malformed extends Error {}

/**
 * Decodes parameters that were encoded together, such as call arguments. Undefined for malformed bytes, and for more
 * values than `FIXED_LIMITS.abiValues`: many offsets may point to one place. For the same reason strings are cut to
 * `FIXED_LIMITS.abiTextBytes`.
 */
export function decodeParameters(
  parameters: readonly AbiParameter[],
  bytes: Uint8Array,
): readonly NamedValue[] | undefined {
  try {
    return new Decoder(bytes).struct(parameters, 0, 0);
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

class Decoder {
  readonly #bytes: Uint8Array;
  #values = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Decodes consecutive members from `base`, which offsets are relative to. */
  struct(members: readonly AbiParameter[], base: number, depth: number): readonly NamedValue[] {
    if (depth > FIXED_LIMITS.abiDepth) throw new Malformed('too deep');
    let at = base;
    return members.map(({ name, type }) => {
      const value = this.#member(type, at, base, depth);
      at += headBytes(type);
      return { name, value };
    });
  }

  /** Decodes a value at `at`, or at the offset stored there. */
  #member(type: AbiType, at: number, base: number, depth: number): AbiValue {
    return this.#value(type, isDynamic(type) ? base + this.#number(at) : at, depth);
  }

  #value(type: AbiType, at: number, depth: number): AbiValue {
    this.#values += 1;
    if (this.#values > FIXED_LIMITS.abiValues) throw new Malformed('too many values');
    switch (type.kind) {
      case 'uint':
        return { kind: 'number', value: BigInt.asUintN(type.bits, this.#word(at)) };
      case 'int':
        return { kind: 'number', value: BigInt.asIntN(type.bits, this.#word(at)) };
      case 'bool':
        return { kind: 'bool', value: this.#word(at) !== 0n };
      case 'address':
        return { kind: 'address', value: this.#slice(at, 32).subarray(12) };
      case 'function':
        return { kind: 'bytes', value: this.#slice(at, 32).subarray(0, 24) };
      case 'bytes':
        return {
          kind: 'bytes',
          value: type.size === undefined ? this.#counted(at) : this.#slice(at, 32).subarray(0, type.size),
        };
      case 'string':
        return { kind: 'string', value: text(this.#counted(at).subarray(0, FIXED_LIMITS.abiTextBytes)) };
      case 'tuple':
        return { kind: 'struct', members: this.struct(type.members, at, depth + 1) };
      case 'array': {
        const length = type.length ?? this.#number(at);
        if (length > FIXED_LIMITS.abiValues) throw new Malformed('too many values');
        const start = type.length === undefined ? at + 32 : at;
        const members = Array.from({ length }, () => ({ name: '', type: type.of, indexed: false }));
        return { kind: 'list', items: this.struct(members, start, depth + 1).map(({ value }) => value) };
      }
    }
  }

  #slice(at: number, length: number): Uint8Array {
    if (at + length > this.#bytes.length) throw new Malformed('too short');
    return this.#bytes.subarray(at, at + length);
  }

  #word(at: number): bigint {
    return bigintOfBytes(this.#slice(at, 32));
  }

  /** Reads an offset or length, which must lie within the bytes. */
  #number(at: number): number {
    const value = this.#word(at);
    if (value > BigInt(this.#bytes.length)) throw new Malformed('out of range');
    return Number(value);
  }

  #counted(at: number): Uint8Array {
    return this.#slice(at + 32, this.#number(at));
  }
}
