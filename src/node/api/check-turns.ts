import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { NodeApi } from '../../core/node-api.js';
import type { Timers } from '../../core/ports/time.js';

type Checks = Pick<NodeApi['commands'], 'broadcastTx' | 'checkTx'>;

/**
 * Checks transactions in order, and each large one (`turnTxBytes`) in its own turn of the event loop. A batch, or the
 * calls of a gRPC connection, may contain many IBC transactions whose headers are verified before any fee is paid.
 * `turnsBeforeCheck` idle turns precede each check, so that requests which arrived during the last check are read and
 * answered. The queue is bounded by the request limits of the faces.
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
