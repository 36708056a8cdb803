/** Epochs by identifier (cosmos-sdk v0.53 `x/epochs/types`, evmos v3.0.0 `x/epochs/types`). */
import { create } from '@bufbuild/protobuf';
import { concat, utf8 } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import { fromDuration, fromTimestamp, GO_ZERO_TIME, toDuration, toTimestamp } from '../../comet/time.js';
import { toTimeNs, type TimeNs } from '../../primitives.js';
import { EpochInfoSchema, type EpochInfo as EpochInfoMessage } from '../../proto/evmos/epochs/v1/genesis_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { Records } from '../../state/records.js';
import { convertedCodec } from '../../state/params-record.js';

export const STORE = 'epochs';
export const EPOCH_PREFIX = Uint8Array.of(1);

/** A recurring time span. */
export interface Epoch {
  readonly identifier: string;
  /** Start time of the first epoch. */
  readonly startTime: TimeNs;
  /** Duration in nanoseconds. */
  readonly duration: bigint;
  /** Number of the current epoch; 0 before the first one. */
  readonly current: bigint;
  readonly currentStartTime: TimeNs;
  readonly hasStarted: boolean;
  /** Height of the block in which the current epoch began. */
  readonly currentStartHeight: bigint;
}

const records = new Records(STORE, convertedCodec(EpochInfoSchema, epochMessage, epochOfMessage));

const keyOf = (identifier: string): Uint8Array => concat(EPOCH_PREFIX, utf8(identifier));

/** Epoch by identifier; undefined for an unknown one. */
export function getEpoch(context: Pick<Context, 'store'>, identifier: string): Epoch | undefined {
  return records.get(context, keyOf(identifier));
}

/** Stores an epoch. */
export function setEpoch(context: Context, epoch: Epoch): void {
  records.set(context, keyOf(epoch.identifier), epoch);
}

/** All epochs in order of identifiers. */
export function allEpochs(context: Context): readonly Epoch[] {
  return Array.from(context.store.range(STORE, prefixRange(EPOCH_PREFIX)), ({ key, value }) =>
    records.decode(context, key, value),
  );
}

/** Default epochs, day and week, which begin with the chain. */
export function defaultEpochs(): readonly Epoch[] {
  return [fresh('week', 7n * DAY), fresh('day', DAY)];
}

const DAY = 86_400_000_000_000n;

function fresh(identifier: string, duration: bigint): Epoch {
  return {
    identifier,
    startTime: GO_ZERO_TIME,
    duration,
    current: 0n,
    currentStartTime: GO_ZERO_TIME,
    hasStarted: false,
    currentStartHeight: 0n,
  };
}

/** Converts to evmos' message. */
export function epochMessage(epoch: Epoch): EpochInfoMessage {
  return create(EpochInfoSchema, {
    identifier: epoch.identifier,
    startTime: toTimestamp(epoch.startTime),
    duration: toDuration(epoch.duration),
    currentEpoch: epoch.current,
    currentEpochStartTime: toTimestamp(epoch.currentStartTime),
    epochCountingStarted: epoch.hasStarted,
    currentEpochStartHeight: epoch.currentStartHeight,
  });
}

/** Inverse of `epochMessage`; an absent time is Go's zero time. */
export function epochOfMessage(message: EpochInfoMessage): Epoch {
  return {
    identifier: message.identifier,
    startTime: fromTimestamp(message.startTime),
    duration: fromDuration(message.duration),
    current: message.currentEpoch,
    currentStartTime: fromTimestamp(message.currentEpochStartTime),
    hasStarted: message.epochCountingStarted,
    currentStartHeight: message.currentEpochStartHeight,
  };
}

/** Error for an invalid epoch in a genesis; undefined for a valid one. */
export function epochProblem({ identifier, duration, current, currentStartHeight }: Epoch): string | undefined {
  if (identifier.trim() === '') return 'epoch identifier should NOT be empty';
  if (duration <= 0n) return `epoch duration should be positive, got ${duration}`;
  if (current < 0n) return `current epoch cannot be negative: ${current}`;
  return currentStartHeight < 0n ? `current epoch start height cannot be negative: ${currentStartHeight}` : undefined;
}

/** Epoch as of a block's time and height: the next (or first) one, or the same object while it lasts. */
export function epochAt(epoch: Epoch, time: TimeNs, height: bigint): Epoch {
  if (epoch.startTime > time) return epoch;
  if (!epoch.hasStarted)
    return {
      ...epoch,
      hasStarted: true,
      current: 1n,
      currentStartTime: epoch.startTime,
      currentStartHeight: height,
    };
  const end = toTimeNs(epoch.currentStartTime + epoch.duration);
  if (time <= end) return epoch;
  return { ...epoch, current: epoch.current + 1n, currentStartTime: end, currentStartHeight: height };
}
