import type { Crypto } from '../../core/ports/crypto.js';
import { keyAfter } from '../../core/bytes/key-order.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { ANCHOR_POSITION, anchorHeight } from '../../store/log/anchor.js';
import { encodeLocation } from '../../store/log/block-index.js';
import { blocksFloor } from '../../store/log/blocks-floor.js';
import { readU64 } from '../../store/bytes.js';
import { checkpointRow, decodeCheckpoint } from '../../store/log/checkpoint.js';
import { deleteCheckpointUpTo } from '../../store/checkpoints/checkpoints.js';
import { SECTION_NAMES, SECTION } from '../../store/codec/sections.js';
import type { EventLog } from '../../store/log/event-log.js';
import type { History } from '../../store/history/history.js';
import {
  anchorPartsBound,
  heightKey,
  nextAnchorKey,
  PREFIX,
  recordBound,
  recordKey,
  restoredKey,
  verifiedKey,
} from '../../store/keys.js';
import { poolCheckpointAt } from '../../store/pool/pool-checkpoint.js';
import { positionAfter, readAnchor, type AnchorHeader } from '../../store/log/read-records.js';
import { decodeHeader } from '../../store/log/record.js';
import { lowestHeight } from '../../store/state/latest.js';
import { instanceRows, type InstanceIdOptions } from '../chain/instance-id.js';
import { makeAnchor, type TakenState } from './make-anchor.js';

/** Provides snapshots for anchors. */
export interface AnchorSource {
  /** Height of the snapshot being taken, or waiting for its anchor. */
  readonly height: Height | undefined;
  /** The snapshot, once complete in the database. */
  readonly taken: TakenState | undefined;
  /** Called when its anchor is stored, or cannot be built. */
  done(): void;
}

export interface RecordPruningOptions extends Pick<InstanceIdOptions, 'first'> {
  readonly store: Pick<KeyValueStore, 'get' | 'range'>;
  readonly crypto: Crypto;
  readonly log: EventLog;
  readonly history: History;
  /** Requests a pool checkpoint; without one, the records before it are still needed. */
  readonly requestPoolCheckpoint: () => void;
}

/** A batch to write, and a callback for afterwards. */
interface Slice {
  readonly operations: readonly StoreOperation[];
  readonly written?: () => void;
}

/**
 * Replaces the records of pruned blocks by an anchor. The anchor is built long before it takes effect: its snapshot is
 * taken at a head and waits until the states and blocks after it are pruned. One batch puts the anchor in place; the
 * replaced records are deleted in slices afterwards, and after a kill the next start continues.
 */
export class RecordPruning {
  readonly #options: RecordPruningOptions;
  #source: AnchorSource | undefined;
  #ready: Slice | undefined;
  /** Records and rows replaced by the current anchor and not deleted yet. */
  #leftovers: Leftovers | undefined;
  /** True when the part table contains only parts of anchors. */
  #isSwept = false;

  constructor(options: RecordPruningOptions) {
    this.#options = options;
  }

  /** Sets the snapshot source (in a node that makes blocks). */
  attach(source: AnchorSource): void {
    this.#source = source;
  }

  /** Height of the newest anchor, in place or waiting. */
  get anchored(): Height | undefined {
    const { store, crypto } = this.#options;
    const header = nextAnchor(store, crypto) ?? readAnchor(store, crypto);
    return header && anchorHeight(header.anchor);
  }

  /** Height of the state being read for a snapshot. */
  get reading(): Height | undefined {
    return this.#source?.taken === undefined ? this.#source?.height : undefined;
  }

  /** True while an anchor waits for the blocks before it to be pruned. */
  get isWaiting(): boolean {
    return this.#options.store.get(nextAnchorKey()) !== undefined;
  }

  /** Schedules the deletion of parts that belong to no anchor. */
  scheduleSweep(): void {
    this.#isSwept = false;
  }

  /** Prepares the next slice of about `rows` rows; nothing else may change these rows. */
  async prepare(rows: number): Promise<void> {
    this.#ready = undefined;
    this.#ready = (await this.#leftover(rows)) ?? (await this.#unused()) ?? (await this.#step());
  }

