import type { Touched } from '../../core/evm/touched.js';
import type { BlockContext } from '../../core/application-requests.js';
import { max } from '../../core/bigint.js';
import { fromTimestamp } from '../../core/comet/time.js';
import { txHash } from '../../core/comet/body-hash.js';
import { EncodedResults } from '../../core/comet/encoded-results.js';
import type { ChainState } from '../../core/chain/chain-state.js';
import { decisionOf } from '../../core/chain/decision.js';
import { invariant } from '../../core/errors.js';
import type { ExecutionOutput } from '../../core/chain/execution-output.js';
import { genesisHeight } from '../../core/genesis/genesis-height.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { BlockExecuted, ChainStarted } from '../../core/log-events.js';
import type { ChainQueries, Head, SearchSlice, StoredTx } from '../../core/node-api.js';
import type { StoredBlock } from '../../core/comet/stored-block.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { toHeight, type Height, type Position, type TimeNs } from '../../core/primitives.js';
import type { ConsensusParams } from '../../core/proto/tendermint/types/params_pb.js';
import type { Commit } from '../../core/proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../../core/proto/tendermint/types/validator_pb.js';
import { toOrderedString } from '../../core/bytes/key-order.js';
import { BlockCache } from '../../store/log/block-cache.js';
import { blocksFloor } from '../../store/log/blocks-floor.js';
import type { EventLog } from '../../store/log/event-log.js';
import type { History } from '../../store/history/history.js';
import { lowestHeight } from '../../store/state/latest.js';
import { firstHeight } from './restored-chain.js';
import type { Searches } from './searches.js';

export interface LedgerOptions {
  readonly store: Pick<KeyValueStore, 'get'>;
  readonly log: EventLog;
  readonly history: History;
  readonly crypto: Crypto;
  readonly started: ChainStarted['data'];
  /** Time of the genesis document. */
  readonly genesisTime: TimeNs;
  readonly state: ChainState;
  readonly searches: Searches;
  /** Position of the newest published record. */
  readonly position: () => Position;
}

const HASH_BYTES = 32;

