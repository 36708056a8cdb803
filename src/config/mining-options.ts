import type { Mining } from '../core/chain/mining.js';
import type { DaemonOptions } from './daemon-options.js';
import type { Values } from './option-sources.js';
import { millisecondsOf } from './values.js';

const HEARTBEAT_SECONDS = '2';

/** Mining options. As in anvil, a block time without a mode means interval mining. */
export function miningOf(values: Values, mode: DaemonOptions['mode'], deterministic: boolean): Mining {
  const blockTime = values.given('block-time');
  const milliseconds = millisecondsOf(blockTime?.value ?? HEARTBEAT_SECONDS);
  const kind = values.given('mining')?.value ?? (blockTime !== undefined || mode === 'start' ? 'interval' : 'instant');
  if (kind === 'manual') return { kind: 'manual' };
  const empty = emptyBlocksOf(values);
  if (kind === 'interval') return { kind: 'interval', intervalMs: milliseconds, ...(empty && { empty }) };
  const heartbeatMs = empty === undefined ? milliseconds : empty.afterMs;
  return { kind: 'instant', heartbeatMs: deterministic ? undefined : heartbeatMs };
}

/**
 * When empty blocks are made; undefined if they are made like blocks with transactions (CometBFT v0.38 `config.go`
 * WaitForTxs).
 */
function emptyBlocksOf(values: Values): { readonly afterMs: number | undefined } | undefined {
  const interval = values.find('consensus.create-empty-blocks-interval');
  if (interval !== undefined) return { afterMs: millisecondsOf(interval.value) };
  return values.flag('consensus.create-empty-blocks') ? undefined : { afterMs: undefined };
}
