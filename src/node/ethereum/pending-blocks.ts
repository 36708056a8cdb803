import type { MempoolView } from '../../actors/mempool/mempool.js';
import type { BlockContext, FinalizeBlockRequest } from '../../core/application-requests.js';
import { blockRoom, buildBlock } from '../../core/chain/build-block.js';
import type { BlockClock, CarriedCommit } from '../../core/chain/block-clock.js';
import type { ChainState } from '../../core/chain/chain-state.js';
import { nextBlockRequest } from '../../core/chain/next-block.js';
import { finalizeRequest } from '../../core/chain/execution.js';
import { medianTime } from '../../core/comet/block-time.js';
import { EncodedResults } from '../../core/comet/encoded-results.js';
import { emptyCommit } from '../../core/comet/make-block.js';
import { proposerOf } from '../../core/comet/proposer-priority.js';
import type { StoredBlock } from '../../core/comet/stored-block.js';
import { hex } from '../../core/bytes/hex.js';
import { DONE } from '../../core/errors.js';
import type { EthereumBlock } from '../../core/ethereum/block-view.js';
import type { Limits } from '../../core/limits/limits.js';
import { mayHalt } from '../../core/modules/upgrade/plan.js';
import type { Outcome } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { NS_PER_MS, NS_PER_SECOND, toHeight, toTimeNs, type Height, type TimeNs } from '../../core/primitives.js';
import { stateOver } from '../../core/state/state-over.js';
import type { StateReader } from '../../core/state/state.js';
import { ByteReader } from '../../store/bytes.js';
import { unpackWrites } from '../../store/codec/state-writes.js';
import type { Ledger } from '../../runtime/chain/ledger.js';
import type { Pool } from '../../runtime/pool/pool.js';
import type { ChangedState } from '../../runtime/pool/protocol.js';
import type { EthereumBlocks } from './blocks.js';

/** The block that would follow the head now: executed, but not stored. */
export interface PendingBlock {
  readonly block: EthereumBlock;
  readonly request: FinalizeBlockRequest;
  readonly context: BlockContext;
  /** The state after the block. */
  readonly state: StateReader;
  /** The state after the block, for the threads of the pool. */
  readonly changed: ChangedState;
  /** Index of a transaction in the block, by its Ethereum hash. */
  indexOf(hash: Uint8Array): number | undefined;
}

export interface PendingBlocksOptions {
  readonly crypto: Crypto;
  readonly ledger: Pick<Ledger, 'state' | 'upgradeHeight' | 'decidedHeight'>;
  readonly latest: StateReader;
  readonly blocks: Pick<EthereumBlocks, 'pending'>;
  readonly mempool: Pick<MempoolView, 'content' | 'reap'>;
  readonly pool: Pick<Pool, 'run'>;
  readonly clock: Pick<BlockClock, 'nextTime' | 'now'>;
  /** True if only commands make blocks, which give them the current time. */
  readonly isByCommand: () => boolean;
  readonly limits: Pick<Limits, 'pendingBlockMs'>;
  /** True if blocks are filled by gas used instead of gas limits. */
  readonly fillsByGasUsed: boolean;
}

/** The inputs of the next block; a pending block is reused while they are equal. */
interface Moment {
  readonly head: ChainState;
  readonly content: object;
  readonly time: TimeNs;
}

const NO_HASH = new Uint8Array(32);

/**
 * Builds the block of the tag `pending` on request, in a pool thread, and caches it. It is built again only when the
 * head, the pool, or its time in seconds has changed.
 */
export class PendingBlocks {
  readonly #options: PendingBlocksOptions;
  #made: { readonly of: Moment; readonly pending: PendingBlock } | undefined;
  #running: Promise<Outcome<undefined>> | undefined;
  #next: Promise<Outcome<undefined>> | undefined;

  constructor(options: PendingBlocksOptions) {
    this.#options = options;
  }

  /** The pending block over the current head, if it has this height. */
  at(height: Height): PendingBlock | undefined {
    const { state } = this.#options.ledger;
    return height > state.height && this.#made?.of.head === state && this.#made.pending.block.height === height
      ? this.#made.pending
      : undefined;
  }

  /** Height of the pending block over the current head; the head's height if none was built. */
  height(): Height {
    const { height } = this.#options.ledger.state;
    return this.at(toHeight(height + 1n))?.block.height ?? height;
  }

