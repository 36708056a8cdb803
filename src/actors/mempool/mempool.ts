import { createActor, setup } from 'xstate';
import type { DomainError } from '../../core/errors.js';
import type { PoolTransaction } from '../../core/mempool/pool-transaction.js';
import { type PoolLimits, type PoolPlace, TransactionPool } from '../../core/mempool/transaction-pool.js';
import type { Outcome } from '../../core/node-api.js';
import type { ResponseCheckTx } from '../../core/proto/tendermint/abci/types_pb.js';
import { Admission, type Checks } from './admission.js';

export interface MempoolOptions {
  readonly limits: PoolLimits;
  /** Uppercase hex hash by which a transaction is found. */
  readonly hashOf: (tx: Uint8Array) => string;
  readonly checks: Checks;
  /** Base fee of the next block; 0 without a fee market. */
  readonly baseFee: () => bigint;
  /** Puts an admission, and what left for it, into the log; resolves when it may be shown. */
  readonly record: (admitted: PoolTransaction, left: readonly PoolTransaction[]) => Promise<void>;
  /** A transaction waits for a block. */
  readonly onAvailable: () => void;
}

export interface MempoolActor {
  /**
   * Checks and admits; resolves after the admission is in the log. Only what CheckTx accepts is admitted. `verified`: the
   * caller recovered the sender that an Ethereum transaction names from its signature.
   */
  broadcast(tx: Uint8Array, verified?: 'sender'): Promise<Outcome<ResponseCheckTx>>;
  /** Takes back what the log says was waiting when the node stopped; drops what no longer passes CheckTx. */
  restore(txs: readonly Uint8Array[]): void;
  reap(maximum: { readonly bytes: number; readonly gas: bigint }): readonly Uint8Array[];
  /** True when this very transaction passed CheckTx here, so that its signatures need no second look. */
  isChecked(hash: string): boolean;
  /** After a block: removes its transactions and checks the rest again. Answers the hashes that fell out. */
  committed(hashes: readonly string[]): readonly string[];
  /** Transactions of one place, in order of admission. */
  entries(place: PoolPlace): readonly PoolTransaction[];
  get(hash: string): PoolTransaction | undefined;
  /** Nonce that the next transaction of an account needs, when everything pending is counted. `address` is lower-case hex. */
  nextNonce(address: string): bigint;
  /** True when a block at the next base fee could hold something. */
  hasWork(): boolean;
  /** Transactions that the next block may hold. */
  readonly pending: number;
  /** Transactions that wait for a lower nonce. */
  readonly queued: number;
  readonly bytes: number;
  /** Forgets everything, also what was seen before: the chain went back, and what was committed may be sent again. */
  clear(): void;
  /** Refuses everything from now on. */
  pause(reason: string): void;
  resume(): void;
  stop(): void;
}

type ModeEvent = { readonly type: 'pause'; readonly reason: string } | { readonly type: 'resume' };

const machine = setup({ types: { events: {} as ModeEvent } }).createMachine({
  initial: 'open',
  states: { open: { on: { pause: 'paused' } }, paused: { on: { resume: 'open' } } },
});

/** Admission of transactions: a batched function call beside the actor's modes, not a message each (design section 6). */
export function createMempoolActor(options: MempoolOptions): MempoolActor {
  const pool = new TransactionPool(options.limits);
  const admission = new Admission({ pool, checks: options.checks, baseFee: options.baseFee });
  const actor = createActor(machine);
  actor.start();
  let pausedFor = '';

  return {
    async broadcast(tx, verified) {
      if (actor.getSnapshot().value === 'paused') return failed({ code: 'halted', reason: pausedFor });
      // Into the pool before the log has it: the next CheckTx and the next recheck must see it in its place.
      const admitted = admission.admit(options.hashOf(tx), tx, verified);
      if (!admitted.ok) return admitted;
      const { check, transaction, place, left } = admitted.value;
      if (transaction !== undefined) {
        const recorded = options.record(transaction, left);
        if (place === 'pending') options.onAvailable();
        try {
          await recorded;
        } catch {
          return failed({ code: 'storage-failed' });
        }
      }
      return { ok: true, value: check };
    },
    restore(txs) {
      for (const tx of txs) admission.admit(options.hashOf(tx), tx);
      if (admission.hasWork()) options.onAvailable();
    },
    reap: (maximum) => pool.reap(maximum, options.baseFee()),
    isChecked: (hash) => pool.has(hash),
    committed: (hashes) => admission.committed(hashes).map(({ hash }) => hash),
    entries: (place) => pool.entries(place),
    get: (hash) => pool.get(hash),
    nextNonce: (address) => admission.nextNonce(address),
    hasWork: () => admission.hasWork(),
    get pending() {
      return pool.pending;
    },
    get queued() {
      return pool.queued;
    },
    get bytes() {
      return pool.bytes;
    },
    clear() {
      pool.clear();
      options.checks.reset();
    },
    pause(reason) {
      pausedFor = reason;
      actor.send({ type: 'pause', reason });
    },
    resume: () => actor.send({ type: 'resume' }),
    stop: () => void actor.stop(),
  };
}

function failed(error: DomainError): { readonly ok: false; readonly error: DomainError } {
  return { ok: false, error };
}
