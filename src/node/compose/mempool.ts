import {
  createMempool,
  type AdmissionMode,
  type Mempool,
  type ModeChanged,
  type Said,
} from '../../actors/mempool/mempool.js';
import type { CheckState } from '../../core/application.js';
import { upperHex } from '../../core/bytes/hex.js';
import { txHash } from '../../core/comet/body-hash.js';
import { invariant, type DomainError } from '../../core/errors.js';
import type { Checks } from '../../core/mempool/checks.js';
import { LogBusyError } from '../../store/event-log.js';
import { createSignal } from '../../streams/index.js';
import type { Foundation } from './foundation.js';

const STOPPING: DomainError = { code: 'halted', reason: 'the node is stopping' };

/** The mempool over the log and the state after the head, and what stops admission. */
export interface ComposedMempool {
  readonly mempool: Mempool;
  /** A new check state over the state after the head. */
  readonly checkState: () => CheckState;
  /** Refuses transactions with `reason` until `resume`. */
  pause(reason: string): void;
  resume(): void;
  /** Refuses transactions from now on: the node stops. */
  drain(): void;
  /** The node stops: what waits for an answer gets one. */
  end(): void;
}

export function composeMempool({ host, limits, home, views, signals }: Foundation): ComposedMempool {
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
    /** Made by the first check after a block. */
    let current: CheckState | undefined;
    const state = (): CheckState => (current ??= checkState());
    return {
      describe: (tx) => application.describe(tx),
      checkTx: (tx, verified) => application.checkTx(state(), tx, verified !== undefined),
      checkQueued: (tx, sender, verified, replaced) =>
        application.checkQueued(state(), tx, sender, verified !== undefined, replaced),
      recheck: (sender, txs) => application.recheck(state(), sender, txs),
      nextNonce: (address) => application.nextNonce(state(), address),
      // Until the first block a signature names account number 0.
      signaturesLast: () => ledger.state.height >= initialHeight,
      reset() {
        current = undefined;
      },
    };
  };

  const modes = createSignal<ModeChanged>();
  let mode: AdmissionMode = { kind: 'open' };
  const setMode = (next: AdmissionMode): void => {
    mode = next;
    modes.say({ type: 'modeChanged' });
  };
  let draining = false;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const mempool = createMempool({
    limits,
    hashOf: (tx) => upperHex(txHash(crypto, tx)),
    createChecks,
    baseFee: prices.nextBaseFee,
    waiting,
    verifiedAfter: () => log.recordOf(initialHeight)?.executed?.position,
    hearing: streams.hearing('mempool'),
    mode: () => mode,
    modes: modes.heard,
    async append(events): Promise<Said> {
      try {
        const recorded = await log.append(events.map((event) => ({ event })));
        const last = recorded.at(-1);
        invariant(last !== undefined, 'events were appended');
        await Promise.race([streams.reached(last.position), ended]);
        return 'written';
      } catch (error) {
        if (error instanceof LogBusyError) return 'refused';
        throw error;
      }
    },
    sayAvailable: () => signals.available.say({ type: 'available' }),
    turn: () => timers.yield(),
  });
  return {
    mempool,
    checkState,
    pause(reason) {
      if (!draining) setMode({ kind: 'paused', error: { code: 'halted', reason } });
    },
    resume() {
      if (!draining) setMode({ kind: 'open' });
    },
    drain() {
      draining = true;
      setMode({ kind: 'paused', error: STOPPING });
    },
    end() {
      mempool.end(STOPPING);
      end();
    },
  };
}
