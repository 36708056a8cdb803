import { EMPTY } from '../bytes/bytes.js';
import { ed25519Address } from '../comet/address.js';
import { emptyBlockId } from '../comet/complete.js';
import { proposerOfRound } from '../comet/proposer-priority.js';
import { toTimestamp } from '../comet/time.js';
import { indexOfAddress } from '../comet/validator-set.js';
import { voteSignBytes } from '../comet/vote.js';
import { blockKey, type ProposedBlock } from './block-key.js';
import { commitOf, precommitsOf } from './commit.js';
import type { ConsensusNotice } from './notices.js';
import type { ConsensusEffect, ConsensusInput, RoundState, StepResult } from './round-state.js';
import { startHeight, step } from './step.js';
import { type ConsensusTimeouts, replacesTimeout, type Timeout } from './timeouts.js';
import type { Voter } from './vote-set.js';
import type { ConsensusSigner, Crypto } from '../ports/crypto.js';
import type { Clock } from '../ports/time.js';
import { NS_PER_MS, type Height, toHeight, toTimeNs } from '../primitives.js';
import type { Commit, Vote } from '../proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../proto/tendermint/types/validator_pb.js';
import type { HeightInput, HeightMemory } from './height-memory.js';

/**
 * The chain state from which the next height starts. `lastCommit` and its validators are absent before the first
 * block.
 */
export interface NextHeight {
  readonly height: Height;
  readonly validators: ValidatorSet;
  readonly last: { readonly commit: Commit; readonly validators: ValidatorSet } | undefined;
}

export interface Decision {
  readonly height: Height;
  readonly round: number;
  readonly block: ProposedBlock;
  /** Seen commit: the precommits that this process had at the decision. */
  readonly commit: Commit;
  /** Events of the height from NewRoundStep(NewHeight) to NewRoundStep(Commit), in order. */
  readonly trace: readonly ConsensusNotice[];
}

export interface BlockRequest {
  readonly height: Height;
  readonly round: number;
  /** Commit of the previous block, with the precommits that came after its decision. */
  readonly lastCommit: Commit | undefined;
  readonly proposerAddress: Uint8Array;
}

export interface LocalValidatorsOptions {
  readonly chainId: string;
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly clock: Clock;
  readonly timeouts: ConsensusTimeouts;
  readonly signers: readonly ConsensusSigner[];
  /** Makes the proposal of a round in which a validator of this process is the proposer. */
  readonly buildBlock: (request: BlockRequest) => ProposedBlock;
}

/** Replaces the running round timer of one validator; `undefined` stops it. */
export interface TimerChange {
  readonly self: number;
  readonly start: { readonly timeout: Timeout; readonly milliseconds: number } | undefined;
}

type ProposalInput = Extract<ConsensusInput, { kind: 'proposal' }>;

interface Local {
  readonly signer: ConsensusSigner;
  readonly address: Uint8Array;
  readonly self: number;
  state: RoundState;
}
interface Delivery {
  readonly local: Local;
  readonly input: ConsensusInput;
}

/**
 * The validators of this process at one height. `take` handles an input to its end: one queue delivers every proposal
 * and vote to all of them, until the queue is empty.
 */
export class LocalValidators {
  readonly #options: LocalValidatorsOptions;
  readonly #memory: HeightMemory;
  readonly #signers: readonly { readonly signer: ConsensusSigner; readonly address: Uint8Array }[];
  #locals: readonly Local[] = [];
  #trace: ConsensusNotice[] = [];
  /** Proposals of the height by round. */
  #proposed = new Map<number, ProposalInput>();
  /** The timer that each validator requested last. */
  #timers = new Map<number, Timeout>();
  #changes = new Map<number, TimerChange>();

