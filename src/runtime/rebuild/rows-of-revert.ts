import { decisionOf } from '../../core/chain/decision.js';
import { EncodedResults } from '../../core/comet/encoded-results.js';
import { invariant } from '../../core/errors.js';
import type { StoreOperation } from '../../core/ports/key-value-store.js';
import { type Height, toHeight } from '../../core/primitives.js';
import type { LoggedBlocks } from '../../store/log/logged-blocks.js';
import { revertRows, type RevertRowsOptions } from '../chain/revert-rows.js';

/** A logged revert was within the limits of its node. */
const NO_LIMITS = { devRevertBlocks: Number.MAX_SAFE_INTEGER, devRevertRows: Number.MAX_SAFE_INTEGER };

/** Rows of a logged revert from height `head` to `to`, generated lazily. */
export async function rowsOfRevert({
  store,
  history,
  crypto,
  blocks,
  head,
  to,
}: Pick<RevertRowsOptions, 'store' | 'history' | 'crypto'> & {
  readonly blocks: Pick<LoggedBlocks, 'blockAt'>;
  readonly head: Height;
  readonly to: Height;
}): Promise<Iterable<StoreOperation>> {
  const made = await revertRows({
    store,
    history,
    crypto,
    head,
    to,
    lowest: toHeight(0n),
    block(height) {
      const decided = blocks.blockAt(height)?.decided.event;
      return decided && decisionOf(crypto, decided);
    },
    results(height) {
      const executed = blocks.blockAt(height)?.executed?.event.data;
      return executed && new EncodedResults(executed.results);
    },
    limits: NO_LIMITS,
    pause: () => Promise.resolve(),
  });
  invariant(made.ok, 'a logged revert can be repeated');
  return made.value;
}
