/**
 * The rules of Go's decoder for the content of single fields: a transaction in which one fails is not decoded. Times
 * and durations are those of Go (github.com/cosmos/gogoproto v1.7.2 `types/timestamp.go`, `types/duration.go`), numbers
 * are literals, and an Ethereum transaction is one that geth reads (cosmos/evm v0.6 `x/vm/types/eth.go`).
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

/** Content that is not of its field; the message is in Go's words. */
export class WrongContent extends Error {}

/** About ten thousand years, the range of the type in protobuf. */
const MOST_SECONDS = 315_576_000_000n;
/** Nanoseconds of Go's `time.Duration`, which has 64 bits. */
const LEAST_NANOS = -(1n << 63n);
const MOST_NANOS = (1n << 63n) - 1n;

/** The check of a field's content; undefined for fields whose content needs none. Throws WrongContent, WrongNumber. */
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
  // an absent one is the message's own fault
  if (raw.length === 0) return;
  if (raw[0] === BLOB) return requireList(raw.subarray(1));
  const decoded = decodeTransaction(raw);
  if (!decoded.ok) throw new WrongContent(decoded.message);
}

const BLOB = 3;

/** The fields of a blob transaction, which is refused later whatever they are. */
function requireList(fields: Uint8Array): void {
  if (fields.length === 0) throw new WrongContent('typed transaction too short');
  const read = decodeRlp(fields);
  if (!read.ok) throw new WrongContent(read.message);
  if (read.item instanceof Uint8Array) throw new WrongContent('rlp: expected List');
}
