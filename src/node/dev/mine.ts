import type { ConsensusActor } from '../../actors/consensus/consensus-actor.js';
import type { Outcome } from '../../core/node-api.js';

export type BlockProducer = Pick<ConsensusActor, 'between' | 'mine' | 'mode' | 'mining' | 'setMining'>;

const NO_BLOCKS = { ok: false, error: { code: 'halted', reason: 'the node makes no blocks' } } as const;

/**
 * Makes one block in any mining mode, after the block in flight; resolves when it is published. `prepare` runs right
 * before the block begins and may refuse.
 */
export async function mineBlock(
  consensus: BlockProducer,
  prepare: () => Outcome<undefined> = () => DONE,
): Promise<Outcome<undefined>> {
  const begun = await consensus.between(() => {
    if (consensus.mode() !== 'waiting') return NO_BLOCKS;
    const prepared = prepare();
    if (!prepared.ok) return prepared;
    return consensus.mine() ? DONE : NO_BLOCKS;
  });
  if (!begun.ok) return begun;
  const mode = await consensus.between(() => consensus.mode());
  return mode === 'waiting' || mode === 'deciding' ? DONE : NO_BLOCKS;
}

export const DONE: { readonly ok: true; readonly value: undefined } = { ok: true, value: undefined };

/** The refusal of a command that cannot be executed. */
export function refused(message: string): {
  readonly ok: false;
  readonly error: { readonly code: 'invalid-params'; readonly message: string };
} {
  return { ok: false, error: { code: 'invalid-params', message } };
}
