/**
 * Block production by the validators of this process: loops the pure step to quiescence within one turn, and owns the
 * only clocks of consensus (pause between blocks, round timeouts). At most one block is in flight; transactions that
 * arrive meanwhile wait for the next one.
 */
import { create } from '@bufbuild/protobuf';
import { precommitsOf } from '../../core/consensus/commit.js';
import type { ProposedBlock } from '../../core/consensus/block-key.js';
import type { ConsensusNotice } from '../../core/consensus/events.js';
import type { ConsensusEffect, ConsensusInput, RoundState } from '../../core/consensus/round-state.js';
import { startHeight, step } from '../../core/consensus/step.js';
import { type ConsensusTimeouts, replacesTimeout, type Timeout } from '../../core/consensus/timeouts.js';
import type { Voter } from '../../core/consensus/vote-set.js';
import { ed25519Address } from '../../core/comet/address.js';
import { emptyBlockId } from '../../core/comet/complete.js';
import { proposerOfRound } from '../../core/comet/proposer-priority.js';
import { toTimestamp } from '../../core/comet/time.js';
import { indexOfAddress } from '../../core/comet/validator-set.js';
import { voteSignBytes } from '../../core/comet/vote.js';
import { invariant } from '../../core/errors.js';
import type { ConsensusSigner, Crypto } from '../../core/ports/crypto.js';
import type { Clock, Timers } from '../../core/ports/time.js';
import { type Height, toTimeNs } from '../../core/primitives.js';
import { type Commit, type Vote, VoteSchema } from '../../core/proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../../core/proto/tendermint/types/validator_pb.js';

/** What the next height starts from. `lastCommit` and its validators are absent before the first block. */
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

export type AfterDecision = { readonly kind: 'next'; readonly next: NextHeight } | { readonly kind: 'halt' };

/** When the pause between blocks ends; milliseconds. */
export type Mining =
  | { readonly kind: 'instant'; readonly heartbeatMs: number | undefined }
  | { readonly kind: 'interval'; readonly intervalMs: number }
  | { readonly kind: 'manual' };

export interface ConsensusOptions {
  readonly chainId: string;
  readonly crypto: Pick<Crypto, 'sha256'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly timeouts: ConsensusTimeouts;
  readonly mining: Mining;
  readonly signers: readonly ConsensusSigner[];
  /** Asked once per proposed round, of the proposer; the answer is the proposal. */
  readonly buildBlock: (request: {
    readonly height: Height; readonly round: number; readonly lastCommit: Commit | undefined; readonly proposerAddress: Uint8Array;
  }) => Promise<ProposedBlock> | ProposedBlock;
  /** Stores and executes; the next height starts when it resolves. */
  readonly onDecided: (decision: Decision) => Promise<AfterDecision>;
  /** Production stopped for good: building or committing failed. */
  readonly onFailed: (error: unknown) => void;
}

export type ConsensusMode = 'waiting' | 'deciding' | 'committing' | 'halted' | 'failed' | 'stopped';

export interface ConsensusActor {
  readonly mode: () => ConsensusMode;
  /** State of the first local validator, for consensus_state. */
  readonly roundState: () => RoundState | undefined;
  start(next: NextHeight): void;
  /** Transactions wait; in instant mode a block begins on a later turn. */
  txsAvailable(): void;
  /** Begins a block now, in any mining mode; false when one is in flight or production has stopped. */
  mine(): boolean;
  /** No further block; one in flight is finished. */
  halt(): void;
  /** Resolves when no block is in flight; nothing begins afterwards. */
  stop(): Promise<void>;
}

interface Local { readonly signer: ConsensusSigner; readonly address: Uint8Array; readonly index: number; state: RoundState }

