import { fromBinary } from '@bufbuild/protobuf';
import { afterBlock, type ChainState } from '../../core/chain/chain-state.js';
import { decisionOf } from '../../core/chain/decision.js';
import { upperHex } from '../../core/bytes/hex.js';
import { txHash } from '../../core/comet/body-hash.js';
import { EncodedResults } from '../../core/comet/encoded-results.js';
import { invariant } from '../../core/errors.js';
import type {
  BlockDecided,
  BlockExecuted,
  ChainStarted,
  Recorded,
  Reverted,
  SnapshotRestored,
} from '../../core/log-events.js';
import { PendingTransactions } from '../../core/mempool/pending-transactions.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height, type Position } from '../../core/primitives.js';
import { BlockSchema, type Block } from '../../core/proto/tendermint/types/block_pb.js';
import { anchorHeight, type Anchor } from '../../store/log/anchor.js';
import { blocksFloorRow } from '../../store/log/blocks-floor.js';
import { checkpointRow } from '../../store/log/checkpoint.js';
import { EMPTY_HEAD, encodeHead, type LogHead } from '../../store/log/head.js';
import { headAfter } from '../../store/log/head-after.js';
import { History } from '../../store/history/history.js';
import { headKey, PREFIX } from '../../store/keys.js';
import { heightRows } from '../../store/log/log-batch.js';
import { LoggedBlocks } from '../../store/log/logged-blocks.js';
import { moveCheckpoint } from '../../store/pool/pool-checkpoint.js';
import type { StoredRecord } from '../../store/log/read-records.js';
import { replacedRows, replacingRow } from '../../store/state/replace.js';
import type { WriteBehind } from '../../store/rows/write-behind.js';
import { anchoredHistory, writtenParts } from './anchored-history.js';
import { decidedRows, executedRows, genesisRows } from '../chain/block-rows.js';
import { executedBlockOf } from '../../core/chain/execution.js';
import { DevRowsOfLog } from './dev-rows-of-log.js';
import { FollowersOfLog } from './followers-of-log.js';
import { FilterRowsOfLog, type FilterReset } from './filter-rows-of-log.js';
import type { HostRows } from './host-rows.js';
import { stateAtHead } from '../chain/open-chain.js';
import type { Decided } from '../re-execution/re-executed-chain.js';
import { snapshotValues } from '../snapshots/chunks.js';
import { restoredState } from '../chain/restored-chain.js';
import { rowsOfRevert } from './rows-of-revert.js';
import { LogFold } from '../chain/pending.js';

export interface RowsOfLogOptions {
  /** An empty database. */
  readonly store: WriteBehind;
  readonly crypto: Crypto;
  /** Rows of this host that cannot be derived from the log. */
  readonly host: HostRows;
}

/** Facts of the processed log. */
export interface MadeRows {
  readonly head: LogHead;
  readonly started: ChainStarted['data'];
  /** Height of the tree checkpoint; undefined when the node had none. */
  readonly checkpoint: Height | undefined;
  /** False when the home's nodes may have ended before they wrote the first index rows. */
  readonly mustBeIndexed: boolean;
  /** Filters whose cursor and deadline were reset. */
  readonly resetFilters: readonly FilterReset[];
}

/**
 * Derives every row from the log, record by record, as the node that wrote the log did, but without executing blocks:
 * the state comes from the writes in BlockExecuted. Trees (`rebuildTrees`) and attribute index (`deriveIndex`) are
 * built elsewhere.
 */
export class RowsOfLog {
  readonly #options: RowsOfLogOptions;
  readonly #waiting: PendingTransactions;
  readonly #fold: LogFold;
  readonly #filters: FilterRowsOfLog;
  readonly #dev = new DevRowsOfLog();
  #head: LogHead = EMPTY_HEAD;
  #started: ChainStarted['data'] | undefined;
  /** First block height in the log. */
  #first = toHeight(0n);
  #history: History | undefined;
  #state: ChainState | undefined;
  #decided: Decided | undefined;
  /** The last decoded block. */
  #decoded: { readonly encoded: Uint8Array; readonly block: Block } | undefined;
  /** The anchor whose events are being applied. */
  #anchor: Anchor | undefined;
  #isWaitingWritten = false;
  #hasStarted = false;
  readonly #followers = new FollowersOfLog();

