/** A consensus actor on virtual time whose host remembers every block. */
import {
  type AfterDecision,
  type ConsensusActor,
  type ConsensusOptions,
  createConsensusActor,
  type Decision,
  type Mining,
} from '../../../src/actors/consensus/consensus-actor.js';
import { medianTime } from '../../../src/core/comet/block-time.js';
import { incrementProposerPriority } from '../../../src/core/comet/proposer-priority.js';
import { type ConsensusTimeouts, ONLY_VALIDATOR_TIMEOUTS } from '../../../src/core/consensus/timeouts.js';
import { type TimeNs, toHeight } from '../../../src/core/primitives.js';
import type { Commit } from '../../../src/core/proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../../../src/core/proto/tendermint/types/validator_pb.js';
import { nodeCrypto } from '../../core/comet/node-crypto.js';
import { VirtualTime } from '../../support/simulated-time.js';
import { after, CHAIN_ID, testBlock, testSet, testSigner } from '../../core/consensus/validators.js';

export interface HarnessOptions {
  readonly validators?: number;
  /** How many of them sign here; all by default. */
  readonly local?: number;
  readonly mining: Mining;
  readonly timeouts?: ConsensusTimeouts;
  /** Validity of the block of a round. */
  readonly valid?: (round: number) => boolean;
  /** Awaited before a decision counts as stored. */
  readonly store?: (decision: Decision) => Promise<void>;
  readonly haltAt?: bigint;
}

export class ActorHarness {
  readonly time = new VirtualTime();
  readonly decisions: Decision[] = [];
  /** When each was decided, nanoseconds. */
  readonly times: TimeNs[] = [];
  readonly lastCommits: (Commit | undefined)[] = [];
  readonly failures: unknown[] = [];
  /** Transactions that wait; a block takes them all. */
  readonly txs: string[] = [];
  readonly actor: ConsensusActor;
  #validators: ValidatorSet;

  constructor(readonly options: HarnessOptions) {
    const count = options.validators ?? 1;
    const signers = Array.from({ length: count }, (_, index) => testSigner(index));
    this.#validators = testSet(signers);
    this.actor = createConsensusActor({
      chainId: CHAIN_ID,
      crypto: nodeCrypto,
      clock: this.time,
      timers: this.time,
      timeouts: options.timeouts ?? ONLY_VALIDATOR_TIMEOUTS,
      mining: options.mining,
      signers: signers.slice(0, options.local ?? count),
      buildBlock: (request) => this.#build(request),
      onDecided: (decision) => this.#decided(decision),
      onFailed: (error) => void this.failures.push(error),
    });
    this.actor.start({ height: toHeight(1n), validators: this.#validators, last: undefined });
  }

  get heights(): readonly bigint[] {
    return this.decisions.map(({ height }) => height);
  }

  /** Transactions of each decided block. */
  get contents(): readonly (readonly string[])[] {
    return this.decisions.map(({ block }) => (block.block.data?.txs ?? []).map((tx) => Buffer.from(tx).toString()));
  }

  submit(tx: string): void {
    this.txs.push(tx);
    this.actor.txsAvailable();
  }

  #build({
    height,
    round,
    lastCommit,
    proposerAddress,
  }: Parameters<ConsensusOptions['buildBlock']>[0]): ReturnType<typeof testBlock> {
    this.lastCommits.push(lastCommit);
    const time = lastCommit === undefined ? this.time.now() : medianTime(lastCommit, this.#validators);
    const valid = this.options.valid?.(round) ?? true;
    return testBlock({
      height,
      time,
      validators: this.#validators,
      txs: [...this.txs],
      lastCommit,
      proposerAddress,
      valid,
    });
  }

  async #decided(decision: Decision): Promise<AfterDecision> {
    this.times.push(this.time.now());
    await this.options.store?.(decision);
    this.decisions.push(decision);
    this.txs.splice(0, decision.block.block.data?.txs.length ?? 0);
    if (decision.height === this.options.haltAt) return { kind: 'halt' };
    const validators = this.#validators;
    this.#validators = incrementProposerPriority(validators, 1);
    if (this.txs.length > 0) this.actor.txsAvailable();
    return {
      kind: 'next',
      next: {
        height: after(decision.height),
        validators: this.#validators,
        last: { commit: decision.commit, validators },
      },
    };
  }
}
