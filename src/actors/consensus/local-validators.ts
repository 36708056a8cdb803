/**
 * The validators of this process at one height: delivers every proposal and vote to all of them through one queue until
 * nothing is left to deliver, signs for them and runs their round timers.
 */
import { ed25519Address } from '../../core/comet/address.js';
import { emptyBlockId } from '../../core/comet/complete.js';
import { proposerOfRound } from '../../core/comet/proposer-priority.js';
import { toTimestamp } from '../../core/comet/time.js';
import { indexOfAddress } from '../../core/comet/validator-set.js';
import { voteSignBytes } from '../../core/comet/vote.js';
import { blockKey, type ProposedBlock } from '../../core/consensus/block-key.js';
import { commitOf, precommitsOf } from '../../core/consensus/commit.js';
import type { ConsensusNotice } from '../../core/consensus/notices.js';
import type { ConsensusEffect, ConsensusInput, RoundState, StepResult } from '../../core/consensus/round-state.js';
import { startHeight, step } from '../../core/consensus/step.js';
import { type ConsensusTimeouts, replacesTimeout, type Timeout } from '../../core/consensus/timeouts.js';
import type { Voter } from '../../core/consensus/vote-set.js';
import type { ConsensusSigner, Crypto } from '../../core/ports/crypto.js';
import type { Clock, Timers } from '../../core/ports/time.js';
import { type Height, toHeight, toTimeNs } from '../../core/primitives.js';
import { type Commit, SignedMsgType, type Vote } from '../../core/proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../../core/proto/tendermint/types/validator_pb.js';

/** The state on which the next height starts. `lastCommit` and its validators are absent before the first block. */
export interface NextHeight {
  readonly height: Height;
  readonly validators: ValidatorSet;
  readonly last: { readonly commit: Commit; readonly validators: ValidatorSet } | undefined;
}

export interface Decision {
  readonly height: Height;
  readonly round: number;
  readonly block: ProposedBlock;
  /** The seen commit. */
  readonly commit: Commit;
  /** Events of the height from NewRoundStep(NewHeight) to NewRoundStep(Commit), in order. */
  readonly trace: readonly ConsensusNotice[];
}

export interface BlockRequest {
  readonly height: Height;
  readonly round: number;
  /** With the precommits that came after the decision. */
  readonly lastCommit: Commit | undefined;
  readonly proposerAddress: Uint8Array;
}

export interface LocalValidatorsOptions {
  readonly chainId: string;
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly timeouts: ConsensusTimeouts;
  readonly signers: readonly ConsensusSigner[];
  /** Asked once per proposed round, of the proposer; the answer is the proposal. */
  readonly buildBlock: (request: BlockRequest) => Promise<ProposedBlock> | ProposedBlock;
}

export interface LocalValidators {
  /** How many of them are in the validator set of the height. */
  readonly count: () => number;
  readonly roundState: () => RoundState | undefined;
  begin(next: NextHeight): void;
  /** Ends the pause before round 0. Undefined when the votes of this process do not decide yet. Rejects when building fails. */
  startRound(): Promise<Decision | undefined>;
  timedOut(expired: ExpiredTimeout): Promise<Decision | undefined>;
  cancelTimers(): void;
}

export interface ExpiredTimeout {
  readonly self: number;
  readonly timeout: Timeout;
}

const NO_BYTES = new Uint8Array(0);

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