  /** Operations of the prepared slice; undefined when nothing is left for now. */
  next(): readonly StoreOperation[] | undefined {
    return this.#ready?.operations;
  }

  /** Called after the slice was written. */
  written(): void {
    this.#ready?.written?.();
    this.#ready = undefined;
  }

  async #leftover(rows: number): Promise<Slice | undefined> {
    const { store, crypto } = this.#options;
    if (this.#leftovers === undefined) {
      const anchor = readAnchor(store, crypto);
      if (anchor === undefined) return undefined;
      this.#leftovers = new Leftovers(store, anchor);
    }
    const operations = await this.#leftovers.next(rows);
    return operations && { operations };
  }

  /** Deletes one snapshot part that belongs to no anchor. */
  async #unused(): Promise<Slice | undefined> {
    if (this.#isSwept) return undefined;
    const { store, crypto } = this.#options;
    const kept = [readAnchor(store, crypto), nextAnchor(store, crypto)].flatMap((header) =>
      header === undefined ? [] : [anchorHeight(header.anchor)],
    );
    const taken = this.#source?.height;
    const found = await unusedPart(store, taken === undefined ? kept : [...kept, taken]);
    if (found !== undefined) return { operations: [{ type: 'delete', key: found }] };
    this.#isSwept = true;
    return undefined;
  }

  async #step(): Promise<Slice | undefined> {
    const { store, crypto, log } = this.#options;
    const next = nextAnchor(store, crypto);
    if (next === undefined) return this.#make();
    const height = anchorHeight(next.anchor);
    const isOfChain = log.recordOf(toHeight(height + 1n))?.decided.record === positionAfter(next);
    if (!isOfChain) {
      const forget: StoreOperation = { type: 'delete', key: nextAnchorKey() };
      return { operations: [forget], written: () => this.scheduleSweep() };
    }
    return (await this.#mayTakeEffect(next, height)) ? this.#takeEffect(next, height) : undefined;
  }

  /** Stores the anchor of a completed snapshot, as soon as the next block exists. */
  async #make(): Promise<Slice | undefined> {
    const { log } = this.#options;
    const source = this.#source;
    const taken = source?.taken;
    if (taken === undefined || log.recordOf(toHeight(taken.chain.height + 1n))?.executed === undefined)
      return undefined;
    const value = await makeAnchor(this.#options, taken);
    const written = (): void => {
      source?.done();
      this.scheduleSweep();
    };
    return { operations: value === undefined ? [] : [{ type: 'put', key: nextAnchorKey(), value }], written };
  }

  /** True when states, blocks and pending transactions no longer need the records before the snapshot. */
  async #mayTakeEffect(next: AnchorHeader, height: Height): Promise<boolean> {
    const { store, requestPoolCheckpoint } = this.#options;
    const lowest = height + 2n;
    if (lowestHeight(store) < lowest || blocksFloor(store).cleared < lowest) return false;
    if ((poolCheckpointAt(store) ?? 0n) >= positionAfter(next) - 1n) return true;
    requestPoolCheckpoint();
    return false;
  }

  #takeEffect(next: AnchorHeader, height: Height): Slice {
    const { store, crypto, history, log } = this.#options;
    const kept = instanceRows(this.#options);
    return {
      operations: [...anchorOperations(store, crypto, next), ...history.obsoleteRows(height), ...kept],
      written: () => {
        log.anchored();
        history.obsolete(height);
        this.#leftovers = undefined;
        this.scheduleSweep();
      },
    };
  }
}

/** The prepared anchor that is not in place yet. Throws CorruptionError. */
function nextAnchor(store: Pick<KeyValueStore, 'get'>, crypto: Crypto): AnchorHeader | undefined {
  const row = store.get(nextAnchorKey());
  const header = row && decodeHeader(ANCHOR_POSITION, row, crypto);
  return header?.anchor && { ...header, anchor: header.anchor };
}

