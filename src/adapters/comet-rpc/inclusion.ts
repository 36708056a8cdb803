/** Waits until a transaction is in a published block (`broadcast_tx_commit`). */
import type { StoredTx } from '../../core/node-api.js';
import type { MethodContext } from './method.js';

export interface Inclusion {
  /** Resolves with the stored transaction, or with undefined after the time limit. */
  readonly included: Promise<StoredTx | undefined>;
  /** Stops waiting; must be called once. */
  stop(): void;
}

/** Number of waiting calls per context; CometBFT counts each as a subscription. */
const waiters = new WeakMap<MethodContext, number>();

/**
 * Starts waiting for a transaction. Call it before the broadcast, so that no block is missed. Undefined if too many
 * calls are waiting.
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
