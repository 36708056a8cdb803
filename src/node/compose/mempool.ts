import { createMempool, type AdmissionMode, type Mempool, type AppendResult } from '../../actors/mempool/mempool.js';
import type { SupervisorMode } from '../../actors/supervisor/supervisor.js';
import type { CheckState } from '../../core/application.js';
import { upperHex } from '../../core/bytes/hex.js';
import { txHash } from '../../core/comet/body-hash.js';
import { CHAIN_HALTED, DISK_FULL, invariant, NODE_STOPPING } from '../../core/errors.js';
import type { Checks } from '../../core/mempool/checks.js';
import type { Position } from '../../core/primitives.js';
import { LogBusyError } from '../../store/errors.js';
import type { Foundation } from './foundation.js';

/** The mempool over the log and the state after the head. */
export interface ComposedMempool {
  readonly mempool: Mempool;
  /** Creates a check state over the state after the head. */
  readonly checkState: () => CheckState;
  /** The node stops: pending requests are answered. */
  end(): void;
}

/** Composes the mempool: its actor, admission, checks after blocks, recovery of senders. */
export function composeMempool({ host, limits, supervision, home, views, signals }: Foundation): ComposedMempool {
  const { crypto, timers } = host;
  const { log } = home;
  const { chain, streams, ledger, waiting, latest, prices } = views;
  const { application, started } = chain;
  const { initialHeight } = started;
  const checkState = (): CheckState => {
    const { chainId, height, time } = ledger.state;
    return application.createCheckState(latest, { chainId, height, time });
  };
  const createChecks = (): Checks => {
    /** The current check state; the first check after a block creates it. */
    let current: CheckState | undefined;
    const state = (): CheckState => (current ??= checkState());
    return {
      describe: (tx) => application.describe(tx),
      checkTx: (tx, verified) => application.checkTx(state(), tx, verified !== undefined),
      checkQueued: (tx, sender, verified, replaced) =>
        application.checkQueued(state(), tx, sender, verified !== undefined, replaced),
      recheck: (sender, txs) => application.recheck(state(), sender, txs),
      nextNonce: (address) => application.nextNonce(state(), address),
      reset() {
        current = undefined;
      },
    };
  };

  let hasEnded = false;
  /** Resolvers of pending `shown` calls. */
  const waitingForShown = new Set<() => void>();
  /** Resolves when everything up to `position` is published, or when the node stops. */
  const shown = (position: Position): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        waitingForShown.delete(done);
        resolve();
      };
      waitingForShown.add(done);
      void streams.reached(position).then(done);
    });
  const mempool = createMempool({
    limits,
    hashOf: (tx) => upperHex(txHash(crypto, tx)),
    createChecks,
    baseFee: prices.nextBaseFee,
    waiting,
    verifiedAfter: () => log.recordOf(initialHeight)?.executed?.position,
    stream: streams.of('mempool'),
    mode: () => admissionIn(supervision.supervisor.mode(), supervision.haltReason()),
    modes: signals.modes.heard,
    async append(events): Promise<AppendResult> {
      try {
        const recorded = await log.append(events.map((event) => ({ event })));
        const last = recorded.at(-1);
        invariant(last !== undefined, 'events were appended');
        // Usually the record was published before the log resolved.
        if (streams.shown() < last.position && !hasEnded) await shown(last.position);
        return 'written';
      } catch (error) {
        if (error instanceof LogBusyError) return 'refused';
        throw error;
      }
    },
    signalAvailable: () => signals.available.say({ type: 'available' }),
    turn: () => timers.yield(),
  });
  return {
    mempool,
    checkState,
    end() {
      mempool.end(NODE_STOPPING);
      hasEnded = true;
      for (const done of waitingForShown) done();
    },
  };
}

/** Whether transactions are admitted in this mode of the node. During a revert they wait, as in anvil. */
function admissionIn(mode: SupervisorMode, haltReason: string | undefined): AdmissionMode {
  switch (mode) {
    case 'booting':
    case 'replaying':
    case 'running':
      return { kind: 'open' };
    case 'halted':
      return {
        kind: 'paused',
        error:
          haltReason === undefined ? CHAIN_HALTED : { code: 'halted', reason: `${haltReason} (no blocks are made)` },
      };
    case 'reverting':
      return { kind: 'waiting' };
    case 'diskFull':
      return { kind: 'paused', error: DISK_FULL };
    case 'draining':
    case 'stopped':
      return { kind: 'paused', error: NODE_STOPPING };
  }
}
