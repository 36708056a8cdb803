import type { DaemonOptions } from '../../config/daemon-options.js';
import { homePaths } from '../../runtime/home/home.js';
import { databaseExists } from '../../store/files/replacement.js';
import type { RunningNode } from '../node.js';
import { rpcErrorOf } from '../../adapters/eth-rpc/index.js';
import { BranchRefused } from './branch-height.js';

/** Throws BranchRefused for a home without a chain. */
export function requireChain({ home }: Pick<DaemonOptions, 'home'>): void {
  if (!databaseExists(homePaths(home).database)) throw new BranchRefused(`--branch: there is no chain in ${home}`);
}

/**
 * Reverts the copied chain to a height and drops its pending transactions, as `anvil --fork-block-number` starts
 * (foundry v1.7 `crates/anvil/src/config.rs`). Throws BranchRefused for a height that the chain does not have.
 */
export async function beginBranch({ ethereum }: Pick<RunningNode, 'ethereum'>, height: bigint): Promise<void> {
  const dev = ethereum?.api.dev;
  if (dev === undefined) throw new BranchRefused('--branch: the chain has no commands of dev mode');
  const mining = dev.mining();
  for (const step of [
    // Manual mining: transactions pending in the home's chain must not get a block before the revert.
    () => dev.setMining({ kind: 'manual' }),
    () => dev.rollbackTo(height),
    () => dev.dropAllTransactions(),
    () => dev.setMining(mining),
  ]) {
    const done = await step();
    if (!done.ok) throw new BranchRefused(`--branch: ${rpcErrorOf(done.error).message}`);
  }
}