export function createConsensusActor(options: ConsensusOptions): ConsensusActor {
  const { clock, timers, timeouts, mining, chainId } = options;
  let mode: ConsensusMode = 'stopped';
  let next: NextHeight | undefined;
  let locals: Local[] = [];
  let trace: ConsensusNotice[] = [];
  let pending = false;
  let closing: 'halted' | 'stopped' | undefined;
  let cancelPause = (): void => undefined;
  let clocks = new Map<Local, { readonly timeout: Timeout; readonly cancel: () => void }>();
  let idle: Promise<void> = Promise.resolve();

  function begin(following: NextHeight): void {
    next = following;
    trace = [];
    const voters = votersOf(following.validators);
    const lastPrecommits = following.last && precommitsOf(following.last.commit, votersOf(following.last.validators));
    const proposer = (round: number): number =>
      indexOfAddress(following.validators, proposerOfRound(following.validators, round).address);
    locals = options.signers.flatMap((signer) => {
      const address = ed25519Address(options.crypto, signer.publicKey);
      const index = indexOfAddress(following.validators, address);
      if (index < 0) return [];
      const { state, effects } = startHeight({ height: following.height, voters, proposer, self: index, timeouts }, lastPrecommits);
      const local = { signer, address, index, state };
      if (trace.length === 0) trace.push(...effects.flatMap((effect) => (effect.kind === 'event' ? [effect.event] : [])));
      return [local];
    });
    mode = closing ?? 'waiting';
    if (mode === 'waiting') armPause();
  }

  function armPause(): void {
    if (mining.kind === 'instant' && pending) return wake();
    const milliseconds = mining.kind === 'interval' ? mining.intervalMs : mining.kind === 'instant' ? mining.heartbeatMs : undefined;
    if (milliseconds !== undefined) cancelPause = timers.after(milliseconds, () => void mine());
  }

  function wake(): void {
    cancelPause();
    cancelPause = timers.after(0, () => void mine());
  }

  function mine(): boolean {
    if (mode !== 'waiting' || next === undefined || locals.length === 0) return false;
    cancelPause();
    pending = false;
    mode = 'deciding';
    const { height } = next;
    idle = run(locals.map((local) => ({ local, input: { kind: 'timeout', timeout: { height, round: 0, step: 'NewHeight' } } })));
    return true;
  }

  async function run(first: readonly Delivery[]): Promise<void> {
    try {
      const decision = await quiesce([...first]);
      if (decision === undefined) return;
      for (const { cancel } of clocks.values()) cancel();
      clocks = new Map();
      mode = 'committing';
      const after = await options.onDecided({ ...decision, trace });
      if (after.kind === 'halt') mode = 'halted';
      else begin(after.next);
    } catch (error) {
      mode = 'failed';
      options.onFailed(error);
    }
  }

  async function quiesce(queue: Delivery[]): Promise<Omit<Decision, 'trace'> | undefined> {
    for (let delivery = queue.shift(); delivery !== undefined; delivery = queue.shift()) {
      const { local, input } = delivery;
      const result = step(local.state, input);
      local.state = result.state;
      for (const effect of result.effects) {
        if (effect.kind === 'event' && local === locals[0]) trace.push(effect.event);
        if (effect.kind === 'decided' && local === locals[0]) return effect;
        queue.push(...(await answer(local, effect)));
      }
    }
    return undefined;
  }

  async function answer(local: Local, effect: ConsensusEffect): Promise<readonly Delivery[]> {
    switch (effect.kind) {
      case 'propose': {
        const { height, round, polRound } = effect;
        const lastCommit = next?.last?.commit;
        const block = effect.block ?? (await options.buildBlock({ height, round, lastCommit, proposerAddress: local.address }));
        return toAll({ kind: 'proposal', proposal: { height, round, polRound, blockId: block.blockId }, block });
      }
      case 'vote': return toAll({ kind: 'vote', vote: sign(local, effect) });
      case 'timeout':
        arm(local, effect.timeout, effect.milliseconds);
        return [];
      default: return [];
    }
  }

  function arm(local: Local, timeout: Timeout, milliseconds: number): void {
    const running = clocks.get(local);
    if (locals.length < 2 && local.state.context.voters.length < 2) return;
    if (!replacesTimeout(running?.timeout, timeout)) return;
    running?.cancel();
    const cancel = timers.after(milliseconds, () => {
      idle = idle.then(() => (mode === 'deciding' ? run([{ local, input: { kind: 'timeout', timeout } }]) : undefined));
    });
    clocks.set(local, { timeout, cancel });
  }

  function toAll(input: ConsensusInput): readonly Delivery[] {
    return locals.map((local) => ({ local, input }));
  }

  function sign(local: Local, effect: Extract<ConsensusEffect, { kind: 'vote' }>): Vote {
    const now = clock.now();
    const earliest = effect.notBefore === undefined ? now : toTimeNs(effect.notBefore + 1_000_000n);
    const vote = create(VoteSchema, {
      type: effect.type, height: effect.height, round: effect.round, blockId: effect.blockId ?? emptyBlockId(),
      timestamp: toTimestamp(now > earliest ? now : earliest), validatorAddress: local.address, validatorIndex: local.index,
    });
    vote.signature = local.signer.sign(voteSignBytes(chainId, vote));
    return vote;
  }

  function close(how: 'halted' | 'stopped'): void {
    closing = how;
    cancelPause();
    if (mode === 'waiting') mode = how;
  }

  return {
    mode: () => mode,
    roundState: () => locals[0]?.state,
    start(following) {
      invariant(mode === 'stopped' || mode === 'halted', 'consensus starts once');
      closing = undefined;
      begin(following);
    },
    txsAvailable() {
      if (pending) return;
      pending = true;
      if (mode === 'waiting' && mining.kind === 'instant') wake();
    },
    mine,
    halt: () => close('halted'),
    async stop() {
      close('stopped');
      await idle;
      for (const { cancel } of clocks.values()) cancel();
    },
  };
}

interface Delivery { readonly local: Local; readonly input: ConsensusInput }

function votersOf(set: ValidatorSet): readonly Voter[] {
  return set.validators.map(({ address, votingPower }) => ({ address, power: votingPower }));
}
