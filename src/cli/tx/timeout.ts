import { create } from '@bufbuild/protobuf';
import { type Timestamp, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { parseTime, toTimestamp } from '../../core/comet/time.js';
import { toTimeNs } from '../../core/primitives.js';
import type { CommandContext } from '../context.js';
import { durationOf } from '../values/duration.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { asObject, textOf } from '../client/rpc-client.js';

/** Timeout of a transaction. An unordered transaction ignores sequences. */
export interface Timeout {
  readonly unordered: boolean;
  readonly timeoutTimestamp?: Timestamp;
}

/** Reads `--unordered` and `--timeout-duration`, which counts from the node's last block time. */
export async function timeoutOf(context: CommandContext, flags: Flags): Promise<Timeout> {
  const unordered = flags.is('unordered');
  const duration = flags.text('timeout-duration');
  if (duration === undefined) {
    if (unordered) throw new CommandError(EXIT.usage, '--unordered needs --timeout-duration');
    return { unordered };
  }
  const nanos = durationOf(duration, '--timeout-duration');
  const time = await nodeTime(context, '--timeout-duration');
  return { unordered, timeoutTimestamp: create(TimestampSchema, toTimestamp(toTimeNs(time + nanos))) };
}

/** The node's last block time in nanoseconds; `flag` is named in the error of offline mode. */
export async function nodeTime({ rpc }: CommandContext, flag: string): Promise<bigint> {
  if (rpc.offline) throw new CommandError(EXIT.usage, `--offline: ${flag} asks a node for its time`);
  const last = textOf(asObject((await rpc.call('status'))['sync_info']), 'latest_block_time');
  const time = parseTime(last);
  if (time === undefined) throw new CommandError(EXIT.failed, `the node has no time: ${last}`);
  return time;
}
