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

/** Gas of the cheapest transaction: a block holds no more of them than its gas limit has room for. */
const LEAST_GAS = 21_000n;

export interface FillBlocksOptions {
  readonly crypto: Sha256;
  readonly ledger: Pick<Ledger, 'state' | 'upgradeHeight'>;
  readonly executor: Pick<RestartingExecutor, 'prepare'>;
  /** Evidence is executed before the transactions: a block that holds some is not executed in advance. */
  readonly evidence: Pick<EvidencePool, 'isWaiting'>;
  /** The transactions that wait. */
  readonly pool: { readonly pendingGas: bigint; reap(room: BlockRoom): readonly PoolTransaction[] };
}

/** The transactions of the next block, executed and cut. */
interface Prepared extends PreparedBlock {
  /** The head on which they were executed. */
  readonly head: ChainState;
  /** Hash of the block that was built of them. */
  hash: Uint8Array | undefined;
}

/**
 * Blocks of an only validator that are filled by the gas that their transactions use: where the gas limits of all that
 * waits exceed a block, the executor runs the transactions first, and the block has those that fitted. That is the
 * execution of the block when it is decided.
 */
export class FillBlocks {
  readonly #options: FillBlocksOptions;
  /** Number of the last requested preparation: the executor holds that one alone. */
  #requests = 0;
  /** Ends with the preparation that the executor runs. */
  #running: Promise<unknown> = Promise.resolve();
  #prepared: Prepared | undefined;

  constructor(options: FillBlocksOptions) {
    this.#options = options;
  }

  /** True when `prepare` puts more into the next block than the gas limits of transactions allow. */
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
      // The decision of a block that may halt is in the log before it is executed.
      !mayHalt(upgradeHeight, state.height + 1n)
    );
  }

  /**
   * Executes transactions for the block after the head, which carries that commit; without effect when the head has
   * changed meanwhile. Begins when the preparation before it has ended, so that the executor has no queue of them.
   * Resolves with false when another preparation was requested meanwhile: no block may be built of this one.
   */
  async prepare(carried: CarriedCommit): Promise<boolean> {
    const request = (this.#requests += 1);
    this.#prepared = undefined;
    const head = this.#options.ledger.state;
    // The caller of the preparation before has received its failure.
    await this.#running.catch(() => undefined);
    if (request !== this.#requests) return false;
    const running = this.#execute(head, carried);
    this.#running = running;
    const prepared = await running;
    if (request !== this.#requests) return false;
    this.#prepared = prepared;
    return true;
  }

  /** The prepared part of the block after `head`; undefined when nothing is prepared. */
  preparedAfter(head: ChainState): PreparedBlock | undefined {
    return this.#prepared?.head === head ? this.#prepared : undefined;
  }

  /** The block of the prepared transactions of this head was built. */
  built(head: ChainState, hash: Uint8Array): void {
    if (this.#prepared?.head === head) this.#prepared.hash = hash;
  }

  /** No block was built of what is prepared: later ones are built of what waits then. */
  forgetUnbuilt(): void {
    if (this.#prepared?.hash === undefined) this.#prepared = undefined;
  }

  /** True when the transactions of the block with this hash were executed in advance. */
  isPrepared(hash: Uint8Array): boolean {
    const prepared = this.#prepared?.hash;
    return prepared !== undefined && equal(prepared, hash);
  }

  /** Executes what waits for the block after `head`; undefined when that is no longer the head, or nothing fits. */
  async #execute(head: ChainState, carried: CarriedCommit): Promise<Prepared | undefined> {
    const { crypto, ledger, executor, pool } = this.#options;
    if (head !== ledger.state) return undefined;
    const { bytes, gas } = blockRoom(head.consensusParams);
    const reaped = pool.reap({ bytes, gas: -1n, txs: Number(gas / LEAST_GAS) });
    const result = await executor.prepare(nextBlockRequest(crypto, head, carried, reaped));
    if (result.kind === 'halted' || result.taken.length === 0) return undefined;
    return { head, carried, txs: result.taken.flatMap((place) => reaped[place]?.tx ?? []), hash: undefined };
  }
}
