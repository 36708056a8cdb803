import type { DaemonOptions } from '../../config/daemon-options.js';
import { homePaths } from '../../runtime/home/home.js';
import { databaseExists } from '../../store/files/replacement.js';
import type { RunningNode } from '../node.js';
import { rpcErrorOf } from '../../adapters/eth-rpc/index.js';

/** A branch that cannot begin; the message says why. */
export class BranchRefused extends Error {
  override readonly name = 'BranchRefused';
}

/** Throws BranchRefused for a home without a chain. */
export function requireChain({ home }: Pick<DaemonOptions, 'home'>): void {
  if (!databaseExists(homePaths(home).database)) throw new BranchRefused(`--branch: there is no chain in ${home}`);
}

/**
 * Takes the copy of a chain back to the block of a height, without the transactions that waited: the branch begins as
 * `anvil --fork-block-number` does (foundry v1.7 `crates/anvil/src/config.rs`). Throws BranchRefused for a height that
 * the chain has not.
 */
export async function beginBranch({ ethereum }: Pick<RunningNode, 'ethereum'>, height: bigint): Promise<void> {
  const dev = ethereum?.api.dev;
  if (dev === undefined) throw new BranchRefused('--branch: the chain has no commands of dev mode');
  const mining = dev.mining();
  for (const step of [
    // No block is made in between of transactions that wait in the chain of the home.
    () => dev.setMining({ kind: 'manual' }),
    () => dev.rollbackTo(height),
    () => dev.dropAllTransactions(),
    () => dev.setMining(mining),
  ]) {
    const done = await step();
    if (!done.ok) throw new BranchRefused(`--branch: ${rpcErrorOf(done.error).message}`);
  }
}
