import type { Application } from '../../core/application.js';
import type { StateReader } from '../../core/state/state.js';
import { ByteWriter } from '../../store/bytes.js';
import { packWrites } from '../../store/codec/state-writes.js';
import type { NextBlock, PoolTask } from './protocol.js';

/** Placeholder: no transaction can read its own block's hash, and this block is never decided. */
const NO_HASH = new Uint8Array(32);

/**
 * Returns a function that executes a block on a state and discards the effects. Transactions are added for the task's
 * duration, at most until `deadline` (a time of `elapsed`). The function may be called again after a range was fetched;
 * first it runs an empty block, so that the ranges needed by begin and end blockers are fetched before time is spent on
 * transactions.
 */
export function nextBlockOf(
  application: Pick<Application, 'prepareProposal' | 'finalizePrepared' | 'forgetState'>,
  { block, milliseconds }: Extract<PoolTask, { readonly kind: 'next-block' }>,
  elapsed: () => number,
  deadline: number,
): (state: StateReader) => NextBlock | undefined {
  const end = Math.min(elapsed() + milliseconds, deadline);
  const execute = (state: StateReader, txs: typeof block.txs): NextBlock | undefined => {
    application.forgetState();
    const prepared = application.prepareProposal(state, { ...block, txs }, () => elapsed() >= end);
    if (prepared.kind === 'halted') return undefined;
    const executed = application.finalizePrepared(block.height, NO_HASH);
    application.forgetState();
    if (executed?.kind !== 'executed') return undefined;
    const to = new ByteWriter();
    packWrites(executed.writes, to);
    return { taken: prepared.taken, results: executed.results.bytes, writes: to.finish() };
  };
  let isTried = false;
  return (state) => {
    if (!isTried && block.txs.length > 0) execute(state, []);
    isTried = true;
    return execute(state, block.txs);
  };
}
