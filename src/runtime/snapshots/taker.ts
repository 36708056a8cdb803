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
  /** Blocks from one snapshot to the next; 0 takes none. */
  readonly interval: bigint;
  /** Snapshots that are kept; 0 keeps all. */
  readonly keepRecent: number;
  readonly timers: Pick<Timers, 'yield'>;
  readonly log: Logger;
  /** The chain at its head, for snapshots from which a home begins; undefined behind an engine, which keeps it. */
  readonly chain?: () => SnapshotChain;
}

/** The host's sha256, for the seal of the file of a chain. */
const HASHES = { sha256: (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest() };

/** zlib's level in the SDK (cosmossdk.io/store v1.1.2 `snapshots/stream.go`, `snapshotCompressionLevel`). */
const LEVEL = 7;

/** The trees of the height left the memory, the chain was reverted, or the node stops: the snapshot is given up. */
class SnapshotAbandoned extends Error {}

/** Takes snapshots behind the head, between blocks: a block waits for one slice at most. */
export class SnapshotTaker {
  readonly #options: SnapshotTakerOptions;
  #running: Promise<void> = Promise.resolve();
  /** Trees are being read; the names of a snapshot may still be synced when the next one begins. */
  #isReading = false;
  #isStopped = false;
  /** The chain was reverted below the snapshot that is being taken. */
  #isAbandoned = false;

  constructor(options: SnapshotTakerOptions) {
    this.#options = options;
  }

  /** A block was committed. While one snapshot is being read, no other one begins. */
  committed(height: Height): void {
    const { interval, chain } = this.#options;
    if (interval === 0n || height % interval !== 0n || this.#isReading) return;
    this.#isReading = true;
    this.#isAbandoned = false;
    const facts = chain?.();
    this.#running = this.#running.then(() => this.#take(height, facts));
  }

  /** The chain goes on from this height: snapshots above it are of blocks that were abandoned. */
  reverted(height: Height): void {
    this.#isAbandoned = true;
    this.#running = this.#running.then(() => this.#forgetAbove(height));
  }

  /** Resolves when no snapshot is being taken. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Gives up what is being taken. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** A failure of any kind, of the disk too, ends this snapshot only. */
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
      if (this.#isAbandoned) throw new SnapshotAbandoned('the chain went back');
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
      if (this.#isAbandoned) throw new SnapshotAbandoned('the chain went back');
      const slice = await executor.snapshotSlice(height, from, FIXED_LIMITS.snapshotSliceLeaves);
      if (slice === undefined) throw new SnapshotAbandoned('the trees of its height are no longer in memory');
      yield slice.items;
      from = slice.next;
      await timers.yield();
    } while (from !== undefined);
  }
}

/** Cuts a stream of bytes into chunks, all but the last one full. */
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
