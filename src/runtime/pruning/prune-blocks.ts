import { EncodedResults } from '../../core/comet/encoded-results.js';
import { invariant } from '../../core/errors.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height, type Position } from '../../core/primitives.js';
import { decisionOf } from '../../core/chain/decision.js';
import { decodeTxHashRow } from '../../store/log/block-index.js';
import { blocksFloor, blocksFloorRow } from '../../store/log/blocks-floor.js';
import { SECTION } from '../../store/codec/sections.js';
import { deleteIndexRows, indexedThrough, isLong } from '../../store/index-rows/index-rows.js';
import { blockEventsOf } from '../../store/index-rows/posting.js';
import { windowStart } from '../../store/index-rows/posting-key.js';
import { PREFIX, recordKey } from '../../store/keys.js';
import { beginsParams } from '../../store/history/history.js';
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
  /** First height whose block is in the log. */
  readonly first: Height;
  /** Called with the lowest block before the first row goes. */
  readonly onFloor?: (lowest: Height) => void;
}

/**
 * Deletes what faces answer of the blocks below a height: results, traces, the rows of searches and of hashes. Blocks
 * and state writes stay in the log, so that its hashes, the trees and the state can be verified from the first event
 * on. The floor rises in a batch of its own, before anything is deleted; so a crash leaves rows that nobody asks for,
 * and the next start goes on with them.
 */
export class BlockPruning {
  readonly #options: BlockPruningOptions;
  readonly #blocks: LoggedBlocks;
  /** Deletions that are left of the block that is being cleared. */
  #left: Iterator<StoreOperation | undefined> | undefined;

  constructor(options: BlockPruningOptions) {
    const { store, crypto, head } = options;
    this.#options = options;
    this.#blocks = new LoggedBlocks({ store, crypto, head, cached: 0 });
  }

  /**
   * Operations of the next slice of about `rows` deletions towards the lowest block `floor`. Undefined when nothing is
   * left. The floor stays at the beginning of a window of the index, and at or below what is indexed.
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

  /** The height to which a floor can rise now. */
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
        operations.push(...this.#sections(height), blocksFloorRow({ ...floor, cleared: toHeight(height + 1n) }));
        break;
      }
      // A step of its work is over, which takes as long as a slice may.
      if (next.value === undefined) break;
      operations.push(next.value);
    }
    return operations;
  }

  /** The rows by which the block and its parts are found. */
  *#deletions(height: Height): Generator<StoreOperation | undefined> {
    const { store, crypto } = this.#options;
    const { decided, executed } = this.#blockAt(height);
    const { block, blockId } = decisionOf(crypto, decided.event);
    for (const { key } of decidedRows(crypto, block, blockId))
      if (names(store, key, height)) yield { type: 'delete', key };
    if (executed === undefined) return;
    const { results: bytes, touched } = executed.event.data;
    const results = new EncodedResults(bytes);
    for (const { key } of headerHashRows(height, results)) if (names(store, key, height)) yield { type: 'delete', key };
    if (isLong(block.data?.txs ?? [])) yield undefined;
    yield* deleteIndexRows(blockEventsOf(height, results, touched));
  }

  /** Results and traces of the records of a block, unless it changes validators or parameters. */
  #sections(height: Height): readonly StoreOperation[] {
    const { decided, executed } = this.#blockAt(height);
    if (executed !== undefined) {
      const results = new EncodedResults(executed.event.data.results);
      // Every block names its parameters, also where they are the same.
      const hasParams = beginsParams(this.#options.store, toHeight(height + 1n));
      if (results.validatorUpdates.length > 0 || hasParams) return [];
    }
    const place = this.#placeOf(height);
    const above = this.#blocks.recordOf(toHeight(height + 1n));
    const records = new Set([place.decided.record, ...(place.executed ? [place.executed.record] : [])]);
    // A record may also hold the decision of the next block.
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

/** True when the row of a hash leads to this height: the same transaction or evidence may be in a later block. */
function names(store: Store, key: Uint8Array, height: Height): boolean {
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

/** The blocks of a chain whose ledger stops to answer them before they go. */
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

/** The records of blocks that are not kept: the floors of states and blocks say which an anchor may replace. */
export function prunableRecords({ blocks, seconds }: RetainedBlocks, records: Pruning): Prunable {
  const isPruned = blocks !== undefined || seconds !== undefined;
  return {
    interval: PRUNING_INTERVAL,
    floorAt: (head) => (isPruned ? head : undefined),
    start: () => records,
  };
}

/** Blocks from one pruning to the next: those of a window of the index go together. */
const PRUNING_INTERVAL = 32n;

/**
 * Deletes what faces answer of the blocks below a height, in a database that nothing else writes; resolves with the
 * lowest block that is kept.
 */
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
