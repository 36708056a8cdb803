/**
 * Field values that Go's decoder rejects: a transaction with one does not decode. Times and durations must be Go's
 * (github.com/cosmos/gogoproto v1.7.2 `types/timestamp.go`, `types/duration.go`), numbers must be valid literals, and
 * an Ethereum transaction must be readable by geth (cosmos/evm v0.6 `x/vm/types/eth.go`).
 */
import { type DescField, fromBinary, getOption } from '@bufbuild/protobuf';
import { type Duration, DurationSchema, type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { isTimestamp } from '../../comet/time.js';
import { decodeRlp } from '../../ethereum/rlp.js';
import { decodeTransaction } from '../../ethereum/transaction-codec.js';
import { stdduration, stdtime } from '../../proto/gogoproto/gogo_pb.js';
import { customTypeOf } from './custom-type.js';
import { numberOf, requireNumber } from './message-numbers.js';
import { NS_PER_SECOND } from '../../primitives.js';

/** Thrown for an invalid field value, with Go's text. */
export class WrongContent extends Error {}

/** Largest seconds of protobuf's Duration, about ten thousand years. */
const MOST_SECONDS = 315_576_000_000n;
/** Smallest and largest nanoseconds of Go's `time.Duration`, which has 64 bits. */
const LEAST_NANOS = -(1n << 63n);
const MOST_NANOS = (1n << 63n) - 1n;

/**
 * Returns the check for a field's content, which throws WrongContent or WrongNumber; undefined when the field needs
 * none.
 */
export function contentCheckOf(field: DescField): ((content: Uint8Array) => void) | undefined {
  const number = numberOf(field);
  if (number !== undefined) return (content) => requireNumber(number, content);
  const type = field.message?.typeName;
  if (type === TimestampSchema.typeName)
    return getOption(field, stdtime) ? (content) => requireTime(fromBinary(TimestampSchema, content)) : undefined;
  if (type === DurationSchema.typeName)
    return getOption(field, stdduration)
      ? (content) => requireDuration(fromBinary(DurationSchema, content))
      : undefined;
  return customTypeOf(field) === 'EthereumTx' ? requireTransaction : undefined;
}

function requireTime(time: Timestamp): void {
  if (!isTimestamp(time)) throw new WrongContent(`timestamp: seconds:${time.seconds} nanos:${time.nanos} out of range`);
}

function requireDuration({ seconds, nanos }: Duration): void {
  const fail = (reason: string): never => {
    throw new WrongContent(`duration: seconds:${seconds} nanos:${nanos} ${reason}`);
  };
  if (seconds < -MOST_SECONDS || seconds > MOST_SECONDS) fail('seconds out of range');
  if (BigInt(Math.abs(nanos)) >= NS_PER_SECOND) fail('nanos out of range');
  if ((seconds < 0n && nanos > 0) || (seconds > 0n && nanos < 0)) fail('seconds and nanos have different signs');
  const whole = seconds * NS_PER_SECOND + BigInt(nanos);
  if (whole < LEAST_NANOS || whole > MOST_NANOS) fail('is out of range for time.Duration');
}

function requireTransaction(raw: Uint8Array): void {
  // The message itself reports an absent value.
  if (raw.length === 0) return;
  if (raw[0] === BLOB) return requireList(raw.subarray(1));
  const decoded = decodeTransaction(raw);
  if (!decoded.ok) throw new WrongContent(decoded.message);
}

const BLOB = 3;

/** Checks only the list form of a blob transaction's fields, because the transaction is rejected later anyway. */
function requireList(fields: Uint8Array): void {
  if (fields.length === 0) throw new WrongContent('typed transaction too short');
  const read = decodeRlp(fields);
  if (!read.ok) throw new WrongContent(read.message);
  if (read.item instanceof Uint8Array) throw new WrongContent('rlp: expected List');
}
