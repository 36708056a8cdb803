/**
 * The mempool under a real supervisor, over a log that writes only when the test says so, and an application with
 * nonces and prices only.
 */
import { Subject } from 'rxjs';
import { createMempool, type AdmissionMode, type Mempool } from '../../../src/actors/mempool/mempool.js';
import type { ModeChanged, PoolRecord, AppendResult } from '../../../src/actors/mempool/ports.js';
import { createSupervisor, type Supervisor } from '../../../src/actors/supervisor/supervisor.js';
import type { Outcome } from '../../../src/core/errors.js';
import type { PoolEvent } from '../../../src/core/log-events.js';
import { PendingTransactions } from '../../../src/core/mempool/pending-transactions.js';
import { toHeight, toPosition, type Position } from '../../../src/core/primitives.js';
import type { ResponseCheckTx } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import { hashOf, LIMITS, NonceChain } from '../../core/mempool/nonce-chain.js';
import { VirtualTime } from '../../support/simulated-time.js';

interface Append {
  readonly events: readonly PoolEvent[];
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
}

export class StorageFailure extends Error {}
const ALL = { bytes: 1_000_000, gas: -1n };

export class PoolNode {
  readonly chain = new NonceChain();
  readonly time = new VirtualTime();
  readonly waiting = new PendingTransactions(hashOf);
  readonly supervisor: Supervisor<'mempool'>;
  readonly mempool: Mempool;
  readonly failures: unknown[] = [];
  /** Every event of the log, in order. */
  readonly log: PoolEvent[] = [];
  /** Calls of `append` that are not answered yet. */
  readonly appends: Append[] = [];
  available = 0;
  /** While true, the log refuses appends as busy. */
  busy = false;
  /** The check of this transaction throws once, like a defect of the application. */
  defect: Uint8Array | undefined;
  readonly #records = new Subject<PoolRecord>();
  readonly #modes = new Subject<ModeChanged>();
  #mode: AdmissionMode = { kind: 'open' };
  #position = 0n;

  constructor(options: { readonly step?: number; readonly mempoolTxs?: number } = {}) {
    this.mempool = createMempool({
      limits: {
        ...LIMITS,
        mempoolTxs: options.mempoolTxs ?? LIMITS.mempoolTxs,
        actorInbox: 1_000,
        mempoolRecheckStep: options.step ?? 1_000,
      },
      hashOf,
      createChecks: () => {
        const checks = this.chain.createChecks();
        return {
          ...checks,
          describe: (tx) => {
            if (this.defect === tx) {
              this.defect = undefined;
              throw new Error('a defect');
            }
            return checks.describe(tx);
          },
        };
      },
      baseFee: () => 0n,
      waiting: this.waiting,
      verifiedAfter: () => toPosition(0n),
      stream: { live: this.#records },
      mode: () => this.#mode,
      modes: this.#modes,
      append: (events) => {
        if (this.busy) return Promise.resolve('refused');
        return new Promise((resolve, reject) => this.appends.push({ events, resolve, reject }));
      },
      signalAvailable: () => {
        this.available += 1;
      },
      turn: () => this.time.yield(),
    });
    this.supervisor = createSupervisor<'mempool'>({
      clock: this.time,
      timers: this.time,
      limits: { actorRestarts: 1_000, actorRestartWindowMs: 60_000 },
      isFatal: (error) => error instanceof StorageFailure,
      onRestart: () => undefined,
      onFailedAtStop: () => undefined,
      onFailed: (_id, error) => void this.failures.push(error),
      onMode: () => undefined,
    });
  }

  start(): Promise<void> {
    return this.supervisor.start(this.mempool.child);
  }

  send(tx: Uint8Array): Promise<Outcome<ResponseCheckTx>> {
    return this.mempool.broadcast(tx);
  }

  setMode(mode: AdmissionMode): void {
    this.#mode = mode;
    this.#modes.next({ type: 'modeChanged' });
  }

  /** Resolves when all appends are in the log and published, and answers are settled. */
  async write(): Promise<void> {
    while (this.appends.length > 0) {
      const said = this.appends.splice(0);
      for (const { events } of said) for (const event of events) this.#show(event);
      for (const { resolve } of said) resolve('written');
      await this.time.settle();
    }
  }

  /** Makes a block of what the mempool reaps; earlier appends come before it in the log. Returns its transactions. */
  async block(gas = -1n): Promise<readonly Uint8Array[]> {
    const txs = this.mempool.view.reap({ ...ALL, gas }).map(({ tx }) => tx);
    await this.write();
    this.chain.commit(txs);
    this.waiting.executed(txs);
    this.#records.next({
      type: 'executed',
      position: this.#next(),
      execution: { block: { block: { data: { txs } } } },
    });
    return txs;
  }

  goBack(): void {
    this.waiting.reverted();
    this.#records.next({ type: 'reverted', position: this.#next(), height: toHeight(0n) });
  }

  /** Runs turns of the event loop until no work is left. */
  async idle(): Promise<void> {
    for (;;) {
      await this.time.runUntilIdle();
      if (this.appends.length === 0) return;
      await this.write();
    }
  }

  /** The pool as other parts of the node see it. */
  seen(accounts: readonly string[]): unknown {
    const { view } = this.mempool;
    return {
      pending: view.entries('pending').map(({ hash }) => hash),
      queued: view.entries('queued').map(({ hash }) => hash),
      nonces: accounts.map((account) => view.nextNonce(account)),
      numbers: [view.pending, view.queued, view.bytes, view.hasIncludable()],
      waiting: this.waiting.all().map(({ hash }) => hash),
    };
  }

  #next(): Position {
    this.#position += 1n;
    return toPosition(this.#position);
  }

  #show(event: PoolEvent): void {
    this.log.push(event);
    const position = this.#next();
    if (event.type === 'TxAdmitted') {
      const admission = { position, tx: event.data.tx, displaced: event.data.left };
      this.waiting.admitted(admission);
      this.#records.next({ type: 'admitted', position, entries: [admission] });
    } else {
      this.waiting.dropped(event.data.hashes);
      this.#records.next({ type: 'dropped', position, hashes: event.data.hashes });
    }
  }
}