/** Read access to the published chain: every read is limited to the published head, even if the log is ahead. */
export class Ledger implements ChainQueries {
  readonly #options: LedgerOptions;
  readonly #decoded = new BlockCache<StoredBlock>(({ size }) => size);
  /** Results of the head block. */
  #headResults: { readonly height: Height; readonly results: EncodedResults } | undefined;
  /** Transaction hashes not found at this head; clients waiting for a receipt ask for them again and again. */
  readonly #absent = new Set<string>();
  #headContext: { readonly of: ChainState; readonly context: BlockContext } | undefined;
  #state: ChainState;
  /** Lowest block that is answered; lower ones are pruned. */
  #lowest: Height;
  #decidedHeight: Height;
  #upgradeHeight: Height | undefined;
  #reverting: { readonly height: Height; readonly appHash: Uint8Array } | undefined;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#state = options.state;
    this.#lowest = blocksFloor(options.store).lowest;
    this.#decidedHeight = options.log.head().decided;
    this.#upgradeHeight = upgradeHeightAt(options.log, options.state.height);
  }

  /** The chain state on which the next block is built. */
  get state(): ChainState {
    return this.#state;
  }

  /** Last decided height; above the head while an upgrade halts execution. */
  get decidedHeight(): Height {
    return max(this.#decidedHeight, this.#state.height);
  }

  /** Height of the next scheduled upgrade plan, as of the head. */
  get upgradeHeight(): Height | undefined {
    return this.#upgradeHeight;
  }

  /** Sets the app hash of the head, which the executor recomputes at start. */
  completed(appHash: Uint8Array): void {
    this.#state = { ...this.#state, appHash };
  }

  /** Moves the head to an executed block. */
  executed({ state, block, results }: ExecutionOutput, upgradeHeight: Height | undefined): void {
    this.#absent.clear();
    this.#state = state;
    this.#upgradeHeight = upgradeHeight;
    this.#headResults = { height: state.height, results };
    this.#decoded.set(state.height, block);
  }

  /** Moves the decided height: the last decided block is in the log but not executed. */
  halted(): void {
    this.#decidedHeight = this.#options.log.head().decided;
  }

  /** Announces a revert to `height`. Its app hash is passed because after the revert no log record contains it. */
  beginRevert(height: Height, appHash: Uint8Array): void {
    this.#reverting = { height, appHash };
  }

  /** True from `beginRevert` until the revert is complete; meanwhile rows may belong to either height. */
  get isReverting(): boolean {
    return this.#reverting !== undefined;
  }

  /** Completes a revert: `state` is the new head. */
  reverted(state: ChainState): void {
    const reverting = this.#reverting;
    invariant(reverting?.height === state.height, 'beginRevert gave the app hash of this height');
    this.#reverting = undefined;
    this.#absent.clear();
    this.#state = { ...state, appHash: reverting.appHash };
    this.#decidedHeight = state.height;
    this.#upgradeHeight = upgradeHeightAt(this.#options.log, state.height);
    this.#decoded.forgetAbove(state.height);
  }

  head(): Head {
    const { height, lastBlockId, appHash, time } = this.#state;
    return {
      height,
      position: this.#options.position(),
      blockHash: lastBlockId?.hash ?? new Uint8Array(),
      appHash,
      time,
    };
  }

  tip(): Height {
    return this.decidedHeight;
  }

  earliestHeight(): Height {
    return max(firstHeight(this.#options.log, this.#options.started), this.#lowest);
  }

  /** Stops answering blocks below `lowest`. */
  pruned(lowest: Height): void {
    this.#lowest = lowest;
  }

  /** Lowest readable state; at least that of the genesis. */
  earliestState(): Height {
    return max(lowestHeight(this.#options.store), genesisHeight(this.#options.started.initialHeight));
  }

  /** True when every block since the genesis is available. */
  isWhole(): boolean {
    return this.#options.log.restored() === undefined && this.#lowest <= this.#options.started.initialHeight;
  }

  genesis(): ReturnType<ChainQueries['genesis']> {
    const { genesis, chainId, initialHeight } = this.#options.started;
    return { json: genesis, chainId, initialHeight };
  }

  block(height: Height): StoredBlock | undefined {
    return height < this.#lowest ? undefined : this.#blockInLog(height);
  }

  #blockInLog(height: Height): StoredBlock | undefined {
    if (height > this.decidedHeight) return undefined;
    const known = this.#decoded.get(height);
    if (known !== undefined) return known;
    const at = this.#options.log.blockAt(height);
    if (at === undefined) return undefined;
    const { block, blockId, size } = decisionOf(this.#options.crypto, at.decided.event);
    const stored = { block, blockId, size };
    this.#decoded.set(height, stored);
    return stored;
  }

  /** Query context of a height: facts of its block. Returns the same object as long as the head does not change. */
  context(height: Height): BlockContext {
    if (height !== this.#state.height) return this.#contextAt(height);
    if (this.#headContext?.of !== this.#state)
      this.#headContext = { of: this.#state, context: this.#contextAt(height) };
    return this.#headContext.context;
  }

  #contextAt(height: Height): BlockContext {
    // The record of a pruned block may still be in the log, because records are pruned last.
    const stored = this.#blockInLog(height);
    const header = stored?.block.header;
    return {
      chainId: this.#state.chainId,
      height,
      time: header === undefined ? this.#timeAt(height) : fromTimestamp(header.time),
      hash: stored?.blockId.hash ?? new Uint8Array(32),
      proposer: header?.proposerAddress ?? new Uint8Array(20),
    };
  }

  /** Time of a state without a block in the log: the genesis or a restored snapshot. */
  #timeAt(height: Height): TimeNs {
    const { log, started, genesisTime } = this.#options;
    if (height === genesisHeight(started.initialHeight)) return genesisTime;
    const restored = log.restored()?.event.data;
    return restored?.height === height ? restored.time : this.#state.time;
  }

  heightByHash(blockHash: Uint8Array): Height | undefined {
    const height = this.#options.log.heightByHash(blockHash);
    return height !== undefined && height <= this.#state.height && height >= this.#lowest ? height : undefined;
  }

  results(height: Height): EncodedResults | undefined {
    if (height > this.#state.height || height < this.#lowest) return undefined;
    if (this.#headResults?.height === height && height === this.#state.height) return this.#headResults.results;
    const executed = this.#options.log.blockAt(height)?.executed;
    if (executed === undefined) return undefined;
    return new EncodedResults(executed.event.data.results, this.#appHashAfter(height, executed.event));
  }

  touched(height: Height): readonly Touched[] {
    return height > this.#state.height || height < this.#lowest
      ? []
      : (this.#options.log.blockAt(height)?.executed?.event.data.touched ?? []);
  }

  #appHashAfter(height: Height, executed: BlockExecuted): Uint8Array | undefined {
    if (executed.v === 2 || executed.v === 4) return executed.data.appHash;
    if (height === this.#state.height) return this.#state.appHash;
    return this.block(toHeight(height + 1n))?.block.header?.appHash;
  }

  commit(height: Height): { readonly commit: Commit; readonly canonical: boolean } | undefined {
    if (height < this.#lowest) return undefined;
    const next = height < this.decidedHeight ? this.block(toHeight(height + 1n))?.block.lastCommit : undefined;
    if (next !== undefined) return { commit: next, canonical: true };
    if (height > this.decidedHeight) return undefined;
    const decided = this.#options.log.blockAt(height)?.decided.event;
    const seen = decided && decisionOf(this.#options.crypto, decided).commit;
    return seen && { commit: seen, canonical: false };
  }

  validators(height: Height): ValidatorSet | undefined {
    return height > this.#state.height + 2n ? undefined : this.#options.history.validators(height);
  }

  consensusParams(height: Height): ConsensusParams | undefined {
    return height > this.#state.height + 1n ? undefined : this.#options.history.consensusParams(height);
  }

  tx(hash: Uint8Array): StoredTx | undefined {
    const place = this.place(hash);
    return place && this.txAt(place.height, place.index);
  }

  place(hash: Uint8Array): { readonly height: Height; readonly index: number } | undefined {
    const name = toOrderedString(hash);
    if (this.#absent.has(name)) return undefined;
    const place = this.#options.log.txByHash(hash);
    if (place !== undefined && place.height <= this.#state.height && place.height >= this.#lowest) return place;
    if (this.#absent.size >= FIXED_LIMITS.absentHashes) this.#absent.clear();
    // Only real hashes are cached; other input may be long.
    if (hash.length === HASH_BYTES) this.#absent.add(name);
    return undefined;
  }

  txAt(height: Height, index: number): StoredTx | undefined {
    if (height > this.#state.height) return undefined;
    const tx = this.block(height)?.block.data?.txs[index];
    const result = this.results(height)?.txResult(index);
    if (tx === undefined || result === undefined) return undefined;
    return { hash: txHash(this.#options.crypto, tx), height, index, tx, result };
  }

  searchTxs(query: string, slice: SearchSlice): ReturnType<ChainQueries['searchTxs']> {
    return this.#options.searches.txs(query, slice, this.#state.height);
  }

  searchBlocks(query: string, slice: SearchSlice): ReturnType<ChainQueries['searchBlocks']> {
    return this.#options.searches.blocks(query, slice, this.#state.height);
  }
}

function upgradeHeightAt(log: Pick<EventLog, 'blockAt' | 'restored'>, height: Height): Height | undefined {
  const restored = log.restored()?.event.data;
  if (restored?.height === height) return restored.upgradeHeight;
  return log.blockAt(height)?.executed?.event.data.upgradeHeight;
}
