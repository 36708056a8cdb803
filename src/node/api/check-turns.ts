import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { NodeApi } from '../../core/node-api.js';
import type { Timers } from '../../core/ports/time.js';

type Checks = Pick<NodeApi['commands'], 'broadcastTx' | 'checkTx'>;

/**
 * Checks transactions in their order, and each long one (`turnTxBytes`) in a turn of the event loop of its own: a
 * batch, or calls of a gRPC connection, can bring many whose headers of other chains are verified before anything is
 * paid. Turns without a check are before each (`turnsBeforeCheck`): in them, a request that came during the last check
 * is read, handled with its group, and answered. What waits is bounded by the requests that faces take.
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
    void turnsWithout().then(() => {
      isTurnAsked = false;
      drain(true);
    });
  };
  const turnsWithout = async (): Promise<void> => {
    for (let turn = 0; turn < FIXED_LIMITS.turnsBeforeCheck; turn += 1) await timers.yield();
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
