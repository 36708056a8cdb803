import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { NodeApi } from '../../core/node-api.js';
import type { Timers } from '../../core/ports/time.js';

type Checks = Pick<NodeApi['commands'], 'broadcastTx' | 'checkTx'>;

/**
 * Checks transactions in their order, of the long ones (`turnTxBytes`) one in each turn of the event loop: a batch, or
 * calls of a gRPC connection, can bring many whose headers of other chains are verified before anything is paid. What
 * waits is bounded by the requests that faces take.
 */
export function checksInTurns(checks: Checks, timers: Pick<Timers, 'yield'>): Checks {
  const waiting: { readonly isLong: boolean; readonly begin: () => void }[] = [];
  let hasTurn = true;
  const drain = (): void => {
    for (let [next] = waiting; next !== undefined && (hasTurn || !next.isLong); [next] = waiting) {
      waiting.shift();
      if (next.isLong) takeTurn();
      next.begin();
    }
  };
  const takeTurn = (): void => {
    hasTurn = false;
    void timers.yield().then(() => {
      hasTurn = true;
      drain();
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
        if (waiting.length === 1) drain();
      });
  return {
    broadcastTx: inTurn((tx) => checks.broadcastTx(tx)),
    checkTx: inTurn((tx) => checks.checkTx(tx)),
  };
}
