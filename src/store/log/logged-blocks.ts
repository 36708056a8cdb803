import { isDecided, isExecuted, isRestored } from '../../core/event-guards.js';
import type { BlockDecided, BlockExecuted, Recorded, SnapshotRestored } from '../../core/log-events.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import type { Height, Position } from '../../core/primitives.js';
import {
  decodeHashRow,
  decodeHeightRow,
  decodeLocation,
  decodeTxHashRow,
  type EventLocation,
  type HeightRow,
  type TxLocation,
} from './block-index.js';
import { BlockCache, type BlockCacheLimits } from './block-cache.js';
import { CorruptionError } from '../errors.js';
import type { LogHead } from './head.js';
import { blockHashKey, evidenceKey, headerHashKey, heightKey, restoredKey, txHashKey } from '../keys.js';
import { readRecord } from './read-records.js';
import { BLOCK_SECTIONS, type Sha256 } from './record.js';

/**
 * A block read from the log: its decision and, once executed, its results. State writes are omitted (`writes` is
 * empty).
 */
export interface BlockAt {
  readonly decided: Recorded<BlockDecided>;
  readonly executed: Recorded<BlockExecuted> | undefined;
}

export interface LoggedBlocksOptions {
  readonly store: Pick<KeyValueStore, 'get'>;
  readonly crypto: Sha256;
  /** The published head; nothing beyond it is read. */
  readonly head: () => LogHead;
  /** Bounds of the cache of blocks; default `FIXED_LIMITS`. */
  readonly cache?: BlockCacheLimits;
}

/** Synchronous access to the blocks of the published log through the primary indexes, with an LRU cache. */
export class LoggedBlocks {
  readonly #options: LoggedBlocksOptions;
  readonly #blocks: BlockCache<BlockAt>;
  /** Null until the first read. */
  #restored: Recorded<SnapshotRestored> | undefined | null = null;

  constructor(options: LoggedBlocksOptions) {
    this.#options = options;
    this.#blocks = new BlockCache(sizeOf, options.cache);
  }

  /** The block of a height; undefined when the published log has none. Throws CorruptionError. */
  blockAt(height: Height): BlockAt | undefined {
    const cached = this.#blocks.get(height);
    if (cached !== undefined) return cached;
    const row = this.recordOf(height);
    if (row === undefined) return undefined;
    const [decided, executed] = this.#eventsAt(row);
    if (!isDecided(decided) || decided.event.data.height !== height)
      throw new CorruptionError('height row points elsewhere', { position: row.decided.position });
    if (executed === undefined) return { decided, executed: undefined };
    if (!isExecuted(executed) || executed.event.data.height !== height)
      throw new CorruptionError('height row points elsewhere', { position: executed.position });
    return this.#remember({ decided, executed });
  }

  /** The snapshot that the log began with, without its chunks; undefined when it began with the genesis. */
  restored(): Recorded<SnapshotRestored> | undefined {
    if (this.#restored !== null) return this.#restored;
    const row = this.#options.store.get(restoredKey());
    const place = row === undefined ? undefined : decodeLocation(row);
    const isPublished = place !== undefined && place.position <= this.#options.head().position;
    const found = isPublished ? this.#eventAt(place) : undefined;
    if (found !== undefined && !isRestored(found))
      throw new CorruptionError('row of the restored snapshot points elsewhere', { position: found.position });
    this.#restored = found;
    return found;
  }

  /** Positions of the events of a height; undefined beyond the published head. */
  recordOf(height: Height): HeightRow | undefined {
    const head = this.#options.head();
    if (height > head.decided) return undefined;
    const bytes = this.#options.store.get(heightKey(height));
    if (bytes === undefined) return undefined;
    const { decided, executed } = decodeHeightRow(bytes);
    if (decided.position > head.position) return undefined;
    return {
      decided,
      executed: executed !== undefined && executed.position <= head.position ? executed : undefined,
    };
  }

  /** False for an event of a reverted block: the height row is gone or names another block. */
  isOnBranch({ event, position }: Pick<Recorded, 'event' | 'position'>): boolean {
    if (event.type === 'BlockDecided') return this.recordOf(event.data.height)?.decided.position === position;
    if (event.type === 'BlockExecuted') return this.recordOf(event.data.height)?.executed?.position === position;
    return true;
  }

  /** Height of the published block with this consensus or Ethereum block hash. */
  heightByHash(blockHash: Uint8Array): Height | undefined {
    return this.#heightIn(blockHashKey(blockHash)) ?? this.#heightIn(headerHashKey(blockHash));
  }

  /** Height of the published block that holds the evidence with this hash. */
  heightOfEvidence(hash: Uint8Array): Height | undefined {
    return this.#heightIn(evidenceKey(hash));
  }

  /** Height and index of the published, executed transaction with this hash (32 bytes, sha256 of its bytes). */
  txByHash(hash: Uint8Array): TxLocation | undefined {
    const bytes = this.#options.store.get(txHashKey(hash));
    const place = bytes === undefined ? undefined : decodeTxHashRow(bytes);
    return place !== undefined && place.height <= this.#options.head().executed ? place : undefined;
  }

  /** Caches a block that was just published, because every API reads it next. */
  protected keep(events: readonly Recorded[]): void {
    const decided = events.find(isDecided);
    const executed = events.find(isExecuted);
    if (decided === undefined || executed === undefined || decided.event.data.height !== executed.event.data.height)
      return;
    this.#remember({
      decided,
      executed: { ...executed, event: withoutWrites(executed.event) },
    });
  }

  /** Drops the cached blocks after a revert or a snapshot restore, when heights name other blocks. */
  protected forget(): void {
    this.#blocks.clear();
    this.#restored = null;
  }

  /** Forgets the cached restored snapshot after an anchor replaced the first records. */
  anchored(): void {
    this.#restored = null;
  }

  #heightIn(key: Uint8Array): Height | undefined {
    const bytes = this.#options.store.get(key);
    const height = bytes === undefined ? undefined : decodeHashRow(bytes);
    return height !== undefined && height <= this.#options.head().decided ? height : undefined;
  }

  #remember(block: BlockAt): BlockAt {
    this.#blocks.set(block.decided.event.data.height, block);
    return block;
  }

  /** Reads the record once where it holds both events, as in most blocks: it may have megabytes. */
  #eventsAt({ decided, executed }: HeightRow): readonly [Recorded | undefined, Recorded | undefined] {
    const events = this.#recordAt(decided.record);
    const later = executed?.record === decided.record ? events : executed && this.#recordAt(executed.record);
    return [events[indexIn(decided)], executed && later?.[indexIn(executed)]];
  }

  #eventAt(location: EventLocation): Recorded | undefined {
    return this.#recordAt(location.record)[indexIn(location)];
  }

  #recordAt(record: Position): readonly Recorded[] {
    const { store, crypto } = this.#options;
    return readRecord(store, crypto, record, BLOCK_SECTIONS).events;
  }
}

/** Bytes of the encoded block and its results, to which everything that is decoded from them is proportional. */
function sizeOf({ decided, executed }: BlockAt): number {
  return decided.event.data.block.length + (executed?.event.data.results.length ?? 0);
}

/** Index of an event among those of its record. */
function indexIn({ record, position }: EventLocation): number {
  return Number(position - record);
}

function withoutWrites<Event extends BlockExecuted>(event: Event): Event {
  return { ...event, data: { ...event.data, writes: [] } };
}
