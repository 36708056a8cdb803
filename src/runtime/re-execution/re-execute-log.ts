import type { ChainState } from '../../core/chain/chain-state.js';
import type { Recorded } from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { ReExecution, type Disagreement } from './re-execute.js';

/** Result of the execution of a whole log. */
export interface ReExecutionReport {
  readonly blocks: number;
  readonly state: ChainState | undefined;
  readonly disagreements: readonly Disagreement[];
}

/**
 * The largest number of blocks between the highest block so far and the target of a Reverted event; 0 for a log without
 * reverts. Several reverts after each other are counted from the highest block, because the state of all the blocks
 * that they take back is needed at that block.
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
 * Executes a whole log again and stops at the first event that disagrees. Results of records before `prunedBefore` may
 * be pruned.
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
