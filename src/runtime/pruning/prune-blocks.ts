import { EncodedResults } from '../../core/comet/encoded-results.js';
import { invariant } from '../../core/errors.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height, type Position } from '../../core/primitives.js';
import { decisionOf } from '../../core/chain/decision.js';
import { decodeTxHashRow } from '../../store/log/block-index.js';
import { NO_BLOCK_CACHE } from '../../store/log/block-cache.js';
import { blocksFloor, blocksFloorRow } from '../../store/log/blocks-floor.js';
import { SECTION } from '../../store/codec/sections.js';
import { deleteIndexRows, indexedThrough, isLong } from '../../store/index-rows/index-rows.js';
import { blockEventsOf } from '../../store/index-rows/posting.js';
import { windowStart } from '../../store/index-rows/posting-key.js';
import { PREFIX, recordKey } from '../../store/keys.js';
import { paramsChangedBefore } from '../../store/history/history.js';
import { LoggedBlocks, type BlockAt } from '../../store/log/logged-blocks.js';
import { decidedRows, headerHashRows } from '../chain/block-rows.js';
import type { EventLocation } from '../../store/log/block-index.js';
import type { LogHead } from '../../store/log/head.js';
import { fromTimestamp } from '../../core/comet/time.js';
import type { TimeNs } from '../../core/primitives.js';
import type { EventLog } from '../../store/log/event-log.js';
import type { Ledger } from '../chain/ledger.js';
import { blocksFloorOf, type Prunable, type Pruning, type RetainedBlocks } from './pruner.js';

type Store = Pick<KeyValueStore, 'get'>;

export interface BlockPruningOptions {
  readonly store: Store;
  readonly crypto: Crypto;
  /** The published head of the log. */
  readonly head: () => LogHead;
  /** First block in the log. */
  readonly first: Height;
  /** Called with the new lowest block before any row is deleted. */
  readonly onFloor?: (lowest: Height) => void;
}

/**
 * Deletes the API data of blocks below a height: results, traces, index rows and hash rows. Blocks and state writes
 * stay in the log, so that hash chain, trees and state remain verifiable from the first event on. The floor rises in
 * its own batch before anything is deleted, so a crash leaves only rows that are never read, and the next start
 * continues.
 */
export class BlockPruning {
  readonly #options: BlockPruningOptions;
  readonly #blocks: LoggedBlocks;
  /** Remaining deletions of the block being cleared. */
  #left: Iterator<StoreOperation | undefined> | undefined;

  constructor(options: BlockPruningOptions) {
    const { store, crypto, head } = options;
    this.#options = options;
    this.#blocks = new LoggedBlocks({ store, crypto, head, cache: NO_BLOCK_CACHE });
  }

  /**
   * Operations of the next slice of about `rows` deletions towards the lowest block `floor`; undefined when nothing is
   * left. The actual floor is the start of an index window and never above what is indexed.
   */
  next(floor: Height, rows: number): readonly StoreOperation[] | undefined {
    const { store, first, onFloor } = this.#options;
    const before = blocksFloor(store);
    if (before.cleared < before.lowest) return this.#clear(before.cleared, rows);
    const lowest = this.#reachable(floor);
    if (lowest <= before.lowest || lowest <= first) return undefined;
    onFloor?.(lowest);
    const record = this.#recordOf(lowest);
    const cleared = before.cleared < first ? first : before.cleared;
    return [blocksFloorRow({ lowest, before: record, cleared })];
  }

