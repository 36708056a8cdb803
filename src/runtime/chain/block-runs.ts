import type { ChainState } from '../../core/chain/chain-state.js';
import { refusalOfFailure, type Outcome } from '../../core/errors.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { mayHalt } from '../../core/modules/upgrade/plan.js';
import type { Height } from '../../core/primitives.js';
import type { BlockClock } from '../../core/chain/block-clock.js';
import type { MadeBlock } from '../executor/protocol.js';
import type { RestartingExecutor } from '../executor/restarting-executor.js';
import { loggedDecision } from './block-pipeline.js';
import type { BlockWriter } from './block-writer.js';
import type { EvidencePool } from './evidence-pool.js';
import type { Ledger } from './ledger.js';

export interface BlockRunsOptions {
  readonly executor: Pick<RestartingExecutor, 'run'>;
  readonly writer: Pick<BlockWriter, 'decidedRows' | 'after' | 'writeNext'>;
  readonly ledger: Pick<Ledger, 'state' | 'upgradeHeight'>;
  /** Number of pending transactions. */
  readonly pool: { readonly pending: number };
  readonly evidence: Pick<EvidencePool, 'isWaiting'>;
  readonly clock: Pick<BlockClock, 'now' | 'nextTime'>;
  /** Private key seed of this process's validator; undefined when blocks are not made in runs. */
  readonly seed: Uint8Array | undefined;
  /** Called when the storage fails; the node must stop. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Makes the empty blocks of a command like `evm_mine` with a count in runs: the executor thread builds several blocks
 * per request, and builds the next ones while the main thread writes the previous ones
 * (docs/decisions/0028-blocks-in-runs.md).
 */
export class BlockRuns {
  readonly #options: BlockRunsOptions;
  /** Last height of the run being written. */
  #through: Height | undefined;

  constructor(options: BlockRunsOptions) {
    this.#options = options;
  }

  /** True when later blocks of the same run follow at once, so nothing should be started on top of this block. */
  isFollowed(height: Height): boolean {
    return this.#through !== undefined && height < this.#through;
  }

  /**
   * Makes up to `maximum` blocks and resolves with their number when they are published; 0 when the next block cannot
   * be made in a run. The caller holds the block-production lease. `isStopping` stops further requests.
   */
  async make(maximum: number, isStopping: () => boolean): Promise<Outcome<number>> {
    const { executor, ledger, clock, seed } = this.#options;
    const head = ledger.state;
    if (seed === undefined || head.validators.validators.length !== 1 || head.lastCommit === undefined) return NONE;
    if (mayHalt(ledger.upgradeHeight, head.height + 1n)) return NONE;
    const untilCheckpoint = FIXED_LIMITS.checkpointBlocks - (head.height % FIXED_LIMITS.checkpointBlocks);
    const room = Math.min(maximum, Number(untilCheckpoint));
    const requests: { readonly blocks: number; readonly made: Promise<readonly MadeBlock[]> }[] = [];
    let begun = 0;
    let made = 0;
    const ask = (): void => {
      const blocks = Math.min(FIXED_LIMITS.blocksOfRun, room - begun);
      if (blocks === 0 || isStopping() || !this.#isEmpty(ledger.state)) return;
      const start = begun === 0 ? { head, seed } : undefined;
      begun += blocks;
      requests.push({ blocks, made: executor.run({ start, blocks, now: clock.now() }) });
    };
    for (let request = 0; request < FIXED_LIMITS.runsRequested; request += 1) ask();
    try {
      for (let next = requests.shift(); next !== undefined; next = requests.shift()) {
        const blocks = await next.made;
        const isWhole = blocks.length === next.blocks;
        if (isWhole) ask();
        await this.#write(blocks);
        made += blocks.length;
        if (isWhole) continue;
        // The run ended early; later requests of the run produce no blocks.
        await Promise.all(requests.map((one) => one.made));
        break;
      }
    } catch (error) {
      this.#options.onFailure(error);
      return { ok: false, error: refusalOfFailure(error) };
    }
    return { ok: true, value: made };
  }

  /** True when the block after `state` would be empty and no command has set its time. */
  #isEmpty({ height, time }: ChainState): boolean {
    const { pool, evidence, clock } = this.#options;
    return pool.pending === 0 && !evidence.isWaiting && clock.nextTime(height, time) === undefined;
  }

  async #write(blocks: readonly MadeBlock[]): Promise<void> {
    const { writer, ledger } = this.#options;
    this.#through = blocks.at(-1)?.decision.height;
    let before = ledger.state;
    let logged: Promise<void>[] = [];
    for (const { decision, result, appHash } of blocks) {
      const { block, commit, trace } = decision;
      const prepared = loggedDecision(writer, { ...block, commit, trace });
      const written = writer.writeNext(prepared, result, writer.after(prepared, result, before), appHash);
      before = written.state;
      // A later block may fail before this promise is awaited.
      written.logged.catch(() => undefined);
      logged.push(written.logged);
      if (!written.hasHistory) continue;
      await Promise.all(logged);
      logged = [];
    }
    await Promise.all(logged);
    this.#through = undefined;
  }
}

const NONE: Outcome<number> = { ok: true, value: 0 };
