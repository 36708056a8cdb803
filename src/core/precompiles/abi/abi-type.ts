import { plainError } from '../../sdk/module/sdk-error.js';
import { FIXED_LIMITS } from '../../limits/limits.js';
import { bigintOfBytes } from '../../bytes/big-endian.js';

/** Bytes of one word of the contract ABI. */
export const WORD = 32;
const WORD_SIZE = BigInt(WORD);
const INT64_END = 1n << 63n;

/**
 * A type of Solidity's contract ABI (https://docs.soliditylang.org/en/latest/abi-spec.html). Refusals have the texts of
 * go-ethereum v1.16 `accounts/abi/unpack.go`, as plain SdkError.
 */
export interface AbiType<Value> {
  /** Canonical name, as in signatures. */
  readonly name: string;
  /** A value of a dynamic type stands after the heads; its head is the offset. */
  readonly isDynamic: boolean;
  /** Words that a value has in the head. */
  readonly words: number;
  /** Reads the value whose head begins at the byte `at` of `input`. */
  decode(input: AbiInput, at: number): Value;
  /** The value without the offset of its place. */
  encode(value: Value): Uint8Array;
}

export type AbiValue<Type> = Type extends AbiType<infer Value> ? Value : never;
export type AbiValues<Types extends readonly AbiType<unknown>[]> = {
  -readonly [Index in keyof Types]: AbiValue<Types[Index]>;
};

/** Encoded arguments, or the part of them that offsets count from. All parts share one budget of decoded bytes. */
export class AbiInput {
  constructor(
    readonly bytes: Uint8Array,
    private readonly budget: { left: number } = { left: FIXED_LIMITS.abiBytes },
  ) {}

  /** The word at a byte. */
  word(at: number): Uint8Array {
    const { length } = this.bytes;
    if (at + WORD > length)
      throw plainError(`abi: cannot marshal in to go type: length insufficient ${length} require ${at + WORD}`);
    this.spend(WORD);
    return this.bytes.subarray(at, at + WORD);
  }

  /** The part from a byte on. */
  from(at: number): AbiInput {
    return new AbiInput(this.bytes.subarray(at), this.budget);
  }

  /** Beginning and length of what the offset at `at` points to. */
  counted(at: number): { readonly begin: number; readonly length: number } {
    const size = BigInt(this.bytes.length);
    const end = bigintOfBytes(this.word(at)) + WORD_SIZE;
    if (end > size)
      throw plainError(`abi: cannot marshal in to go slice: offset ${end} would go over slice boundary (len=${size})`);
    const begin = Number(end);
    const total = end + bigintOfBytes(this.bytes.subarray(begin - WORD, begin));
    if (total >= INT64_END) throw plainError(`abi: length larger than int64: ${total}`);
    if (total > size)
      throw plainError(`abi: cannot marshal in to go type: length insufficient ${size} require ${total}`);
    return { begin, length: Number(total) - begin };
  }

  /** Offsets may point to the same bytes again and again: what they make together is limited. */
  spend(bytes: number): void {
    this.budget.left -= bytes;
    if (this.budget.left < 0) throw plainError(`abi: more than ${FIXED_LIMITS.abiBytes} bytes of values`);
  }
}
