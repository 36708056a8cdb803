/**
 * Replays the consensus events that node 0 of a recorded network published through `step` of this repository. The
 * inputs are the recorded votes, complete proposals and timeouts, and the output must equal the recorded
 * events, member by member.
 *
 * The recording keeps the order within an event type, but not between types that are a few milliseconds apart. So the
 * replay looks for an order of such inputs that explains the whole recording; for a step that differs from CometBFT no
 * such order exists.
 */
import { create } from '@bufbuild/protobuf';
import { blockIdFromJson } from '../../../src/core/comet/json/block-id-json.js';
import { commitFromJson } from '../../../src/core/comet/json/commit-json.js';
import { proposerOfRound } from '../../../src/core/comet/proposer-priority.js';
import { upperHex } from '../../../src/core/bytes/hex.js';
import { blockKey } from '../../../src/core/consensus/block-key.js';
import { commitOf, precommitsOf } from '../../../src/core/consensus/commit.js';
import {
  type ConsensusEffect,
  type ConsensusInput,
  type HeightContext,
  type RoundState,
  type StepResult,
  votesOf,
} from '../../../src/core/consensus/round-state.js';
import { noticeValue } from '../../../src/core/consensus/notices.js';
import { startHeight, step } from '../../../src/core/consensus/step.js';
import {
  DEFAULT_TIMEOUTS,
  replacesTimeout,
  type Timeout,
  type TimeoutStep,
} from '../../../src/core/consensus/timeouts.js';
import { type Height, toHeight } from '../../../src/core/primitives.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import type { Commit, SignedMsgType, Vote } from '../../../src/core/proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../../../src/core/proto/tendermint/types/validator_pb.js';
import { type RecordedHeight, recordedHeights } from '../comet/recorded-blocks.js';
import { byType, type Line, type Shown, shownEvents, type Type, TYPES, validatorSets } from './recorded-events.js';

export type Decided = Extract<ConsensusEffect, { kind: 'decided' }>;

/** Events that reveal an input of the step function. */
const INPUTS = ['TimeoutPropose', 'TimeoutWait', 'CompleteProposal', 'Vote', 'NewRound'] as const;
/** Inputs of different types this close together may have arrived in either order, milliseconds. */
const UNORDERED_MS = 5;
/** Orders tried before the recording counts as unexplained. */
const MAX_STEPS = 20_000;

/** A point of the search: how many events of each type are explained, and the state reached. */
interface Point {
  readonly state: RoundState;
  readonly explained: Readonly<Record<Type, number>>;
  readonly timer: Timeout | undefined;
  /** Own votes that the step requested and the recording has not shown yet. */
  readonly own: readonly string[];
  readonly decided: readonly Decided[];
  /** The last commit of each block that node 0 built in round 0. */
  readonly built: readonly Commit[];
}

export interface Explanation {
  readonly decided: readonly Decided[];
  readonly built: readonly Commit[];
  readonly explained: Readonly<Record<Type, number>>;
  /** The next events at the furthest point, if the recording could not be explained. */
  readonly stuck: string | undefined;
}

export class RecordedNetwork {
  readonly heights: ReadonlyMap<bigint, RecordedHeight>;
  readonly #sets: ReadonlyMap<bigint, ValidatorSet>;
  readonly #shown: Readonly<Record<Type, readonly Shown[]>>;

  constructor(
    name: 'net4' | 'net4b',
    private readonly self: string,
    edit?: (line: Line) => Line,
  ) {
    this.heights = new Map(
      recordedHeights(`simple-kv/${name}-blocks.jsonl`).map((line) => [BigInt(line.height), line]),
    );
    this.#shown = shownEvents(name, edit);
    this.#sets = validatorSets(
      this.heights,
      TYPES.flatMap((type) => this.#shown[type]).reduce((last, { height }) => (height > last ? height : last), 0n),
    );
  }