/**
 * The batch that puts an anchor in place of the records from the second one to the first kept one. The kept record row
 * is put again, because it is delta-encoded against a record that goes.
 */
function anchorOperations(
  store: Pick<KeyValueStore, 'get'>,
  crypto: Crypto,
  next: AnchorHeader,
): readonly StoreOperation[] {
  const following = positionAfter(next);
  const height = anchorHeight(next.anchor);
  const [row, kept, verified] = [
    store.get(nextAnchorKey()),
    store.get(recordKey(following, 0)),
    store.get(verifiedKey()),
  ];
  if (row === undefined || kept === undefined) return [];
  const place = { record: ANCHOR_POSITION, position: ANCHOR_POSITION };
  const isVerified = verified !== undefined && decodeCheckpoint(verified).record >= following;
  const { hash } = decodeHeader(following, kept, crypto);
  return [
    { type: 'put', key: recordKey(ANCHOR_POSITION, 0), value: row },
    ...SECTION_NAMES.map((name): StoreOperation => ({
      type: 'delete',
      key: recordKey(ANCHOR_POSITION, SECTION[name]),
    })),
    { type: 'put', key: recordKey(following, 0), value: kept },
    { type: 'put', key: restoredKey(), value: encodeLocation(place) },
    { type: 'delete', key: nextAnchorKey() },
    ...deleteCheckpointUpTo(store, height),
    ...(isVerified ? [] : [checkpointRow({ record: following, hash })]),
  ];
}

/**
 * The rows an anchor replaced: height rows are deleted ascending, records descending, because rows are delta-encoded
 * against earlier ones.
 */
class Leftovers {
  readonly #store: Pick<KeyValueStore, 'range'>;
  readonly #end: Uint8Array;
  #height: Uint8Array = heightKey(toHeight(0n));
  #record: Uint8Array;

  constructor(store: Pick<KeyValueStore, 'range'>, anchor: AnchorHeader) {
    this.#store = store;
    this.#end = heightKey(toHeight(anchorHeight(anchor.anchor) + 1n));
    this.#record = recordBound(positionAfter(anchor));
  }

  /** Delete operations of the next slice; undefined when done. */
  async next(rows: number): Promise<readonly StoreOperation[] | undefined> {
    const heights = await this.#store.range({ start: this.#height, end: this.#end, limit: rows });
    const last = heights.at(-1);
    if (last !== undefined) {
      this.#height = keyAfter(last.key);
      return heights.map(({ key }) => ({ type: 'delete', key }));
    }
    const start = recordBound(ANCHOR_POSITION + 1n);
    // Unpacking a row costs as much as reading it.
    const limit = Math.ceil(rows / 2);
    const records = await this.#store.range({ start, end: this.#record, reverse: true, limit });
    const first = records.at(-1);
    if (first === undefined) return undefined;
    this.#record = first.key;
    return records.map(({ key }) => ({ type: 'delete', key }));
  }
}

/** Deletes leftovers of pruned records in a database without other writers. Throws CorruptionError. */
export async function clearLeftovers(
  store: Pick<KeyValueStore, 'get' | 'range' | 'commit'>,
  crypto: Crypto,
  rows: number,
): Promise<void> {
  const anchor = readAnchor(store, crypto);
  if (anchor === undefined) return;
  const leftovers = new Leftovers(store, anchor);
  for (let slice = await leftovers.next(rows); slice !== undefined; slice = await leftovers.next(rows))
    await store.commit(slice, { sync: false });
}

/** Key of a snapshot part of a height not in `kept`; undefined when there is none. */
async function unusedPart(
  store: Pick<KeyValueStore, 'range'>,
  kept: readonly Height[],
): Promise<Uint8Array | undefined> {
  const end = Uint8Array.of(PREFIX.anchor, 2);
  for (let start: Uint8Array = anchorPartsBound(0n); ;) {
    const [part] = await store.range({ start, end, limit: 1 });
    if (part === undefined) return undefined;
    const height = readU64(part.key, 2);
    if (!kept.some((one) => one === height)) return part.key;
    start = anchorPartsBound(height + 1n);
  }
}
