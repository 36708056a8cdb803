import type { DaemonOptions } from '../../config/daemon-options.js';
import type { DevAccount } from '../../core/keys/accounts.js';
import type { Clock, Timers } from '../../core/ports/time.js';
import type { RunningNode } from '../node.js';
import { isColourWanted } from '../../config/colours.js';
import type { Activity } from './activity.js';
import { isSeverityShown } from './sink.js';
import { writeStandardError } from './standard-error.js';

/**
 * Starts the activity log of a node, where its options let any line through. Its modules are loaded only then.
 * `accounts` answers the funded accounts of dev mode under a prefix.
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