  /** Searches for an order of inputs that gives all recorded events from the start of height 2 on. */
  explain(): Explanation {
    const first = this.#begin(toHeight(2n), this.#lastPrecommits(toHeight(1n)));
    // The recording begins after the events at the start of height 2.
    const begin: Point = {
      state: first.state,
      explained: byType(() => 0),
      timer: timeoutOf(first),
      own: [],
      decided: [],
      built: [],
    };
    const stack = [begin];
    let furthest = begin;
    for (let steps = 0; steps < MAX_STEPS; steps += 1) {
      const point = stack.pop();
      if (point === undefined) break;
      if (total(point) > total(furthest)) furthest = point;
      if (TYPES.every((type) => point.explained[type] === this.#shown[type].length))
        return { ...point, stuck: undefined };
      stack.push(...this.#successors(point).reverse());
    }
    return { ...furthest, stuck: this.#describe(furthest) };
  }

  #successors(point: Point): Point[] {
    const waiting = INPUTS.flatMap((type) => {
      const event = this.#shown[type][point.explained[type]];
      // Later rounds begin without an input.
      return event === undefined || (type === 'NewRound' && event.round > 0) ? [] : [{ type, event }];
    });
    const earliest = Math.min(...waiting.map(({ event }) => event.t));
    return waiting
      .filter(({ event }) => event.t <= earliest + UNORDERED_MS)
      .toSorted((a, b) => a.event.t - b.event.t)
      .flatMap(({ type, event }) => this.#inputs(point, type, event))
      .flatMap((input) => this.#follow(point, input));
  }

  /** All inputs that the event may stand for: a recording lacks the proof-of-lock round of a proposal. */
  #inputs({ state, timer, own }: Point, type: (typeof INPUTS)[number], event: Shown): readonly ConsensusInput[] {
    const timeout = (timed: TimeoutStep): readonly ConsensusInput[] =>
      timer?.step === timed && timer.round === event.round && timer.height === event.height
        ? [{ kind: 'timeout', timeout: timer }]
        : [];
    switch (type) {
      case 'NewRound':
        return timeout('NewHeight');
      case 'TimeoutPropose':
        return timeout('Propose');
      case 'TimeoutWait':
        return timeout(event.step === 'RoundStepPrecommit' ? 'PrecommitWait' : 'PrevoteWait');
      case 'Vote': {
        const { vote } = event;
        if (vote === undefined) return [];
        const isOwn = upperHex(vote.validatorAddress) === this.self;
        return isOwn && !own.includes(choice(vote.type, vote.round, vote.blockId)) ? [] : [{ kind: 'vote', vote }];
      }
      case 'CompleteProposal': {
        if (event.blockId === undefined) return [];
        const blockId = blockIdFromJson(event.blockId);
        // The content of the block does not influence the step function.
        const block = { blockId, block: create(BlockSchema, {}), encoded: new Uint8Array(), valid: true };
        const rounds = [...state.votes].flatMap(([round, { prevotes }]) =>
          round < event.round && (prevotes.powerOf.get(blockKey(blockId)) ?? 0n) > 0n ? [round] : [],
        );
        return [...rounds.toReversed(), -1].map((polRound): ConsensusInput => ({
          kind: 'proposal',
          proposal: { height: toHeight(event.height), round: event.round, polRound, blockId },
          block,
        }));
      }
    }
  }

  /** The point after an input, if the recording continues with exactly the events of the step; otherwise empty. */
  #follow(point: Point, input: ConsensusInput): readonly Point[] {
    const stepped = step(point.state, input);
    const decided = stepped.effects.find((effect) => effect.kind === 'decided');
    const next =
      decided && this.#begin(toHeight(decided.height + 1n), votesOf(stepped.state, decided.round).precommits);
    const built = stepped.effects.flatMap((effect) =>
      effect.kind === 'propose' && effect.round === 0 ? lastCommit(stepped.state) : [],
    );
    const explained = { ...point.explained };
    let { timer, own } = point;
    if (input.kind === 'vote')
      own = own.filter(
        (one) =>
          one !== choice(input.vote.type, input.vote.round, input.vote.blockId) ||
          upperHex(input.vote.validatorAddress) !== this.self,
      );
    if (input.kind === 'timeout') timer = undefined;
    for (const effect of [...stepped.effects, ...(next?.effects ?? [])]) {
      if (effect.kind === 'timeout' && replacesTimeout(timer, effect.timeout)) timer = effect.timeout;
      if (effect.kind === 'vote') own = [...own, choice(effect.type, effect.round, effect.blockId)];
      if (effect.kind === 'decided') own = [];
      if (effect.kind !== 'event') continue;
      const type = TYPES.find((one) => one === effect.event.type);
      if (type === undefined || this.#shown[type][explained[type]]?.text !== JSON.stringify(noticeValue(effect.event)))
        return [];
      explained[type] += 1;
    }
    if (total({ explained }) === total(point)) return [];
    return [
      {
        state: next?.state ?? stepped.state,
        explained,
        timer,
        own,
        decided: decided === undefined ? point.decided : [...point.decided, decided],
        built: [...point.built, ...built],
      },
    ];
  }

  #begin(height: Height, lastPrecommits: RoundState['lastPrecommits']): StepResult {
    return startHeight(this.#context(height), lastPrecommits);
  }

  #context(height: Height): HeightContext {
    const set = this.#sets.get(height);
    if (set === undefined) throw new Error(`no validators of ${height}`);
    const addresses = set.validators.map(({ address }) => upperHex(address));
    const self = addresses.indexOf(this.self);
    return {
      height,
      voters: set.validators.map(({ address, votingPower }) => ({ address, power: votingPower })),
      proposer: (round) => addresses.indexOf(upperHex(proposerOfRound(set, round).address)),
      self: self < 0 ? undefined : self,
      timeouts: DEFAULT_TIMEOUTS,
    };
  }

  /** The commit of a height without the votes that the recording shows as late. */
  #lastPrecommits(height: Height): RoundState['lastPrecommits'] {
    const json = this.heights.get(height)?.commit?.signed_header.commit;
    if (json === undefined) return undefined;
    const late = new Set(
      this.#shown.Vote.flatMap(({ vote }) => (vote?.height === height ? [upperHex(vote.validatorAddress)] : [])),
    );
    const commit = commitFromJson({
      ...json,
      signatures: json.signatures.map((one) => (late.has(one.validator_address) ? ABSENT : one)),
    });
    return precommitsOf(commit, this.#context(height).voters);
  }

  #describe({ explained, state }: Point): string {
    const next = TYPES.map(
      (type) =>
        `${type} ${explained[type]}/${this.#shown[type].length}: ${this.#shown[type][explained[type]]?.t} ${this.#shown[type][explained[type]]?.text.slice(0, 180)}`,
    );
    return [`at ${state.context.height}/${state.round}/${state.step}, locked in ${state.lockedRound}`, ...next].join(
      '\n',
    );
  }
}

const ABSENT = { block_id_flag: 1, validator_address: '', timestamp: '0001-01-01T00:00:00Z', signature: null } as const;

function total({ explained }: Pick<Point, 'explained'>): number {
  return TYPES.reduce((sum, type) => sum + explained[type], 0);
}

function choice(type: SignedMsgType, round: number, blockId: Vote['blockId']): string {
  return `${type} ${round} ${blockKey(blockId)}`;
}

function lastCommit({ context, lastPrecommits }: RoundState): readonly Commit[] {
  const round = lastPrecommits?.votes.values().next().value?.round;
  return lastPrecommits === undefined || round === undefined
    ? []
    : [commitOf(toHeight(context.height - 1n), round, lastPrecommits)];
}

function timeoutOf({ effects }: StepResult): Timeout | undefined {
  return effects.find((effect) => effect.kind === 'timeout')?.timeout;
}
