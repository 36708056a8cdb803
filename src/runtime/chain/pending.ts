import { upperHex } from '../../core/bytes/hex.js';
import { txsOfBlock } from '../../core/chain/decision.js';
import { txHash } from '../../core/comet/body-hash.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Recorded } from '../../core/log-events.js';
import { PendingTransactions } from '../../core/mempool/pending-transactions.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toPosition, type Position } from '../../core/primitives.js';
import type { EventLog } from '../../store/log/event-log.js';
import { moveCheckpoint, readOldPendingRows, readPoolCheckpoint } from '../../store/pool/pool-checkpoint.js';

export interface PendingOptions {
  readonly log: EventLog;
  readonly store: KeyValueStore;
  readonly crypto: Pick<Crypto, 'sha256'>;
}

export interface OpenedPending {
  readonly waiting: PendingTransactions;
  readonly checkpoint: PendingCheckpoint;
}

/**
 * Restores the pending transactions at the head of the log: from the last checkpoint and a fold of the log after it.
 * Throws CorruptionError.
 */
export async function openPending({ log, store, crypto }: PendingOptions): Promise<OpenedPending> {
  const waiting = new PendingTransactions((tx) => upperHex(txHash(crypto, tx)));
  const checkpoint = await readPoolCheckpoint(store);
  const old = checkpoint === undefined ? await readOldPendingRows(store) : undefined;
  // Rows of an old home are the pending transactions at its head.
  const known = checkpoint ?? (old && old.waiting.length > 0 ? { ...old, position: log.head().position } : undefined);
  for (const row of known?.waiting ?? []) waiting.admitted({ ...row, displaced: [] });
  const stored = checkpoint === undefined ? [] : waiting.all();
  const through = log.head().position;
  const fold = new LogFold(waiting);
  const from = toPosition((known?.position ?? 0n) + 1n);
  for await (const events of log.read({ from, sections: POOL_SECTIONS })) fold.apply(events);
  const made = new PendingCheckpoint(store, waiting, {
    position: known?.position ?? toPosition(0n),
    stored: new Map(stored.map(({ hash, position }) => [hash, position])),
  });
  if (checkpoint === undefined) await made.write(through, old?.forget);
  return { waiting, checkpoint: made };
}

const POOL_SECTIONS = new Set(['envelope', 'transactions', 'other'] as const);

/** Folds log events into the pending transactions. */
export class LogFold {
  readonly #waiting: PendingTransactions;
  readonly #txsOf: (block: Uint8Array) => readonly Uint8Array[];
  /** Transactions of the last decided block; pending until it is executed. */
  #decided: readonly Uint8Array[] = [];

  /** `txsOf`: the transactions of an encoded block. */
  constructor(waiting: PendingTransactions, txsOf: (block: Uint8Array) => readonly Uint8Array[] = txsOfBlock) {
    this.#waiting = waiting;
    this.#txsOf = txsOf;
  }

  apply(events: readonly Recorded[]): void {
    for (const { event, position } of events) {
      if (event.type === 'TxAdmitted')
        this.#waiting.admitted({ position, tx: Uint8Array.from(event.data.tx), displaced: event.data.left });
      if (event.type === 'TxDropped') this.#waiting.dropped(event.data.hashes);
      if (event.type === 'BlockDecided') this.#decided = this.#txsOf(event.data.block);
      if (event.type === 'BlockExecuted') this.#waiting.executed(this.#decided);
      if (event.type === 'Reverted' || event.type === 'SnapshotRestored') this.#waiting.reverted();
    }
  }
}

/** Writes a checkpoint of the pending transactions from time to time, behind the head. */
class PendingCheckpoint {
  readonly #store: Pick<KeyValueStore, 'commit'>;
  readonly #waiting: PendingTransactions;
  /** Admission positions in the stored checkpoint, by hash. */
  #stored: ReadonlyMap<string, Position>;
  #position: Position;
  #running: Promise<void> | undefined;
  #isAsked = false;

  constructor(
    store: Pick<KeyValueStore, 'commit'>,
    waiting: PendingTransactions,
    last: { readonly position: Position; readonly stored: ReadonlyMap<string, Position> },
  ) {
    this.#store = store;
    this.#waiting = waiting;
    this.#position = last.position;
    this.#stored = last.stored;
  }

  /** Call it after the pending transactions were updated to `position`. */
  follow(position: Position): void {
    const isDue = this.#isAsked || position - this.#position >= FIXED_LIMITS.eventsPerCheckpoint;
    if (!isDue || this.#running !== undefined) return;
    this.#isAsked = false;
    this.#running = this.write(position).then(
      () => {
        this.#running = undefined;
      },
      // A failed store fails the next block, too, which stops the node.
      () => undefined,
    );
  }

  /** Requests a checkpoint with the next block. */
  ask(): void {
    this.#isAsked = true;
  }

  /** Resolves when no checkpoint is being written. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Writes the checkpoint for `position`, which must be the current one, together with `others`. */
  async write(position: Position, others: readonly StoreOperation[] = []): Promise<void> {
    const all = this.#waiting.all();
    const added = all.filter(({ hash, position: admitted }) => this.#stored.get(hash) !== admitted);
    const next = new Map(all.map(({ hash, position: admitted }) => [hash, admitted]));
    const removed = [...this.#stored].flatMap(([hash, admitted]) => (next.get(hash) === admitted ? [] : [admitted]));
    this.#position = position;
    this.#stored = next;
    await this.#store.commit([...others, ...moveCheckpoint(position, added, removed)], { sync: false });
  }
}
