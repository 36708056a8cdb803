import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createDeflate } from 'node:zlib';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { SnapshotCursor } from '../../core/multistore/snapshot-slice.js';
import type { Timers } from '../../core/ports/time.js';
import type { Height } from '../../core/primitives.js';
import type { Executor } from '../executor/executor.js';
import type { Logger } from '../../core/ports/logger.js';
import { encodeSnapshotChain, type SnapshotChain } from './snapshot-chain.js';
import type { SnapshotStore, UnfinishedSnapshot } from './store.js';

export interface SnapshotTakerOptions {
  readonly store: Pick<SnapshotStore, 'begin' | 'prune' | 'removeAbove'>;
  readonly executor: Pick<Executor, 'snapshotSlice'>;
  /** Blocks between snapshots; 0 disables them. */
  readonly interval: bigint;
  /** Number of snapshots to keep; 0 keeps all. */
  readonly keepRecent: number;
  readonly timers: Pick<Timers, 'yield'>;
  readonly log: Logger;
  /**
   * Chain facts at the head, with which a home can be initialized; undefined with an external engine, which keeps them.
   */
  readonly chain?: () => SnapshotChain;
}

/** SHA-256 for the checksum of the chain file. */
const HASHES = { sha256: (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest() };

/** Compression level of the SDK (cosmossdk.io/store v1.1.2 `snapshots/stream.go`, `snapshotCompressionLevel`). */
const LEVEL = 7;

/** The snapshot is aborted: its trees are no longer in memory, the chain was reverted, or the node stops. */
class SnapshotAbandoned extends Error {}

/** Takes snapshots in the background, in slices between blocks: a block waits for one slice at most. */
export class SnapshotTaker {
  readonly #options: SnapshotTakerOptions;
  #running: Promise<void> = Promise.resolve();
  /** True while trees are being read. The previous snapshot may still be syncing its files when the next one starts. */
  #isReading = false;
  #isStopped = false;
  /** True when the chain was reverted below the snapshot being taken. */
  #isAbandoned = false;

  constructor(options: SnapshotTakerOptions) {
    this.#options = options;
  }

  /** Starts a snapshot if one is due at this height and none is being read. */
  committed(height: Height): void {
    const { interval, chain } = this.#options;
    if (interval === 0n || height % interval !== 0n || this.#isReading) return;
    this.#isReading = true;
    this.#isAbandoned = false;
    const facts = chain?.();
    this.#running = this.#running.then(() => this.#take(height, facts));
  }

  /** Aborts and removes snapshots above `height` after a revert. */
  reverted(height: Height): void {
    this.#isAbandoned = true;
    this.#running = this.#running.then(() => this.#forgetAbove(height));
  }

  /** Resolves when no snapshot is being taken. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Aborts the snapshot being taken. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** Any failure, including a disk error, aborts only this snapshot. */
  async #take(height: Height, chain: SnapshotChain | undefined): Promise<void> {
    const { store, log, keepRecent } = this.#options;
    try {
      await this.#fill(store.begin(height), height, chain);
      if (keepRecent > 0) await store.prune(keepRecent);
      log.info('snapshot taken', { height: height.toString() });
    } catch (error) {
      if (this.#isStopped) return;
      const reason = error instanceof Error ? error.message : String(error);
      log.error('snapshot given up', { height: height.toString(), error: reason });
    } finally {
      this.#isReading = false;
    }
  }

  async #forgetAbove(height: Height): Promise<void> {
    const { store, log } = this.#options;
    try {
      await store.removeAbove(height);
    } catch (error) {
      log.error('snapshots cannot be removed', { error: error instanceof Error ? error.message : String(error) });
    }
  }

  async #fill(taken: UnfinishedSnapshot, height: Height, chain: SnapshotChain | undefined): Promise<void> {
    try {
      await pipeline(Readable.from(this.#slices(height)), createDeflate({ level: LEVEL }), async (packed) => {
        for await (const chunk of cut(packed)) await taken.add(chunk);
      });
      if (this.#isAbandoned) throw new SnapshotAbandoned('the chain was reverted');
      this.#isReading = false;
      await taken.finish(chain && encodeSnapshotChain(HASHES, chain, taken.hash()));
    } catch (error) {
      await taken.discard();
      throw error;
    }
  }

  async *#slices(height: Height): AsyncGenerator<Uint8Array> {
    const { executor, timers } = this.#options;
    let from: SnapshotCursor | undefined;
    do {
      if (this.#isStopped) throw new SnapshotAbandoned('the node stops');
      if (this.#isAbandoned) throw new SnapshotAbandoned('the chain was reverted');
      const slice = await executor.snapshotSlice(height, from, FIXED_LIMITS.snapshotSliceLeaves);
      if (slice === undefined) throw new SnapshotAbandoned('the trees of its height are no longer in memory');
      yield slice.items;
      from = slice.next;
      await timers.yield();
    } while (from !== undefined);
  }
}

/** Splits a byte stream into full chunks, and a last one with the rest. */
async function* cut(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    for (let rest = part; rest.length > 0;) {
      const taken = rest.subarray(0, FIXED_LIMITS.snapshotChunkBytes - size);
      gathered.push(taken);
      size += taken.length;
      rest = rest.subarray(taken.length);
      if (size < FIXED_LIMITS.snapshotChunkBytes) continue;
      yield Buffer.concat(gathered);
      gathered = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(gathered);
}