  /**
   * Builds the pending block; undefined if it is up to date, or if an upgrade is due. Callers during a build share
   * the next build, which is skipped if nothing has changed.
   */
  make(): Promise<Outcome<undefined>> | undefined {
    if (!this.#isDue(this.#now())) return undefined;
    if (this.#running === undefined) return this.#begin();
    const begin = (): Promise<Outcome<undefined>> => this.#begin();
    // earlier callers received the failure
    this.#next ??= this.#running.then(begin, begin);
    return this.#next;
  }

  #begin(): Promise<Outcome<undefined>> {
    this.#next = undefined;
    const now = this.#now();
    if (!this.#isDue(now)) return Promise.resolve(DONE);
    this.#running = this.#make(now).finally(() => (this.#running = undefined));
    return this.#running;
  }

  #isDue(now: Moment): boolean {
    const { ledger } = this.#options;
    const { height } = now.head;
    if (ledger.decidedHeight > height || mayHalt(ledger.upgradeHeight, height + 1n)) return false;
    return this.#made === undefined || !isSame(this.#made.of, now);
  }

  #now(): Moment {
    const { ledger, mempool } = this.#options;
    return { head: ledger.state, content: mempool.content, time: this.#nextTime(ledger.state) };
  }

  /**
   * Time of the next block: set by a command, else the current time (manual mining), else the time in the head's
   * commit.
   */
  #nextTime({ height, time, lastCommit, lastValidators }: ChainState): TimeNs {
    const { clock, isByCommand } = this.#options;
    const set = clock.nextTime(height, time);
    if (set !== undefined) return set;
    if (lastCommit === undefined || lastValidators === undefined) return time;
    const now = clock.now();
    if (isByCommand()) return now > time ? now : toTimeNs(time + NS_PER_MS);
    return medianTime(lastCommit, lastValidators);
  }

  async #make({ head, time }: Moment): Promise<Outcome<undefined>> {
    const { crypto, ledger, mempool, pool, limits, fillsByGasUsed } = this.#options;
    const { bytes, gas } = blockRoom(head.consensusParams);
    // the first block of every chain is filled by gas limits
    const room = fillsByGasUsed && head.lastCommit !== undefined ? -1n : gas;
    const reaped = mempool.reap({ bytes, gas: room });
    // reaping may update the pool, so read `content` after it
    const { content } = mempool;
    const carried = { commit: head.lastCommit ?? emptyCommit(), time };
    const block = nextBlockRequest(crypto, head, carried, reaped);
    const { chainId, proposerAddress: proposer } = block;
    const context = { chainId, height: head.height, time, hash: NO_HASH, proposer };
    const executed = await pool.run({ kind: 'next-block', block, milliseconds: limits.pendingBlockMs }, context);
    if (!executed.ok) return executed;
    if (executed.value === undefined || ledger.state !== head) return DONE;
    const { taken, results, writes } = executed.value;
    const txs = taken.flatMap((place) => reaped[place]?.tx ?? []);
    this.#made = { of: { head, content, time }, pending: this.#pendingOf(head, carried, txs, results, writes) };
    return DONE;
  }

  #pendingOf(
    head: ChainState,
    carried: CarriedCommit,
    txs: readonly Uint8Array[],
    results: Uint8Array,
    writes: Uint8Array,
  ): PendingBlock {
    const { crypto, blocks, latest } = this.#options;
    const stored = storedBlockOf(crypto, head, carried, txs);
    const request = finalizeRequest(crypto, head, stored.block, stored.blockId.hash);
    const { chainId, height, time, proposerAddress: proposer } = request;
    const block = blocks.pending(stored, new EncodedResults(results), head.consensusParams.block?.maxGas ?? -1n);
    let places: ReadonlyMap<string, number> | undefined;
    const locationsOf = (): ReadonlyMap<string, number> => {
      const byTx = new Map(txs.map((tx, index) => [hex(crypto.sha256(tx)), index]));
      return new Map(
        block.transactions.map(({ hash, consensusHash }) => [hex(hash), byTx.get(hex(consensusHash)) ?? 0]),
      );
    };
    return {
      block,
      request,
      context: { chainId, height, time, hash: request.hash, proposer },
      state: stateOver(unpackWrites(new ByteReader(writes)))(latest),
      changed: { base: head.height, writes },
      indexOf: (hash) => (places ??= locationsOf()).get(hex(hash)),
    };
  }
}

function isSame(one: Moment, other: Moment): boolean {
  return (
    one.head === other.head && one.content === other.content && one.time / NS_PER_SECOND === other.time / NS_PER_SECOND
  );
}

/** The block as it would be decided, except that after a clock move the commit would be signed again. */
function storedBlockOf(
  crypto: Crypto,
  head: ChainState,
  carried: CarriedCommit,
  txs: readonly Uint8Array[],
): StoredBlock {
  const { chainId, validators } = head;
  const nothing = { reap: () => [], evidence: () => [], devClock: undefined };
  const building = { crypto, chainId, ...nothing, prepared: () => ({ carried, txs }) };
  const { block, blockId, encoded } = buildBlock(building, head, undefined, proposerOf(validators).address);
  return { block, blockId, size: encoded.length };
}
