import { createHash } from 'node:crypto';
import { invariant } from '../../core/errors.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { NodeStarted } from '../../core/log-events.js';
import type { StoreOperation } from '../../core/ports/key-value-store.js';
import type { Timers } from '../../core/ports/time.js';
import type { Height } from '../../core/primitives.js';
import { partRow } from '../../store/log/anchor.js';
import type { TakenState } from './make-anchor.js';
import type { AnchorSource } from './prune-records.js';
import type { AnchoredState } from '../chain/restored-chain.js';
import type { Executor } from '../executor/executor.js';
import { SnapshotTaker } from '../snapshots/taker.js';
import type { UnfinishedSnapshot } from '../snapshots/store.js';

export interface AnchorTakerOptions {
  readonly executor: Pick<Executor, 'snapshotSlice'>;
  readonly timers: Pick<Timers, 'yield'>;
  /** Writes rows, between blocks. */
  readonly write: (rows: readonly StoreOperation[]) => Promise<void>;
  /** Chain facts at the head. */
  readonly chain: () => AnchoredState;
  /** The NodeStarted data of this process. */
  readonly started: NodeStarted['data'];
  /**
   * Height of the last anchor, or the height before the first block; undefined while an anchor is prepared but not in
   * place.
   */
  readonly last: () => Height | undefined;
  /** Approximate size of a snapshot, bytes. */
  readonly bytes: () => number;
  /** Approximate size of the records after the last anchor, bytes; 0 when unknown. */
  readonly room: () => Promise<number>;
  /** Called when written parts belong to no anchor and must be deleted. */
  readonly onDiscard: () => void;
  /** Minimum number of blocks between anchors; default `FIXED_LIMITS.anchorBlocks`. */
  readonly blocks?: number;
}

/**
 * Takes anchor snapshots at the head and stores them in the database. A snapshot is due when the records it would
 * replace are larger than itself.
 */
export class AnchorTaker implements AnchorSource {
  readonly #options: AnchorTakerOptions;
  readonly #taker: SnapshotTaker;
  /** Chain facts at the snapshot's height. */
  #chain: AnchoredState | undefined;
  /** Next height at which the condition is checked. */
  #notBefore = 0n;
  /** Record bytes at the last measurement. */
  #room = 0;
  #taken: TakenState | undefined;

  constructor(options: AnchorTakerOptions) {
    this.#options = options;
    const { executor, timers } = options;
    this.#taker = new SnapshotTaker({
      store: {
        begin: (height) => this.#begin(height),
        prune: () => Promise.resolve(),
        removeAbove: () => Promise.resolve(),
      },
      executor,
      interval: 1n,
      keepRecent: 0,
      timers,
      // Not logged: an aborted snapshot is retried later.
      log: { info: () => undefined, error: () => undefined },
    });
  }

  get height(): Height | undefined {
    return this.#chain?.height;
  }

  get taken(): TakenState | undefined {
    return this.#taken;
  }

  done(): void {
    this.#chain = undefined;
    this.#taken = undefined;
  }

  /** A block was committed. */
  committed(height: Height): void {
    const { last, bytes, chain, blocks = FIXED_LIMITS.anchorBlocks } = this.#options;
    if (this.#chain !== undefined || height < this.#notBefore) return;
    const from = last();
    if (from === undefined) return;
    const earliest = from + BigInt(blocks);
    if (height < earliest) return void (this.#notBefore = earliest);
    const needed = bytes();
    const surely = from + BigInt(Math.ceil(needed / FIXED_LIMITS.anchorBlockBytes));
    const again = height + FIXED_LIMITS.anchorRetryBlocks;
    if (height < surely && this.#room < needed) {
      this.#notBefore = surely < again ? surely : again;
      return this.#look();
    }
    this.#notBefore = again;
    this.#room = 0;
    this.#chain = chain();
    this.#taker.committed(height);
  }

  /** Discards a snapshot above `height` after a revert. */
  reverted(height: Height): void {
    this.#taker.reverted(height);
    if (this.#taken !== undefined && this.#taken.chain.height > height) this.#discard();
  }

  /** Resolves when no snapshot is being taken. */
  async idle(): Promise<void> {
    await this.#taker.idle();
  }

  /** Aborts the snapshot being taken. */
  async stop(): Promise<void> {
    await this.#taker.stop();
  }

  /** Measures the records: full blocks are larger than the assumed minimum per block. */
  #look(): void {
    void this.#options.room().then(
      (bytes) => (this.#room = bytes),
      // A failed store stops the node at the next block.
      () => undefined,
    );
  }

  #discard(): void {
    this.done();
    this.#options.onDiscard();
  }

  #begin(height: Height): UnfinishedSnapshot {
    const { write, started } = this.#options;
    const parts: Uint8Array[] = [];
    return {
      add: async (chunk) => {
        const { anchorPartBytes: size } = FIXED_LIMITS;
        for (let at = 0; at < chunk.length; at += size) {
          const part = Uint8Array.from(chunk.subarray(at, at + size));
          await write([partRow(height, parts.length, part)]);
          parts.push(sha256(part));
        }
      },
      hash: () => new Uint8Array(),
      finish: async () => {
        const chain = this.#chain;
        invariant(chain !== undefined, 'a snapshot begins with the facts of its chain');
        this.#taken = { chain, parts, started };
      },
      discard: async () => this.#discard(),
    };
  }
}

function sha256(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(createHash('sha256').update(bytes).digest());
}
