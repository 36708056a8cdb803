import type { Consensus, Lease } from '../../actors/consensus/index.js';
import { CHAIN_HALTED } from '../../core/errors.js';
import type { Outcome } from '../../core/node-api.js';

export type BlockProducer = Pick<Consensus, 'pause' | 'view'>;

/** The error of a command that needs blocks on a halted chain. */
export const NO_BLOCKS = { ok: false, error: CHAIN_HALTED } as const;

/** Runs `run` between two blocks: until it ends, no block begins except those that it makes with the lease. */
export async function betweenBlocks<Value>(
  consensus: Pick<Consensus, 'pause'>,
  run: (lease: Lease) => Outcome<Value> | Promise<Outcome<Value>>,
): Promise<Outcome<Value>> {
  const lease = await consensus.pause();
  if (!lease.ok) return lease;
  try {
    return await run(lease.value);
  } finally {
    lease.value.release();
  }
}

/** Makes one block in any mining mode, after the block in flight; resolves when it is published. */
export function mineBlock(consensus: BlockProducer): Promise<Outcome<undefined>> {
  return betweenBlocks(consensus, (lease) => (consensus.view.mode() === 'halted' ? NO_BLOCKS : lease.mine()));
}
