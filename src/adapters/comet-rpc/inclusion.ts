/** Waits until a transaction is in a published block (`broadcast_tx_commit`). */
import type { StoredTx } from '../../core/node-api.js';
import type { MethodContext } from './method.js';

export interface Inclusion {
  /** The stored transaction, or undefined when the time is over. */
  readonly included: Promise<StoredTx | undefined>;
  /** Must be called once, when the answer is no longer needed. */
  stop(): void;
}

/** Number of waiters per context; CometBFT counts each as one subscription. */
const waiters = new WeakMap<MethodContext, number>();

/**
 * Starts waiting; called before the broadcast, so that no block is missed. Undefined when too many calls wait already.
 */
export function awaitInclusion(context: MethodContext, hash: Uint8Array): Inclusion | undefined {
  const count = waiters.get(context) ?? 0;
  if (count >= context.limits.cometWsClients) return undefined;
  waiters.set(context, count + 1);
  const { api, timers, limits } = context;
  let settle: (tx: StoredTx | undefined) => void = () => undefined;
  const included = new Promise<StoredTx | undefined>((resolve) => {
    settle = resolve;
  });
  const unsubscribe = api.feeds.onCommit(() => {
    const found = api.queries.chain.tx(hash);
    if (found !== undefined) settle(found);
  });
  const cancelTimer = timers.after(limits.broadcastCommitMs, () => settle(undefined));
  return {
    included,
    stop() {
      waiters.set(context, (waiters.get(context) ?? 1) - 1);
      unsubscribe();
      cancelTimer();
      settle(undefined);
    },
  };
}
