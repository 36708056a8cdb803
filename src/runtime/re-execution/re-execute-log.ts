import type { ChainState } from '../../core/chain/chain-state.js';
import type { Recorded } from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { ReExecution, type Disagreement } from './re-execute.js';

/** Result of re-executing a log. */
export interface ReExecutionReport {
  readonly blocks: number;
  readonly state: ChainState | undefined;
  readonly disagreements: readonly Disagreement[];
}

/**
 * The deepest revert of a log, in blocks from the highest block so far to the target; 0 without reverts. Consecutive
 * reverts are counted from the highest block, because all these states must still be available there.
 */
export async function deepestRevert(records: AsyncIterable<readonly Recorded[]>): Promise<number> {
  let highest = 0n;
  let deepest = 0n;
  for await (const events of records) {
    for (const { event } of events) {
      if (event.type === 'Reverted' && highest - event.data.toHeight > deepest) deepest = highest - event.data.toHeight;
      if (event.type === 'BlockDecided' && event.data.height > highest) highest = event.data.height;
    }
  }
  return Number(deepest);
}

/**
 * Re-executes a log and stops at the first event that disagrees. Results of records before `prunedBefore` may be
 * pruned.
 */
export async function reExecute(
  records: AsyncIterable<readonly Recorded[]>,
  crypto: Crypto,
  revertible = 0,
  prunedBefore = 0n,
): Promise<ReExecutionReport> {
  const execution = new ReExecution(crypto, revertible, prunedBefore);
  let blocks = 0;
  for await (const events of records) {
    for (const recorded of events) {
      const { disagreements, executed } = await execution.apply(recorded);
      if (disagreements.length > 0) return { blocks, state: execution.state, disagreements };
      if (executed !== undefined) blocks += 1;
    }
  }
  return { blocks, state: execution.state, disagreements: [] };
}
