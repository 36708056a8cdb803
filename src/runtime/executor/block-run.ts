import { HeightMemory } from '../../core/consensus/height-memory.js';
import { LocalValidators, type Decision } from '../../core/consensus/local-validators.js';
import { afterBlock, withAppHash, type ChainState } from '../../core/chain/chain-state.js';
import type { FinalizeBlockRequest, FinalizeBlockResult } from '../../core/application-requests.js';
import { SOLE_VALIDATOR_TIMEOUTS } from '../../core/consensus/timeouts.js';
import { invariant } from '../../core/errors.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { mayHalt } from '../../core/modules/upgrade/plan.js';
import type { ConsensusSigner, Crypto } from '../../core/ports/crypto.js';
import { toHeight, toTimeNs, type Height, type TimeNs } from '../../core/primitives.js';
import { buildBlock } from '../../core/chain/build-block.js';
import { executedBlockOf, finalizeRequest } from '../../core/chain/execution.js';
import { HASHED_AT_ONCE, type MadeBlock } from './protocol.js';

export interface BlockRunOptions {
  readonly crypto: Crypto;
  /** The head; it must have a single validator. */
  readonly head: ChainState;
  readonly signer: ConsensusSigner;
  /** Monotonic clock, nanoseconds. */
  readonly monotonicNs: () => bigint;
  /** Executes a block and commits it to the trees. */
  readonly execute: (request: FinalizeBlockRequest) => {
    readonly result: FinalizeBlockResult;
    readonly appHash: Uint8Array;
  };
}

/**
 * Makes consecutive empty blocks with a single validator: builds, decides and executes each one in a single turn of one
 * thread (docs/decisions/0028-blocks-in-runs.md).
 */
export class BlockRun {
  readonly #options: BlockRunOptions;
  readonly #memory = new HeightMemory();
  readonly #validators: LocalValidators;
  #state: ChainState;
  #now: () => TimeNs;
  /** False when the run has ended and the main thread takes over. */
  #goesOn = true;

  constructor(options: BlockRunOptions) {
    const { crypto, head, signer } = options;
    this.#options = options;
    this.#state = head;
    this.#now = () => head.time;
    const empty = { reap: () => [], evidence: () => [], prepared: () => undefined, devClock: undefined };
    const building = { crypto, chainId: head.chainId, ...empty };
    this.#validators = new LocalValidators(
      {
        chainId: head.chainId,
        crypto,
        clock: { now: () => this.#now() },
        timeouts: SOLE_VALIDATOR_TIMEOUTS,
        signers: [signer],
        buildBlock: ({ lastCommit, proposerAddress }) => buildBlock(building, this.#state, lastCommit, proposerAddress),
      },
      this.#memory,
    );
  }

  /** Makes up to `blocks` further blocks; fewer when the run ends. `now`: earliest vote time of the first one. */
  make(blocks: number, now: TimeNs): readonly MadeBlock[] {
    const begun = this.#options.monotonicNs();
    this.#now = () => toTimeNs(now + this.#options.monotonicNs() - begun);
    const made: MadeBlock[] = [];
    while (this.#goesOn && made.length < blocks) {
      const next = this.#next();
      if (next === undefined) break;
      made.push(next);
    }
    return made;
  }

  #next(): MadeBlock | undefined {
    const { crypto, execute } = this.#options;
    const state = this.#state;
    const decision = this.#decide(state);
    const { block, blockId } = decision.block;
    const { result, appHash } = execute(finalizeRequest(crypto, state, block, blockId.hash));
    if (result.kind === 'halted') {
      this.#goesOn = false;
      return undefined;
    }
    const { results, writes, upgradeHeight } = result;
    const executed = executedBlockOf(state, { block, blockId, commit: decision.commit }, results);
    this.#goesOn =
      results.validatorUpdates.length === 0 &&
      executed.consensusParamUpdates === undefined &&
      writes.length <= HASHED_AT_ONCE &&
      !endsRun(decision.height, upgradeHeight);
    if (this.#goesOn) this.#state = withAppHash(afterBlock(crypto, state, executed), appHash);
    return { decision, result, appHash };
  }

  #decide({ height, validators, lastCommit, lastValidators }: ChainState): Decision {
    const next = toHeight(height + 1n);
    this.#memory.begin(next);
    this.#validators.begin({
      height: next,
      validators,
      last: lastCommit && lastValidators && { commit: lastCommit, validators: lastValidators },
    });
    const decision = this.#validators.take({ kind: 'begin' });
    invariant(decision !== undefined, 'an only validator decides its own block at once');
    return decision;
  }
}

/** True when the run must end with this block: a tree checkpoint is due, or the next block may halt. */
export function endsRun(height: Height, upgradeHeight: Height | undefined): boolean {
  return height % FIXED_LIMITS.checkpointBlocks === 0n || mayHalt(upgradeHeight, toHeight(height + 1n));
}
