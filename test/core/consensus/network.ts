/**
 * Validators of one height in one process, without clocks. A schedule decides which messages are delivered, lost or
 * repeated, and whose timer expires. After synchrony every message reaches every member, and timers expire in
 * order of their deadlines.
 */
import { blockKey, type ProposedBlock } from '../../../src/core/consensus/block-key.js';
import type {
  ConsensusEffect,
  ConsensusInput,
  RoundState,
  StepResult,
} from '../../../src/core/consensus/round-state.js';
import { STEP_RANK } from '../../../src/core/consensus/round-step.js';
import { startHeight, step } from '../../../src/core/consensus/step.js';
import { DEFAULT_TIMEOUTS, replacesTimeout, type Timeout } from '../../../src/core/consensus/timeouts.js';
import type { Voter } from '../../../src/core/consensus/vote-set.js';
import { toHeight } from '../../../src/core/primitives.js';
import { SignedMsgType } from '../../../src/core/proto/tendermint/types/types_pb.js';
import { addressOf, fakeVote, namedBlock } from './step-harness.js';

const HEIGHT = toHeight(1n);

export interface NetworkOptions {
  readonly powers: readonly bigint[];
  /** Members that never run; `lie` sends votes in their name. */
  readonly faulty: ReadonlySet<number>;
  /** Shifts the first proposer. */
  readonly offset: number;
  /** Proposals of earlier rounds are invalid. */
  readonly validFrom: number;
}

export type Decided = Extract<ConsensusEffect, { kind: 'decided' }>;
interface Member {
  readonly self: number;
  state: RoundState;
  timer: { readonly timeout: Timeout; readonly deadline: number } | undefined;
}
interface Message {
  readonly from: number;
  readonly to: number;
  readonly input: ConsensusInput;
}

export class Network {
  readonly decisions = new Map<number, Decided>();
  /** Every vote that an honest member signed. A second vote of the same round and type is a violation. */
  readonly signed = new Map<string, string>();
  readonly violations: string[] = [];
  readonly blocks: ProposedBlock[] = [];
  readonly voters: readonly Voter[];
  readonly #members: readonly Member[];
  readonly #history: ConsensusInput[] = [];
  #inFlight: Message[] = [];
  #now = 0;

