import type { ChainState } from '../../core/chain/chain-state.js';
import { equal } from '../../core/bytes/bytes.js';
import { type Sha256 } from '../../core/comet/merkle.js';
import type { BlockRoom } from '../../core/mempool/order.js';
import type { PoolTransaction } from '../../core/mempool/pool-transaction.js';
import { mayHalt } from '../../core/modules/upgrade/plan.js';
import type { RestartingExecutor } from '../executor/restarting-executor.js';
import type { EvidencePool } from './evidence-pool.js';
import type { Ledger } from './ledger.js';
import type { CarriedCommit } from '../../core/chain/block-clock.js';
import { blockRoom, type PreparedBlock } from '../../core/chain/build-block.js';
import { nextBlockRequest } from '../../core/chain/next-block.js';

/** Gas of the cheapest transaction (21,000); limits how many transactions can fit into a block. */
const TX_GAS_MIN = 21_000n;

export interface BlockFillerOptions {
  readonly crypto: Sha256;
  readonly ledger: Pick<Ledger, 'state' | 'upgradeHeight'>;
  readonly executor: Pick<RestartingExecutor, 'prepare'>;
  /** A block with evidence is not executed in advance, because evidence is executed before the transactions. */
  readonly evidence: Pick<EvidencePool, 'isWaiting'>;
  /** Pending transactions. */
  readonly pool: { readonly pendingGas: bigint; reap(room: BlockRoom): readonly PoolTransaction[] };
}

/** Executed transactions of the next block, limited to those that fit. */
interface Prepared extends PreparedBlock {
  /** The head they were executed on. */
  readonly head: ChainState;
  /** Hash of the block built from them. */
  hash: Uint8Array | undefined;
}

/**
 * Fills blocks by gas used instead of gas limits, with a single validator. When the pending gas limits exceed a block,
 * the executor runs the transactions first, and the block contains those that fit. This execution is reused when the
 * block is decided.
 */
export class BlockFiller {
  readonly #options: BlockFillerOptions;
  /** Number of the latest request; the executor keeps only the latest preparation. */
  #requests = 0;
  /** Settles with the preparation in progress. */
  #running: Promise<unknown> = Promise.resolve();
  #prepared: Prepared | undefined;

  constructor(options: BlockFillerOptions) {
    this.#options = options;
  }

  /** True when `prepare` would fit more transactions into the next block than their gas limits allow. */
  isWorthwhile(): boolean {
    const { ledger, pool, evidence } = this.#options;
    const { state, upgradeHeight } = ledger;
    const gas = state.consensusParams.block?.maxGas ?? -1n;
    return (
      gas > 0n &&
      pool.pendingGas > gas &&
      state.lastCommit !== undefined &&
      state.validators.validators.length === 1 &&
      !evidence.isWaiting &&
      // A block that may halt must be decided and logged before it is executed.
      !mayHalt(upgradeHeight, state.height + 1n)
    );
  }

  /**
   * Executes pending transactions for the next block, which carries the commit `carried`; no effect if the head has
   * changed. Waits for the previous preparation, so that the executor never queues several. Resolves with false when a
   * newer preparation was requested: no block may be built from this one.
   */
  async prepare(carried: CarriedCommit): Promise<boolean> {
    const request = (this.#requests += 1);
    this.#prepared = undefined;
    const head = this.#options.ledger.state;
    // The previous caller has received the error.
    await this.#running.catch(() => undefined);
    if (request !== this.#requests) return false;
    const running = this.#execute(head, carried);
    this.#running = running;
    const prepared = await running;
    if (request !== this.#requests) return false;
    this.#prepared = prepared;
    return true;
  }

  /** The prepared transactions for the block after `head`; undefined when there are none. */
  preparedAfter(head: ChainState): PreparedBlock | undefined {
    return this.#prepared?.head === head ? this.#prepared : undefined;
  }

  /** Records the hash of the block built from the preparation of `head`. */
  built(head: ChainState, hash: Uint8Array): void {
    if (this.#prepared?.head === head) this.#prepared.hash = hash;
  }

  /** Discards a preparation from which no block was built. */
  discardUnbuilt(): void {
    if (this.#prepared?.hash === undefined) this.#prepared = undefined;
  }

  /** True when the transactions of this block were executed in advance. */
  isPrepared(hash: Uint8Array): boolean {
    const prepared = this.#prepared?.hash;
    return prepared !== undefined && equal(prepared, hash);
  }

  /** Executes pending transactions on `head`; undefined when the head has changed, or nothing fits. */
  async #execute(head: ChainState, carried: CarriedCommit): Promise<Prepared | undefined> {
    const { crypto, ledger, executor, pool } = this.#options;
    if (head !== ledger.state) return undefined;
    const { bytes, gas } = blockRoom(head.consensusParams);
    const reaped = pool.reap({ bytes, gas: -1n, txs: Number(gas / TX_GAS_MIN) });
    const result = await executor.prepare(nextBlockRequest(crypto, head, carried, reaped));
    if (result.kind === 'halted' || result.taken.length === 0) return undefined;
    return { head, carried, txs: result.taken.flatMap((place) => reaped[place]?.tx ?? []), hash: undefined };
  }
}
