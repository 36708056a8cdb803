import { plainError } from '../../sdk/module/sdk-error.js';
import { FIXED_LIMITS } from '../../limits/limits.js';
import { bigintOfBytes } from '../../bytes/big-endian.js';

/** Length of an ABI word in bytes. */
export const WORD = 32;
const WORD_SIZE = BigInt(WORD);
const INT64_END = 1n << 63n;

/**
 * A type of Solidity's contract ABI (https://docs.soliditylang.org/en/latest/abi-spec.html). Decoding errors have the
 * texts of go-ethereum v1.16 `accounts/abi/unpack.go`, as plain SdkError.
 */
export interface AbiType<Value> {
  /** Canonical name, as in signatures. */
  readonly name: string;
  /** True when the value is encoded in the tail, and the head contains its offset. */
  readonly isDynamic: boolean;
  /** Number of words in the head. */
  readonly words: number;
  /** Decodes the value whose head starts at byte `at` of `input`. */
  decode(input: AbiInput, at: number): Value;
  /** Encodes the value itself, without the offset of a dynamic type. */
  encode(value: Value): Uint8Array;
}

export type AbiValue<Type> = Type extends AbiType<infer Value> ? Value : never;
export type AbiValues<Types extends readonly AbiType<unknown>[]> = {
  -readonly [Index in keyof Types]: AbiValue<Types[Index]>;
};

/** Encoded arguments, or the part that offsets are relative to. All parts share one budget of decoded bytes. */
export class AbiInput {
  constructor(
    readonly bytes: Uint8Array,
    private readonly budget: { left: number } = { left: FIXED_LIMITS.abiBytes },
  ) {}

  /** Reads the word at a byte offset. */
  word(at: number): Uint8Array {
    const { length } = this.bytes;
    if (at + WORD > length)
      throw plainError(`abi: cannot marshal in to go type: length insufficient ${length} require ${at + WORD}`);
    this.spend(WORD);
    return this.bytes.subarray(at, at + WORD);
  }

  /** Returns the part from a byte offset on. */
  from(at: number): AbiInput {
    return new AbiInput(this.bytes.subarray(at), this.budget);
  }

  /** Start and length of the data that the offset at `at` points to. */
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

  /** Consumes the budget: many offsets may point to the same bytes, so the total decoded size is limited. */
  spend(bytes: number): void {
    this.budget.left -= bytes;
    if (this.budget.left < 0) throw plainError(`abi: more than ${FIXED_LIMITS.abiBytes} bytes of values`);
  }
}
