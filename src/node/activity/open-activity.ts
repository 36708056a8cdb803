import type { DaemonOptions } from '../../config/daemon-options.js';
import type { DevAccount } from '../../core/keys/accounts.js';
import type { Clock, Timers } from '../../core/ports/time.js';
import type { RunningNode } from '../node.js';
import { isColourWanted } from '../../config/colours.js';
import type { Activity } from './activity.js';
import { isSeverityShown } from './sink.js';
import { write } from 'node:fs';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { WriteText } from './line-writer.js';

const STANDARD_ERROR = 2;

/**
 * Writes to standard error from a libuv thread. `process.stderr` writes synchronously on the main thread: a terminal
 * paused by Ctrl+S, or a pipe whose reader is busy, would block the node.
 */
const writeStandardError: WriteText = (text, done) => writeAll(Buffer.from(text), done);

function writeAll(bytes: Buffer, done: (error: Error | undefined) => void): void {
  write(STANDARD_ERROR, bytes, 0, bytes.length, null, (error, written) => {
    // The pipe is full, and another process made it non-blocking.
    if (error?.code === 'EAGAIN') setTimeout(() => writeAll(bytes, done), FIXED_LIMITS.standardErrorPauseMs).unref();
    else if (error !== null) done(error);
    else if (written < bytes.length) writeAll(bytes.subarray(written), done);
    else done(undefined);
  });
}

/**
 * Starts the activity log of a node, unless its options hide every line; its modules are loaded only if needed.
 * `accounts` returns the funded dev accounts with addresses under a bech32 prefix.
 */
export async function openActivity(
  options: DaemonOptions,
  node: RunningNode,
  host: {
    readonly clock: Clock;
    readonly timers: Timers;
    readonly accounts: (bech32Prefix: string) => readonly DevAccount[];
  },
): Promise<Activity | undefined> {
  if (!isSeverityShown(options, 'warn')) return undefined;
  const { startActivity } = await import('./activity.js');
  const isTerminal = process.stderr.isTTY;
  return startActivity(options, node, {
    clock: host.clock,
    timers: host.timers,
    write: writeStandardError,
    isTerminal,
    isColoured: isTerminal && isColourWanted(process.env),
    accounts: options.mode === 'dev' ? host.accounts(node.chain.chain.bech32Prefix) : [],
  });
}