/** `onTimeout` is told of a round timer that ended; the actor passes it to `timedOut` in its turn. */
export function createLocalValidators(
  options: LocalValidatorsOptions,
  onTimeout: (expired: ExpiredTimeout) => void,
): LocalValidators {
  const { clock, timers, timeouts, chainId } = options;
  const signers = options.signers.map((signer) => ({
    signer,
    address: ed25519Address(options.crypto, signer.publicKey),
  }));
  let locals: readonly Local[] = [];
  let trace: ConsensusNotice[] = [];
  let precommits: readonly Vote[] = [];
  let blocks: readonly ProposedBlock[] = [];
  const running = new Map<number, { readonly timeout: Timeout; readonly cancel: () => void }>();

  function begin(next: NextHeight): void {
    cancelTimers();
    const { height, validators, last } = next;
    const voters = votersOf(validators);
    const lastPrecommits = last && precommitsOf(last.commit, votersOf(last.validators));
    const proposer = (round: number): number => indexOfAddress(validators, proposerOfRound(validators, round).address);
    // Those of the height before only: after a revert the last votes are of a height that was abandoned.
    const late = precommits.filter((vote) => vote.height === height - 1n);
    trace = [];
    precommits = [];
    blocks = [];
    locals = signers
      .flatMap(({ signer, address }) => {
        const self = indexOfAddress(validators, address);
        if (self < 0) return [];
        const { state, effects } = startHeight({ height, voters, proposer, self, timeouts }, lastPrecommits);
        return [{ signer, address, self, state, effects }];
      })
      .map(({ effects, ...local }, index) => {
        if (index === 0) show(effects);
        return local;
      });
    for (const vote of late) {
      for (const local of locals) advance(local, { kind: 'vote', vote });
    }
  }

  function show(effects: StepResult['effects']): void {
    for (const effect of effects) if (effect.kind === 'event') trace.push(effect.event);
  }

  function advance(local: Local, input: ConsensusInput): readonly ConsensusEffect[] {
    const { state, effects } = step(local.state, input);
    local.state = state;
    if (local === locals[0]) show(effects);
    return effects;
  }

  /** Also after the decision, so that every precommit is there for the next block's commit. */
  async function deliver(first: readonly Delivery[]): Promise<Decision | undefined> {
    const queue = [...first];
    let decision: Decision | undefined;
    for (let delivery = queue.shift(); delivery !== undefined; delivery = queue.shift()) {
      for (const effect of advance(delivery.local, delivery.input)) {
        if (effect.kind === 'decided' && delivery.local === locals[0]) {
          const { height, round, block, commit } = effect;
          decision = { height, round, block, commit, trace };
        }
        queue.push(...(await answer(delivery.local, effect)));
      }
    }
    if (decision !== undefined) cancelTimers();
    return decision;
  }

  async function answer(local: Local, effect: ConsensusEffect): Promise<readonly Delivery[]> {
    switch (effect.kind) {
      case 'propose': {
        const { height, round, polRound } = effect;
        const block =
          effect.block ??
          (await options.buildBlock({
            height,
            round,
            lastCommit: lastCommitOf(local),
            proposerAddress: local.address,
          }));
        blocks = [...blocks, block];
        return toAll({ kind: 'proposal', proposal: { height, round, polRound, blockId: block.blockId }, block });
      }
      case 'vote': {
        const vote = sign(local, effect);
        if (effect.type === SignedMsgType.PRECOMMIT) precommits = [...precommits, vote];
        return toAll({ kind: 'vote', vote });
      }
      case 'want-block': {
        const block = blocks.find(({ blockId }) => blockKey(blockId) === blockKey(effect.blockId));
        return block === undefined ? [] : [{ local, input: { kind: 'block', block } }];
      }
      case 'timeout':
        arm(local, effect.timeout, effect.milliseconds);
        return [];
      case 'conflict':
      case 'decided':
      case 'event':
        return [];
    }
  }

  function arm({ self, state }: Local, timeout: Timeout, milliseconds: number): void {
    // An only validator waits for no proposal but its own, however long building takes.
    if (timeout.step === 'Propose' && state.context.voters.length === 1) return;
    const before = running.get(self);
    if (!replacesTimeout(before?.timeout, timeout)) return;
    before?.cancel();
    running.set(self, { timeout, cancel: timers.after(milliseconds, () => onTimeout({ self, timeout })) });
  }

  function cancelTimers(): void {
    for (const { cancel } of running.values()) cancel();
    running.clear();
  }

  function toAll(input: ConsensusInput): readonly Delivery[] {
    return locals.map((local) => ({ local, input }));
  }

  function sign(local: Local, effect: Extract<ConsensusEffect, { kind: 'vote' }>): Vote {
    const now = clock.now();
    const earliest = effect.notBefore === undefined ? now : toTimeNs(effect.notBefore + 1_000_000n);
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
      signature: local.signer.sign(voteSignBytes(chainId, voted)),
      extension: NO_BYTES,
      extensionSignature: NO_BYTES,
    };
  }

  return {
    count: () => locals.length,
    roundState: () => locals[0]?.state,
    begin,
    startRound: () =>
      deliver(
        locals.map((local) => {
          const { height } = local.state.context;
          return { local, input: { kind: 'timeout', timeout: { height, round: 0, step: 'NewHeight' } } };
        }),
      ),
    timedOut: ({ self, timeout }) =>
      deliver(
        locals.filter((local) => local.self === self).map((local) => ({ local, input: { kind: 'timeout', timeout } })),
      ),
    cancelTimers,
  };
}

/** Commit of the block before, with the late precommits this validator has seen. */
function lastCommitOf({ state }: Local): Commit | undefined {
  const { lastPrecommits } = state;
  const [decisive] = lastPrecommits?.votes.values() ?? [];
  return lastPrecommits && decisive && commitOf(toHeight(decisive.height), decisive.round, lastPrecommits);
}

function votersOf(set: ValidatorSet): readonly Voter[] {
  return set.validators.map(({ address, votingPower }) => ({ address, power: votingPower }));
}
