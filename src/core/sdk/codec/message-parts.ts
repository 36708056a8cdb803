/**
 * Counts the parts of an encoded message without decoding it. Two bytes can encode a part, which is an object once
 * decoded and longer still as JSON, so a byte limit alone does not bound the work (`messageParts` of
 * `src/core/limits/transactions.ts`).
 */
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { MerkleProofSchema } from '../../proto/ibc/core/commitment/v1/commitment_pb.js';
import { MultiSignatureSchema } from '../../proto/cosmos/crypto/multisig/v1beta1/multisig_pb.js';
import { AuthInfoSchema, TxBodySchema, TxRawSchema } from '../../proto/cosmos/tx/v1beta1/tx_pb.js';
import { CHAIN_LIMITS, DEFAULT_LIMITS } from '../../limits/limits.js';
import { text } from '../../bytes/bytes.js';
import { KNOWN_TYPES } from './known-types.js';
import { typeNameOf } from './any.js';

const ANY = 'google.protobuf.Any';
const COMMIT_SIGNATURE = 'tendermint.types.CommitSig';
const LENGTH_DELIMITED = 2;

/** Length-delimited fields of a message by number: messages or packed numbers. Strings and bytes are left out. */
type Shape = ReadonlyMap<number, DescMessage | 'packed'>;

const shapes = new WeakMap<DescMessage, Shape>([
  // Bytes fields that contain encoded messages.
  [
    TxRawSchema,
    new Map<number, DescMessage>([
      [1, TxBodySchema],
      [2, AuthInfoSchema],
      [3, MultiSignatureSchema],
    ]),
  ],
]);

function shapeOf(desc: DescMessage): Shape {
  const known = shapes.get(desc);
  if (known !== undefined) return known;
  const shape = new Map(
    desc.fields.flatMap((field) => {
      const held = heldBy(field);
      return held === undefined ? [] : [[field.number, held] as const];
    }),
  );
  shapes.set(desc, shape);
  return shape;
}

function heldBy(field: DescField): DescMessage | 'packed' | undefined {
  if (field.fieldKind === 'message' || (field.fieldKind === 'list' && field.listKind === 'message'))
    return field.message;
  if (field.fieldKind === 'list' && field.packed) return 'packed';
  return isProof(field) ? MerkleProofSchema : undefined;
}

/** True for a bytes field with an IBC proof: each of its steps is a message. */
const isProof = ({ name, parent, scalar }: DescField): boolean =>
  scalar === ScalarType.BYTES && name.startsWith('proof_') && parent.typeName.startsWith('ibc.core.');

/**
 * Number of fields of an encoded message, including nested messages and those in an `Any` of a known type. May stop
 * counting above `maximum`. For malformed bytes, the number of fields read so far.
 */
export function countParts(desc: DescMessage, bytes: Uint8Array, maximum: number): number {
  return new PartCounter(bytes, maximum).count(desc, 0, bytes.length, 0);
}

/** True when a message has more than `maximum` parts. */
export function hasMoreParts(
  desc: DescMessage,
  bytes: Uint8Array,
  maximum: number = DEFAULT_LIMITS.messageParts,
): boolean {
  return countParts(desc, bytes, maximum) > maximum;
}

/** Limits on the content of a transaction. */
export type TxLimit = 'messageParts' | 'txMessages' | 'commitSignatures';

/**
 * First limit that an undecoded transaction exceeds; undefined when it exceeds none. The limits count fields
 * (including those of body, auth info and signatures, which are messages in bytes), messages, and commit signatures
 * in headers of other chains.
 */
export function exceededTxLimit(tx: Uint8Array): TxLimit | undefined {
  const counter = new PartCounter(tx, DEFAULT_LIMITS.messageParts, DEFAULT_LIMITS.txMessages);
  const parts = counter.count(TxRawSchema, 0, tx.length, 0);
  if (parts > DEFAULT_LIMITS.messageParts) return 'messageParts';
  if (counter.messages > DEFAULT_LIMITS.txMessages) return 'txMessages';
  return counter.commitSignatures > DEFAULT_LIMITS.commitSignatures ? 'commitSignatures' : undefined;
}

class PartCounter {
  readonly #bytes: Uint8Array;
  readonly #maximum: number;
  readonly #maximumMessages: number;
  #at = 0;
  #parts = 0;
  #messages = 0;
  #commitSignatures = 0;

  constructor(bytes: Uint8Array, maximum: number, maximumMessages = Infinity) {
    this.#bytes = bytes;
    this.#maximum = maximum;
    this.#maximumMessages = maximumMessages;
  }

  /** Number of messages in `Any` fields so far, of any type. */
  get messages(): number {
    return this.#messages;
  }

  /** Number of validator signatures in headers of other chains so far. */
  get commitSignatures(): number {
    return this.#commitSignatures;
  }

  /** Counts the fields from `start` to `end`; returns the total so far, and stops soon after the maximum. */
  count(desc: DescMessage, start: number, end: number, depth: number): number {
    const shape = shapeOf(desc);
    const isAny = desc.typeName === ANY;
    if (isAny) this.#messages += 1;
    else if (desc.typeName === COMMIT_SIGNATURE) this.#commitSignatures += 1;
    let typeUrl = '';
    let anyValue: readonly [from: number, to: number] | undefined;
    this.#at = start;
    while (this.#at < end && this.#parts <= this.#maximum && this.#messages <= this.#maximumMessages) {
      this.#parts += 1;
      const tag = this.#varint();
      const [number, wire] = [Math.floor(tag / 8), tag % 8];
      if (wire === 0) this.#varint();
      else if (wire === 1) this.#at += 8;
      else if (wire === 5) this.#at += 4;
      else if (wire === LENGTH_DELIMITED) {
        const length = this.#varint();
        const from = this.#at;
        const to = from + length;
        if (to > end) break;
        const held = shape.get(number);
        if (held === 'packed') this.#parts += length;
        else if (held !== undefined && depth < CHAIN_LIMITS.messageDepth) this.count(held, from, to, depth + 1);
        else if (isAny && number === 1) typeUrl = text(this.#bytes.subarray(from, to));
        else if (isAny && number === 2) anyValue = [from, to];
        this.#at = to;
      }
    }
    const type = anyValue && KNOWN_TYPES.getMessage(typeNameOf({ typeUrl }));
    if (anyValue !== undefined && type !== undefined && depth < CHAIN_LIMITS.messageDepth)
      this.count(type, ...anyValue, depth + 1);
    return this.#parts;
  }

  /** Reads a varint as a number, which is exact for all possible tags and lengths. */
  #varint(): number {
    let value = 0;
    let unit = 1;
    for (let length = 0; length < 10; length += 1) {
      const byte = this.#bytes[this.#at] ?? 0;
      this.#at += 1;
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) break;
      unit *= 128;
    }
    return value;
  }
}