  constructor(options: RowsOfLogOptions) {
    const { crypto, host } = options;
    this.#options = options;
    this.#waiting = new PendingTransactions((tx) => upperHex(txHash(crypto, tx)));
    this.#fold = new LogFold(this.#waiting, (encoded) => this.#txsOf(encoded));
    this.#filters = new FilterRowsOfLog(host);
  }

  /** Head of the log so far. */
  get head(): LogHead {
    return this.#head;
  }

  /** Processes the next record. Throws CorruptionError or OutOfOrderError when it cannot follow. */
  async apply({ header, events, rows }: StoredRecord): Promise<void> {
    const { store, host } = this.#options;
    this.#anchor = header.anchor;
    for (const recorded of events) await this.#apply(recorded);
    const head = headAfter(this.#head, events, header);
    await store.commit(
      [
        ...rows.map(({ key, value }): StoreOperation => ({ type: 'put', key, value })),
        ...heightRows(events, header.first, { store, head: this.#head }),
        { type: 'put', key: headKey(), value: encodeHead(head) },
      ],
      { sync: false },
    );
    this.#head = head;
    this.#fold.apply(events);
    if (header.anchor !== undefined) await this.#copyHostRows(header.anchor);
    if (head.position === host.waitingAt) await this.#writeWaiting();
  }

  /** Copies data from before an anchor that exists only in the home's rows. */
  async #copyHostRows(anchor: Anchor): Promise<void> {
    const { host } = this.#options;
    const dev = await host.dev({ position: this.#head.position, height: anchorHeight(anchor) });
    await this.#put(dev.rows);
    this.#dev.anchored(dev.ids);
    for (const { position, tx } of await host.waiting())
      if (position <= this.#head.position) this.#waiting.admitted({ position, tx, displaced: [] });
    this.#filters.anchored(await host.filters());
    this.#followers.pruned();
  }

  /** Writes the rows that depend on the end of the log. */
  async finish(): Promise<MadeRows> {
    const head = this.#head;
    const started = this.#started;
    invariant(started !== undefined, 'a log begins with ChainStarted');
    // A node writes the pool checkpoint before it logs NodeStarted.
    if (!this.#isWaitingWritten && this.#hasStarted) await this.#writeWaiting();
    const filters = this.#filters.rows(head);
    await this.#put([...filters.rows, checkpointRow({ record: head.record, hash: head.hash })]);
    const range = { first: this.#first, last: head.executed };
    return {
      head,
      started,
      checkpoint: this.#followers.checkpoint(range, this.#options.host.checkpoint),
      mustBeIndexed: this.#followers.mustBeIndexed(range),
      resetFilters: filters.reset,
    };
  }

  async #apply(recorded: Recorded): Promise<void> {
    const { event, position } = recorded;
    switch (event.type) {
      case 'ChainStarted':
        return this.#begin(event.data);
      case 'SnapshotRestored':
        return this.#restore(event.data);
      case 'BlockDecided':
        return this.#decide(event);
      case 'BlockExecuted':
        return this.#execute(event.data);
      case 'Reverted':
        return this.#revert(event, position);
      case 'SnapshotTaken':
      case 'TimeShifted':
        return this.#put(this.#dev.rows(event, position));
      case 'FilterCreated':
      case 'FilterRemoved':
        return this.#filters.apply(event);
      case 'NodeStarted':
        this.#hasStarted = true;
        this.#followers.started(this.#state !== undefined && this.#state.height >= this.#first);
        return;
      case 'TxAdmitted':
      case 'TxDropped':
      case 'UpgradeHalted':
        return;
    }
  }

  async #begin(started: ChainStarted['data']): Promise<void> {
    const { store, crypto, host } = this.#options;
    const log = { head: () => EMPTY_HEAD, blockAt: () => undefined, restored: () => undefined };
    const empty = await History.open(store);
    this.#started = started;
    this.#first = started.initialHeight;
    this.#state = stateAtHead({ crypto, log }, started, empty);
    const floor = host.blocksFloor;
    await this.#put([
      ...genesisRows(store, empty, this.#state, started.writes),
      // A revert reads its target block, which may be pruned.
      ...(floor === undefined || floor.lowest === 0n ? [] : [blocksFloorRow(floor)]),
    ]);
    this.#history = await History.open(store);
  }

  async #restore(restored: SnapshotRestored['data']): Promise<void> {
    const { store, crypto } = this.#options;
    const { started, history } = this.#begun();
    const state = restoredState(crypto, started, restored);
    // Rows written before must be readable.
    await store.flush();
    const { height } = restored;
    await this.#put([...(await replacedRows(store, height)), ...history.restoredRows(height, state)]);
    const chunks = this.#anchor === undefined ? restored.chunks : writtenParts(store, height, restored.chunks);
    // `TreesOfLog` verifies them against the app hash.
    for await (const values of snapshotValues({ chunks }))
      await this.#put(values.map((value) => replacingRow(height, value)));
    history.restored(height);
    if (this.#anchor !== undefined) this.#history = await anchoredHistory(store, this.#anchor, history, state);
    this.#first = toHeight(height + 1n);
    this.#state = state;
  }

  #decide(event: BlockDecided): Promise<void> {
    const { crypto } = this.#options;
    const decided = decisionOf(crypto, event);
    const { block, blockId } = decided;
    this.#decoded = { encoded: event.data.block, block };
    this.#decided = decided;
    return this.#isPruned(event.data.height) ? Promise.resolve() : this.#put(decidedRows(crypto, block, blockId));
  }

  /** True for a pruned block, whose index rows no longer exist. */
  #isPruned(height: Height): boolean {
    return height < (this.#options.host.blocksFloor?.lowest ?? 0n);
  }

  async #execute({ height, results: bytes, writes }: BlockExecuted['data']): Promise<void> {
    const { store, crypto } = this.#options;
    const { state: before, history } = this.#begun();
    const decided = this.#decided;
    invariant(decided !== undefined, 'a block is decided before it is executed');
    const results = new EncodedResults(bytes);
    const executed = executedBlockOf(before, decided, results);
    const after = afterBlock(crypto, before, executed);
    const paramsChanged = executed.consensusParamUpdates !== undefined;
    const made = executedRows({ store, history, result: { results, writes }, after, paramsChanged });
    await this.#put(this.#isPruned(height) ? made.rows.filter(({ key }) => key[0] !== PREFIX.headerHash) : made.rows);
    history.published(made.history);
    this.#followers.executed(height);
    this.#state = after;
    this.#decided = undefined;
  }

  async #revert(event: Reverted, position: Position): Promise<void> {
    const { store, crypto } = this.#options;
    const { state, history, started } = this.#begun();
    const to = event.data.toHeight;
    // Rows of reverted blocks must be readable.
    await store.flush();
    const blocks = new LoggedBlocks({ store, crypto, head: () => this.#head });
    const made = await rowsOfRevert({ store, history, crypto, blocks, head: state.height, to });
    await this.#put([...made, ...this.#dev.rows(event, position)]);
    history.reverted(to);
    const head = { ...this.#head, decided: to, executed: to };
    const blockAt = (height: Height) => blocks.blockAt(height);
    const log = { head: () => head, blockAt, restored: () => blocks.restored() };
    this.#state = stateAtHead({ crypto, log }, started, history);
    this.#decided = undefined;
    this.#followers.reverted(to, this.#first);
  }

  #txsOf(encoded: Uint8Array): readonly Uint8Array[] {
    const known = this.#decoded;
    const block = known?.encoded === encoded ? known.block : fromBinary(BlockSchema, encoded);
    return block.data?.txs ?? [];
  }

  #begun() {
    const started = this.#started;
    const history = this.#history;
    const state = this.#state;
    invariant(started !== undefined && history !== undefined && state !== undefined, 'a log begins with ChainStarted');
    return { started, history, state };
  }

  #writeWaiting(): Promise<void> {
    this.#isWaitingWritten = true;
    return this.#put(moveCheckpoint(this.#head.position, this.#waiting.all(), []));
  }

  #put(rows: readonly StoreOperation[]): Promise<void> {
    return this.#options.store.commit(rows, { sync: false });
  }
}
