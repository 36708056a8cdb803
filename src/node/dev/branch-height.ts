/** Heights to which a chain can be reverted. */
import { genesisHeight } from '../../core/genesis/genesis-height.js';
import { firstEvent } from '../../runtime/chain/open-chain.js';
import type { EventLog } from '../../store/log/event-log.js';

/** A branch cannot be started; the message says why. */
export class BranchRefused extends Error {
  override readonly name = 'BranchRefused';
}

/**
 * Says why a chain with its head at `height` cannot be reverted by `depth` blocks; undefined if it can. `lowest` is the
 * height before the first block; a negative depth leads above the head.
 */
export function depthProblem(depth: bigint, height: bigint, lowest: bigint): string | undefined {
  if (depth < 0n) return `block #${height - depth} not found`;
  if (depth <= height - lowest) return undefined;
  // anvil 1.7 has the height as the bound (`crates/anvil/src/eth/api.rs`), which a later first block makes lower.
  const bound = lowest === 0n ? 'current chain height' : `the ${height - lowest} blocks from the first one on`;
  return `Rollback depth must not exceed ${bound}: current height ${height}, depth ${depth}`;
}

/**
 * Throws BranchRefused for a height that the chain in the log does not have. Reads only the first record, so that a
 * wrong height is refused before the log is replayed. A block that is decided and not executed yet counts: the start
 * executes it.
 */
export async function requireHeight(log: Pick<EventLog, 'head' | 'read'>, height: bigint): Promise<void> {
  const { position, decided } = log.head();
  // The start refuses an empty log.
  if (position === 0n) return;
  const lowest = genesisHeight((await firstEvent(log)).initialHeight);
  const head = decided > lowest ? decided : lowest;
  const problem = depthProblem(head - height, head, lowest);
  if (problem !== undefined) throw new BranchRefused(`--branch: ${problem}`);
}
