import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { NodeApi } from '../../core/node-api.js';
import type { Timers } from '../../core/ports/time.js';

type Checks = Pick<NodeApi['commands'], 'broadcastTx' | 'checkTx'>;

/**
 * Checks transactions in their order, and each long one (`turnTxBytes`) in a turn of the event loop of its own: a
 * batch, or calls of a gRPC connection, can bring many whose headers of other chains are verified before anything is
 * paid. The turn that brings one leaves it to the next: with a check in both, no socket would be served between them.
 * What waits is bounded by the requests that faces take.
 */
export function checksInTurns(checks: Checks, timers: Pick<Timers, 'yield'>): Checks {
  const waiting: { readonly isLong: boolean; readonly begin: () => void }[] = [];
  let isTurnAsked = false;
  const drain = (hasTurn: boolean): void => {
    let isFree = hasTurn;
    for (let [next] = waiting; next !== undefined && (isFree || !next.isLong); [next] = waiting) {
      waiting.shift();
      if (next.isLong) isFree = false;
      next.begin();
    }
    if (waiting.length === 0 || isTurnAsked) return;
    isTurnAsked = true;
    void timers.yield().then(() => {
      isTurnAsked = false;
      drain(true);
    });
  };
  const inTurn =
    <Answer>(check: (tx: Uint8Array) => Promise<Answer>) =>
    (tx: Uint8Array): Promise<Answer> =>
      new Promise((resolve, reject) => {
        waiting.push({
          isLong: tx.length >= FIXED_LIMITS.turnTxBytes,
          begin: () => void (async () => check(tx))().then(resolve, reject),
        });
        if (waiting.length === 1) drain(false);
      });
  return {
    broadcastTx: inTurn((tx) => checks.broadcastTx(tx)),
    checkTx: inTurn((tx) => checks.checkTx(tx)),
  };
}