  constructor(readonly options: NetworkOptions) {
    const { powers, faulty, offset } = options;
    this.voters = powers.map((power, index) => ({ address: addressOf(index), power }));
    const honest = powers.flatMap((_, self) => (faulty.has(self) ? [] : [self]));
    const proposer = (round: number): number => (round + offset) % powers.length;
    this.#members = honest.map((self) => {
      const begun = startHeight(
        { height: HEIGHT, voters: this.voters, proposer, self, timeouts: DEFAULT_TIMEOUTS },
        undefined,
      );
      const member: Member = { self, state: begun.state, timer: undefined };
      this.#take(member, begun);
      return member;
    });
  }

  get honest(): number {
    return this.#members.length;
  }

  get maxRound(): number {
    return Math.max(...this.#members.map(({ state }) => state.round));
  }

  /** One move of an adversary who controls the network and all clocks. */
  act(move: 'deliver' | 'drop' | 'repeat' | 'timeout', choice: number): void {
    if (move === 'timeout') {
      const member = this.#members[choice % this.#members.length];
      if (member !== undefined) this.#expire(member);
      return;
    }
    const index = choice % Math.max(1, this.#inFlight.length);
    const message = this.#inFlight[index];
    if (message === undefined) return;
    if (move !== 'repeat') this.#inFlight.splice(index, 1);
    if (move !== 'drop') this.#deliver(message);
  }

  /**
   * Messages in transit are delivered on links that are up (bit `from` of `links[to]`) and lost on others; then
   * running timers may expire.
   */
  exchange(links: readonly number[], timersEnd: boolean): void {
    const sent = this.#inFlight;
    this.#inFlight = [];
    for (const message of sent) {
      const { from, to } = message;
      if (from === to || (((links[to] ?? 0) >> from) & 1) === 1) this.#deliver(message);
    }
    if (timersEnd) for (const member of this.#members) this.#expire(member);
  }

  /** Sends one member a vote of a faulty member for some block or nil. */
  lie(choice: number): void {
    const liars = [...this.options.faulty];
    const liar = liars[choice % Math.max(1, liars.length)];
    const target = this.#members[(choice >> 3) % this.#members.length];
    if (liar === undefined || target === undefined) return;
    const type = (choice >> 6) % 2 === 0 ? SignedMsgType.PREVOTE : SignedMsgType.PRECOMMIT;
    const block = this.blocks[(choice >> 7) % (this.blocks.length + 1)];
    this.#deliver({
      to: target.self,
      input: { kind: 'vote', vote: fakeVote(type, HEIGHT, (choice >> 10) % (this.maxRound + 2), liar, block) },
    });
  }

  /** True when all honest members decide within `maxRounds` more rounds. */
  synchronise(maxRounds: number): boolean {
    const last = this.maxRound + maxRounds;
    while (this.decisions.size < this.#members.length) {
      this.#gossip();
      if (this.decisions.size === this.#members.length) return true;
      const [next] = this.#members
        .filter(({ timer }) => timer !== undefined)
        .sort((a, b) => (a.timer?.deadline ?? 0) - (b.timer?.deadline ?? 0));
      if (next === undefined || this.maxRound > last) return false;
      this.#now = Math.max(this.#now, next.timer?.deadline ?? 0);
      this.#expire(next);
    }
    return true;
  }

  /** Delivers every message to every member until no member sends a new one. */
  #gossip(): void {
    for (let before = ''; before !== this.#fingerprint();) {
      before = this.#fingerprint();
      for (let message = this.#inFlight.shift(); message !== undefined; message = this.#inFlight.shift())
        this.#deliver(message);
      const known = [...this.#history, ...this.blocks.map((block) => ({ kind: 'block', block }) as const)];
      for (const input of known) for (const { self } of this.#members) this.#deliver({ to: self, input });
    }
  }

  #fingerprint(): string {
    const places = this.#members.map(
      ({ state }) =>
        `${state.round}${state.step}${[...state.votes.values()].map(({ prevotes, precommits }) => `${prevotes.votes.size},${precommits.votes.size}`).join()}`,
    );
    return `${this.#history.length} ${this.#inFlight.length} ${places.join(' ')}`;
  }

  #expire(member: Member): void {
    const { timer } = member;
    member.timer = undefined;
    if (timer !== undefined) this.#deliver({ to: member.self, input: { kind: 'timeout', timeout: timer.timeout } });
  }

  #deliver({ to, input }: Omit<Message, 'from'>): void {
    const member = this.#members.find(({ self }) => self === to);
    if (member === undefined) return;
    const { round, step: place } = member.state;
    const result = step(member.state, input);
    const back =
      result.state.round < round || (result.state.round === round && STEP_RANK[result.state.step] < STEP_RANK[place]);
    if (back) this.violations.push(`${to} went back from ${round} ${place}`);
    this.#take(member, result);
  }

  #take(member: Member, { state, effects }: StepResult): void {
    member.state = state;
    for (const effect of effects) this.#answer(member, effect);
  }

  #answer(member: Member, effect: ConsensusEffect): void {
    switch (effect.kind) {
      case 'propose': {
        const { height, round, polRound } = effect;
        const block = effect.block ?? namedBlock(`${round}-${member.self}`, round >= this.options.validFrom);
        if (effect.block === undefined) this.blocks.push(block);
        return this.#send(
          { kind: 'proposal', proposal: { height, round, polRound, blockId: block.blockId }, block },
          member.self,
        );
      }
      case 'vote': {
        const key = `${member.self} ${effect.round} ${effect.type}`;
        if (this.signed.has(key)) this.violations.push(`signed twice: ${key}`);
        this.signed.set(key, blockKey(effect.blockId));
        const vote = fakeVote(effect.type, HEIGHT, effect.round, member.self, undefined);
        if (effect.blockId !== undefined) vote.blockId = effect.blockId;
        return this.#send({ kind: 'vote', vote }, member.self);
      }
      case 'timeout':
        if (replacesTimeout(member.timer?.timeout, effect.timeout))
          member.timer = { timeout: effect.timeout, deadline: this.#now + effect.milliseconds };
        return;
      case 'want-block': {
        const block = this.blocks.find(({ blockId }) => blockKey(blockId) === blockKey(effect.blockId));
        if (block !== undefined)
          this.#inFlight.push({ from: member.self, to: member.self, input: { kind: 'block', block } });
        return;
      }
      case 'decided':
        if (this.decisions.has(member.self)) this.violations.push(`${member.self} decided twice`);
        this.decisions.set(member.self, effect);
        member.timer = undefined;
        return;
      case 'event':
      case 'conflict':
    }
  }

  #send(input: ConsensusInput, from: number): void {
    this.#history.push(input);
    for (const [to] of this.voters.entries()) this.#inFlight.push({ from, to, input });
  }
}