  constructor(options: LocalValidatorsOptions, memory: HeightMemory) {
    this.#options = options;
    this.#memory = memory;
    this.#signers = options.signers.map((signer) => ({
      signer,
      address: ed25519Address(options.crypto, signer.publicKey),
    }));
  }

  /** Number of local validators in the validator set of the height. */
  get count(): number {
    return this.#locals.length;
  }

  /** Round state of the first local validator. */
  get roundState(): RoundState | undefined {
    return this.#locals[0]?.state;
  }

  /** Enters a height that the memory has begun; inputs to `take` then run its rounds. */
  begin(next: NextHeight): void {
    const { timeouts } = this.#options;
    const { height, validators, last } = next;
    this.#stopTimers();
    const voters = votersOf(validators);
    const lastPrecommits = last && precommitsOf(last.commit, votersOf(last.validators));
    const proposer = (round: number): number => indexOfAddress(validators, proposerOfRound(validators, round).address);
    this.#trace = [];
    this.#proposed = new Map();
    this.#locals = this.#signers
      .flatMap(({ signer, address }) => {
        const self = indexOfAddress(validators, address);
        if (self < 0) return [];
        return [{ signer, address, self }];
      })
      .map(({ signer, address, self }, index) => {
        const { state, effects } = startHeight({ height, voters, proposer, self, timeouts }, lastPrecommits);
        if (index === 0) this.#show(effects);
        return { signer, address, self, state };
      });
    for (const vote of this.#memory.late) {
      for (const local of this.#locals) this.#advance(local, { kind: 'vote', vote });
    }
  }

  /** Begins round 0, or handles the end of a round timer. Undefined when the local votes do not decide yet. */
  take(input: HeightInput): Decision | undefined {
    switch (input.kind) {
      case 'begin': {
        const begun = this.#locals.map((local): Delivery => {
          const { height } = local.state.context;
          return { local, input: { kind: 'timeout', timeout: { height, round: 0, step: 'NewHeight' } } };
        });
        return this.#deliver(begun);
      }
      case 'expired': {
        const { self, timeout } = input;
        const running = this.#timers.get(self);
        // The timer of an input that is taken again has been started above.
        if (running?.round === timeout.round && running.step === timeout.step) this.#changes.delete(self);
        const local = this.#locals.find((one) => one.self === self);
        return local && this.#deliver([{ local, input: { kind: 'timeout', timeout } }]);
      }
    }
  }

  /** Timers to start and stop since the last call, at most one change for each validator. */
  timerChanges(): readonly TimerChange[] {
    if (this.#changes.size === 0) return [];
    const changes = [...this.#changes.values()];
    this.#changes = new Map();
    return changes;
  }

  #show(effects: StepResult['effects']): void {
    for (const effect of effects) if (effect.kind === 'event') this.#trace.push(effect.event);
  }

  #advance(local: Local, input: ConsensusInput): readonly ConsensusEffect[] {
    const { state, effects } = step(local.state, input);
    local.state = state;
    if (local === this.#locals[0]) this.#show(effects);
    return effects;
  }

  /**
   * Runs the queue to its end, also after the decision, so that the next block's commit has every validator's
   * precommit.
   */
  #deliver(first: readonly Delivery[]): Decision | undefined {
    const queue = [...first];
    let decision: Decision | undefined;
    for (let delivery = queue.shift(); delivery !== undefined; delivery = queue.shift()) {
      const { local, input } = delivery;
      const { round: before } = local.state;
      const effects = this.#advance(local, input);
      if (local.state.round !== before) for (const earlier of this.#earlierProposal(local)) queue.push(earlier);
      for (const effect of effects) {
        if (effect.kind === 'decided' && local === this.#locals[0]) {
          const { height, round, block, commit } = effect;
          decision = { height, round, block, commit, trace: this.#trace };
        }
        for (const answer of this.#answer(local, effect)) queue.push(answer);
      }
    }
    if (decision !== undefined) this.#stopTimers();
    return decision;
  }

  /**
   * Delivers the proposal of the round that a validator has just entered, if another validator made it earlier. The
   * consensus step ignores proposals of future rounds, and there is no gossip to resend them (CometBFT v0.38
   * `consensus/reactor.go`, gossipDataRoutine).
   */
  #earlierProposal(local: Local): readonly Delivery[] {
    const input = this.#proposed.get(local.state.round);
    return input === undefined ? [] : [{ local, input }];
  }

  #answer(local: Local, effect: ConsensusEffect): readonly Delivery[] {
    switch (effect.kind) {
      case 'propose': {
        const { height, round, polRound } = effect;
        const { address: proposerAddress } = local;
        const block = this.#memory.proposal(
          round,
          () =>
            effect.block ??
            this.#options.buildBlock({ height, round, lastCommit: lastCommitOf(local), proposerAddress }),
        );
        const proposal = { height, round, polRound, blockId: block.blockId };
        const input: ProposalInput = { kind: 'proposal', proposal, block };
        this.#proposed.set(round, input);
        return this.#toAll(input);
      }
      case 'vote': {
        const vote = this.#memory.vote(local.self, effect.round, effect.type, () => this.#sign(local, effect));
        return this.#toAll({ kind: 'vote', vote });
      }
      case 'want-block': {
        const wanted = blockKey(effect.blockId);
        const block = [...this.#memory.proposals()].find(({ blockId }) => blockKey(blockId) === wanted);
        return block === undefined ? [] : [{ local, input: { kind: 'block', block } }];
      }
      case 'timeout':
        this.#startTimer(local, effect.timeout, effect.milliseconds);
        return [];
      case 'conflict':
      case 'decided':
      case 'event':
        return [];
    }
  }

  #startTimer({ self, state }: Local, timeout: Timeout, milliseconds: number): void {
    // A sole validator waits for its own proposal only.
    if (timeout.step === 'Propose' && state.context.voters.length === 1) return;
    if (!replacesTimeout(this.#timers.get(self), timeout)) return;
    this.#timers.set(self, timeout);
    this.#changes.set(self, { self, start: { timeout, milliseconds } });
  }

  #stopTimers(): void {
    for (const self of this.#timers.keys()) this.#changes.set(self, { self, start: undefined });
    this.#timers = new Map();
  }

  #toAll(input: ConsensusInput): readonly Delivery[] {
    return this.#locals.map((local) => ({ local, input }));
  }

  #sign(local: Local, effect: Extract<ConsensusEffect, { kind: 'vote' }>): Vote {
    const now = this.#options.clock.now();
    const earliest = effect.notBefore === undefined ? now : toTimeNs(effect.notBefore + NS_PER_MS);
    const voted = {
      type: effect.type,
      height: effect.height,
      round: effect.round,
      blockId: effect.blockId ?? emptyBlockId(),
      timestamp: toTimestamp(now > earliest ? now : earliest),
    };
    return {
      $typeName: 'tendermint.types.Vote',
      ...voted,
      validatorAddress: local.address,
      validatorIndex: local.self,
      signature: local.signer.sign(voteSignBytes(this.#options.chainId, voted)),
      extension: EMPTY,
      extensionSignature: EMPTY,
    };
  }
}

/** Commit of the previous block, with the late precommits that this validator has seen. */
function lastCommitOf({ state }: Local): Commit | undefined {
  const { lastPrecommits } = state;
  const [decisive] = lastPrecommits?.votes.values() ?? [];
  return lastPrecommits && decisive && commitOf(toHeight(decisive.height), decisive.round, lastPrecommits);
}

function votersOf(set: ValidatorSet): readonly Voter[] {
  return set.validators.map(({ address, votingPower }) => ({ address, power: votingPower }));
}