  /** The highest floor possible now. */
  #reachable(floor: Height): Height {
    const { store, head } = this.#options;
    const indexed = indexedThrough(store) ?? -1n;
    const highest = [floor, indexed + 1n, head().executed].reduce((least, one) => (one < least ? one : least));
    return highest < 0n ? toHeight(0n) : windowStart(toHeight(highest));
  }

  #clear(height: Height, rows: number): readonly StoreOperation[] {
    this.#left ??= this.#deletions(height);
    const operations: StoreOperation[] = [];
    while (operations.length < rows) {
      const next = this.#left.next();
      if (next.done === true) {
        this.#left = undefined;
        const floor = blocksFloor(this.#options.store);
        for (const section of this.#sections(height)) operations.push(section);
        operations.push(blocksFloorRow({ ...floor, cleared: toHeight(height + 1n) }));
        break;
      }
      // End of a step, which takes as long as a slice may.
      if (next.value === undefined) break;
      operations.push(next.value);
    }
    return operations;
  }

  /** Deletes the index rows of a block. */
  *#deletions(height: Height): Generator<StoreOperation | undefined> {
    const { store, crypto } = this.#options;
    const { decided, executed } = this.#blockAt(height);
    const { block, blockId } = decisionOf(crypto, decided.event);
    for (const { key } of decidedRows(crypto, block, blockId))
      if (leadsTo(store, key, height)) yield { type: 'delete', key };
    if (executed === undefined) return;
    const { results: bytes, touched } = executed.event.data;
    const results = new EncodedResults(bytes);
    for (const { key } of headerHashRows(height, results))
      if (leadsTo(store, key, height)) yield { type: 'delete', key };
    if (isLong(block.data?.txs ?? [])) yield undefined;
    yield* deleteIndexRows(blockEventsOf(height, results, touched));
  }

  /** Deletes results and trace of a block, unless it changes validators or parameters. */
  #sections(height: Height): readonly StoreOperation[] {
    const { decided, executed } = this.#blockAt(height);
    if (executed !== undefined) {
      const results = new EncodedResults(executed.event.data.results);
      // The result always contains parameters, even unchanged ones, so the history row decides.
      const hasParams = paramsChangedBefore(this.#options.store, toHeight(height + 1n));
      if (results.validatorUpdates.length > 0 || hasParams) return [];
    }
    const place = this.#placeOf(height);
    const above = this.#blocks.recordOf(toHeight(height + 1n));
    const records = new Set([place.decided.record, ...(place.executed ? [place.executed.record] : [])]);
    // A record may also contain the next block's decision.
    if (above !== undefined) records.delete(above.decided.record);
    invariant(decided.event.data.height === height, 'the row of a height leads to its block');
    return [...records].flatMap((record) =>
      [SECTION.results, SECTION.trace].map((section) => ({ type: 'delete' as const, key: recordKey(record, section) })),
    );
  }

  #blockAt(height: Height): BlockAt {
    const block = this.#blocks.blockAt(height);
    invariant(block !== undefined, `block ${height} is in the log`);
    return block;
  }

  #placeOf(height: Height): { readonly decided: EventLocation; readonly executed: EventLocation | undefined } {
    const place = this.#blocks.recordOf(height);
    invariant(place !== undefined, `block ${height} is in the log`);
    return place;
  }

  #recordOf(height: Height): Position {
    return this.#placeOf(height).decided.record;
  }
}

/** True when a hash row leads to this height; a later block may contain the same transaction. */
function leadsTo(store: Store, key: Uint8Array, height: Height): boolean {
  const row = store.get(key);
  if (row === undefined) return false;
  return key[0] === PREFIX.txHash ? decodeTxHashRow(row).height === height : true;
}

export interface PrunableBlocksOptions extends Pick<BlockPruningOptions, 'store' | 'crypto'> {
  readonly kept: RetainedBlocks;
  readonly log: Pick<EventLog, 'head'>;
  readonly ledger: Pick<Ledger, 'earliestHeight' | 'block' | 'pruned'>;
  readonly first: () => Height;
}

/** Creates the Prunable of blocks; the ledger stops answering them before they are deleted. */
export function prunableBlocks({ kept, store, crypto, log, ledger, first }: PrunableBlocksOptions): Prunable {
  return {
    interval: PRUNING_INTERVAL,
    floorAt(head) {
      const timeOf = (height: Height): TimeNs => fromTimestamp(ledger.block(height)?.block.header?.time);
      return blocksFloorOf(kept, { head, lowest: ledger.earliestHeight() }, timeOf);
    },
    start: () =>
      new BlockPruning({
        store,
        crypto,
        head: () => log.head(),
        first: first(),
        onFloor: (lowest) => ledger.pruned(lowest),
      }),
  };
}

/** Creates the Prunable of records. It has no floor of its own: an anchor waits for the floors of states and blocks. */
export function prunableRecords({ blocks, seconds }: RetainedBlocks, records: Pruning): Prunable {
  const isPruned = blocks !== undefined || seconds !== undefined;
  return {
    interval: PRUNING_INTERVAL,
    floorAt: (head) => (isPruned ? head : undefined),
    start: () => records,
  };
}

/** Blocks between prunings: one index window. */
const PRUNING_INTERVAL = 32n;

/** Prunes blocks below `floor` in a database without other writers; resolves with the lowest kept block. */
export async function pruneBlocks(
  options: Omit<BlockPruningOptions, 'store'> & { readonly store: Pick<KeyValueStore, 'get' | 'commit'> },
  floor: Height,
  rows: number,
): Promise<Height> {
  const { store } = options;
  const pruning = new BlockPruning(options);
  for (;;) {
    const operations = pruning.next(floor, rows);
    if (operations === undefined) return blocksFloor(store).lowest;
    await store.commit(operations, { sync: false });
  }
}
