import {
  createMempool,
  type AdmissionMode,
  type Mempool,
  type ModeChanged,
  type Said,
} from '../../actors/mempool/mempool.js';
import type { Application, CheckState } from '../../core/application.js';
import { upperHex } from '../../core/bytes/hex.js';
import { txHash } from '../../core/comet/body-hash.js';
import { invariant, type DomainError } from '../../core/errors.js';
import type { Limits } from '../../core/limits.js';
import type { Checks, Verified } from '../../core/mempool/checks.js';
import type { WaitingTransactions } from '../../core/mempool/waiting-transactions.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Timers } from '../../core/ports/time.js';
import type { Height } from '../../core/primitives.js';
import type { StateReader } from '../../core/state/state.js';
import { LogBusyError, type EventLog } from '../../store/event-log.js';
import { createSignal } from '../../streams/index.js';
import type { Ledger } from '../chain/ledger.js';
import type { GasPrices } from '../ethereum/gas-prices.js';
import type { NodeStreams } from './wiring.js';

const STOPPING: DomainError = { code: 'halted', reason: 'the node is stopping' };

export interface MempoolOptions {
  readonly application: Application;
  readonly ledger: Pick<Ledger, 'state'>;
  readonly log: EventLog;
  readonly crypto: Crypto;
  readonly timers: Pick<Timers, 'yield'>;
  readonly limits: Limits;
  readonly streams: NodeStreams;
  readonly waiting: WaitingTransactions;
  readonly prices: Pick<GasPrices, 'nextBaseFee'>;
  /** The state after the head. */
  readonly latest: StateReader;
  readonly initialHeight: Height;
  /** A transaction waits for a block. */
  readonly sayAvailable: () => void;
}

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

export function composeMempool(options: MempoolOptions): ComposedMempool {
  const { application, ledger, log, crypto, limits, streams, waiting, latest, initialHeight } = options;
  const checkState = (): CheckState => {
    const { chainId, height, time } = ledger.state;
    return application.createCheckState(latest, { chainId, height, time });
  };
  // Until the first block a signature names account number 0; what passed then must be verified again.
  const isVerified = (verified: Verified): boolean =>
    verified === 'sender' || (verified === 'again' && ledger.state.height > initialHeight);
  const createChecks = (): Checks => {
    /** Made by the first check after a block. */
    let current: CheckState | undefined;
    const state = (): CheckState => (current ??= checkState());
    return {
      describe: (tx) => application.describe(tx),
      checkTx: (tx, verified) => application.checkTx(state(), tx, isVerified(verified)),
      checkQueued: (tx, sender, verified, replaced) =>
        application.checkQueued(state(), tx, sender, isVerified(verified), replaced),
      recheck: (sender, txs) => application.recheck(state(), sender, txs),
      nextNonce: (address) => application.nextNonce(state(), address),
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
    baseFee: options.prices.nextBaseFee,
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
    sayAvailable: options.sayAvailable,
    turn: () => options.timers.yield(),
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
