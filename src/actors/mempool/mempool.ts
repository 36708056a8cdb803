import { createActor, setup } from 'xstate';
import type { DomainError } from '../../core/errors.js';
import type { Limits } from '../../core/limits.js';
import { Mempool, type PendingTx } from '../../core/mempool/mempool.js';
import type { Outcome } from '../../core/node-api.js';
import type { ResponseCheckTx } from '../../core/proto/tendermint/abci/types_pb.js';

export interface MempoolOptions {
  readonly limits: Pick<Limits, 'mempoolTxs' | 'mempoolBytes' | 'txBytes' | 'mempoolCache'>;
  /** Uppercase hex hash by which a transaction is found. */
  readonly hashOf: (tx: Uint8Array) => string;
  /** CheckTx against the state after the last block and the transactions admitted since; `again` when these bytes passed it before. */
  readonly checkTx: (tx: Uint8Array, again: boolean) => ResponseCheckTx;
  /** Puts the admission into the log; resolves when it may be shown. */
  readonly record: (entry: PendingTx) => Promise<void>;
  /** A transaction waits for a block. */
  readonly onAvailable: () => void;
}

export interface MempoolActor {
  /** Checks and admits; resolves after the admission is in the log. Only what CheckTx accepts is admitted. */
  broadcast(tx: Uint8Array): Promise<Outcome<ResponseCheckTx>>;
  /** Takes back what the log says was pending when the node stopped; drops what no longer passes CheckTx. */
  restore(txs: readonly Uint8Array[]): void;
  reap(maximum: { readonly bytes: number; readonly gas: bigint }): readonly Uint8Array[];
  /** True when this very transaction passed CheckTx here, so that its signatures need no second look. */
  isChecked(hash: string): boolean;
  /** After a block: removes its transactions and checks the rest again. Answers the hashes that fell out. */
  committed(hashes: readonly string[]): readonly string[];
  entries(): readonly PendingTx[];
  readonly size: number;
  readonly bytes: number;
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
  const pool = new Mempool(options.limits);
  const actor = createActor(machine);
  actor.start();
  let pausedFor = '';

  const admit = (tx: Uint8Array): Outcome<{ readonly check: ResponseCheckTx; readonly entry: PendingTx | undefined }> => {
    const hash = options.hashOf(tx);
    const refusal = pool.refuses(hash, tx.length);
    if (refusal !== undefined) return { ok: false, error: refusal };
    const check = options.checkTx(tx, false);
    if (check.code !== 0) return { ok: true, value: { check, entry: undefined } };
    const entry: PendingTx = { hash, tx, gasWanted: check.gasWanted };
    // Into the pool before the log has it: the next CheckTx and the next recheck must see it in its place.
    pool.add(entry);
    return { ok: true, value: { check, entry } };
  };

  return {
    async broadcast(tx) {
      if (actor.getSnapshot().value === 'paused') return failed({ code: 'halted', reason: pausedFor });
      const admitted = admit(tx);
      if (!admitted.ok) return admitted;
      const { check, entry } = admitted.value;
      if (entry !== undefined) {
        const recorded = options.record(entry);
        options.onAvailable();
        try {
          await recorded;
        } catch {
          return failed({ code: 'storage-failed' });
        }
      }
      return { ok: true, value: check };
    },
    restore(txs) {
      for (const tx of txs) admit(tx);
      if (pool.size > 0) options.onAvailable();
    },
    reap: (maximum) => pool.reap(maximum),
    isChecked: (hash) => pool.has(hash),
    committed(hashes) {
      for (const hash of hashes) pool.remove(hash, 'committed');
      const fallen = [...pool.entries()].filter(({ tx }) => options.checkTx(tx, true).code !== 0).map(({ hash }) => hash);
      for (const hash of fallen) pool.remove(hash, 'invalid');
      return fallen;
    },
    entries: () => [...pool.entries()],
    get size() {
      return pool.size;
    },
    get bytes() {
      return pool.bytes;
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
