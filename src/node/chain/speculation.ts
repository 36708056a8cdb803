import type { ChainState } from '../../core/chain/chain-state.js';
import { equal } from '../../core/bytes/bytes.js';
import type { ProposedBlock } from '../../core/consensus/block-key.js';
import { FIXED_LIMITS } from '../../core/limits.js';
import { mayHalt } from '../../core/modules/upgrade/plan.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Height } from '../../core/primitives.js';
import type { Commit } from '../../core/proto/tendermint/types/types_pb.js';
import type { DevClock } from '../dev/dev-clock.js';
import { buildBlock, type BuildBlockOptions } from './build-block.js';
import type { EvidencePool } from './evidence-pool.js';

export interface SpeculationOptions {
  readonly crypto: Crypto;
  readonly chainId: string;
  /** Transactions that the next block may hold. */
  readonly pool: { readonly pending: number };
  readonly evidence: Pick<EvidencePool, 'isWaiting'>;
  readonly devClock: DevClock | undefined;
}

interface Speculated {
  readonly proposal: ProposedBlock;
  /** The commit that decided the block before, which the block carries. */
  readonly lastCommit: Commit;
  readonly appHash: Uint8Array;
  readonly proposerAddress: Uint8Array;
}

/**
 * The next empty block of a command that makes many, built while the one before is written: the executor runs it
 * meanwhile (docs/decisions/0028-speculative-blocks.md). Its inputs are compared when consensus asks for the block, so
 * that no block differs from the one that would have been built then.
 */
export class Speculation {
  readonly #options: SpeculationOptions;
  readonly #building: BuildBlockOptions;
  #speculated: Speculated | undefined;
  /** The command that makes the next block makes another one behind it. */
  isFollowed = false;

  constructor(options: SpeculationOptions) {
    this.#options = options;
    const { crypto, chainId, devClock } = options;
    const nothing = { reap: () => [], evidence: () => [], prepared: () => undefined };
    this.#building = { crypto, chainId, devClock, ...nothing };
  }

  /**
   * The block that follows `state`, whose own block is not written yet; undefined when it is not certain enough.
   * `upgradeHeight`: the height at which a plan is due, as of that state.
   */
  after(state: ChainState, upgradeHeight: Height | undefined): ProposedBlock | undefined {
    this.#speculated = undefined;
    const { lastCommit, validators, height } = state;
    const [proposer, ...others] = validators.validators;
    if (!this.isFollowed || lastCommit === undefined || proposer === undefined || others.length > 0) return undefined;
    if (!this.#isEmpty(state) || mayHalt(upgradeHeight, height + 1n)) return undefined;
    // The checkpoint of a height is taken before the next block is executed.
    if (height % FIXED_LIMITS.checkpointBlocks === 0n) return undefined;
    const { address: proposerAddress } = proposer;
    const proposal = buildBlock(this.#building, state, lastCommit, proposerAddress);
    this.#speculated = { proposal, lastCommit, appHash: state.appHash, proposerAddress };
    return proposal;
  }

  /** The block that was built for this state, if it would be built in the same way now. */
  take(state: ChainState, lastCommit: Commit | undefined, proposerAddress: Uint8Array): ProposedBlock | undefined {
    const speculated = this.#speculated;
    this.#speculated = undefined;
    if (speculated === undefined || lastCommit === undefined || !this.#isEmpty(state)) return undefined;
    const { proposal } = speculated;
    const { header } = proposal.block;
    const isSame =
      header?.height === state.height + 1n &&
      equal(header.lastBlockId?.hash ?? NO_BYTES, state.lastBlockId?.hash ?? NO_BYTES) &&
      equal(speculated.appHash, state.appHash) &&
      equal(speculated.proposerAddress, proposerAddress) &&
      equal(onlySignature(speculated.lastCommit), onlySignature(lastCommit));
    return isSame ? proposal : undefined;
  }

  /** Nothing waits for the block after `state`, and no command has set its time. */
  #isEmpty({ height, time }: ChainState): boolean {
    const { pool, evidence, devClock } = this.#options;
    return pool.pending === 0 && !evidence.isWaiting && devClock?.nextTime(height, time) === undefined;
  }
}

const NO_BYTES = new Uint8Array(0);

/** The signature of an only validator, which covers the whole commit. */
function onlySignature({ signatures }: Commit): Uint8Array {
  return signatures[0]?.signature ?? NO_BYTES;
}
