/** Validator 0 of four, driven by a script. Its own votes are queued until the script delivers them by `own()`. */
import { create } from '@bufbuild/protobuf';
import { emptyBlockId } from '../../../src/core/comet/complete.js';
import type { ProposedBlock } from '../../../src/core/consensus/block-key.js';
import { blockKey } from '../../../src/core/consensus/block-key.js';
import { noticeValue } from '../../../src/core/consensus/notices.js';
import type {
  ConsensusEffect,
  ConsensusInput,
  RoundState,
  StepResult,
} from '../../../src/core/consensus/round-state.js';
import { startHeight, step } from '../../../src/core/consensus/step.js';
import { DEFAULT_TIMEOUTS, type TimeoutStep } from '../../../src/core/consensus/timeouts.js';
import { type Height, toHeight } from '../../../src/core/primitives.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';
import {
  BlockIDSchema,
  PartSetHeaderSchema,
  SignedMsgType,
  type Vote,
  VoteSchema,
} from '../../../src/core/proto/tendermint/types/types_pb.js';

export type VoteType = SignedMsgType.PREVOTE | SignedMsgType.PRECOMMIT;

/** A block that consists only of an id. */
export function namedBlock(name: string, valid = true): ProposedBlock {
  const hash = new Uint8Array(32).fill(0xee);
  hash.set(Buffer.from(name));
  const blockId = create(BlockIDSchema, { hash, partSetHeader: create(PartSetHeaderSchema, { total: 1, hash }) });
  return { block: create(BlockSchema, {}), encoded: new Uint8Array(), blockId, valid };
}

export function fakeVote(
  type: VoteType,
  height: Height,
  round: number,
  index: number,
  block: ProposedBlock | undefined,
): Vote {
  return create(VoteSchema, {
    type,
    height,
    round,
    blockId: block?.blockId ?? emptyBlockId(),
    validatorAddress: addressOf(index),
    validatorIndex: index,
    signature: new Uint8Array(64).fill(index + 1),
  });
}

export function addressOf(index: number): Uint8Array {
  return new Uint8Array(20).fill(index + 1);
}

/** `Vote round type index choice`, or `Event round step`. */
export function shownEvent(type: string, value: object): string {
  const text = JSON.stringify(value);
  const vote = /"type":(\d).*?"round":(\d+).*?"hash":"(\w*)".*?"validator_index":(\d)/.exec(text);
  if (type === 'Vote' && vote) return `Vote ${vote[2]} ${vote[1]} ${vote[4]} ${vote[3] === '' ? 'nil' : 'block'}`;
  return `${type} ${/"round":(\d+)/.exec(text)?.[1]} ${/RoundStep(\w+)/.exec(text)?.[1]}`;
}

export class StepHarness {
  readonly height: Height;
  readonly effects: ConsensusEffect[] = [];
  state: RoundState;
  readonly #own: Vote[] = [];

  /** `proposers`: index of the proposer of each round. */
  constructor(proposers: readonly number[], height = 1n) {
    this.height = toHeight(height);
    const voters = [0, 1, 2, 3].map((index) => ({ address: addressOf(index), power: 10n }));
    const context = {
      height: this.height,
      voters,
      proposer: (round: number) => proposers[round] ?? 1,
      self: 0,
      timeouts: DEFAULT_TIMEOUTS,
    };
    const begun = startHeight(context, undefined);
    this.state = begun.state;
    this.#keep(begun);
  }

  get events(): readonly string[] {
    return this.effects.flatMap((effect) =>
      effect.kind === 'event' ? [shownEvent(effect.event.type, noticeValue(effect.event))] : [],
    );
  }

  /** The votes of this validator: `round type choice`. */
  get voted(): readonly string[] {
    return this.effects.flatMap((effect) =>
      effect.kind === 'vote'
        ? [`${effect.round} ${effect.type} ${blockKey(effect.blockId) === '' ? 'nil' : 'block'}`]
        : [],
    );
  }

  get decided(): Extract<ConsensusEffect, { kind: 'decided' }> | undefined {
    return this.effects.find((effect) => effect.kind === 'decided');
  }

  begin(): this {
    return this.timeout(0, 'NewHeight');
  }

  timeout(round: number, timed: TimeoutStep): this {
    return this.input({ kind: 'timeout', timeout: { height: this.height, round, step: timed } });
  }

  propose(round: number, block: ProposedBlock, polRound = -1): this {
    return this.input({
      kind: 'proposal',
      proposal: { height: this.height, round, polRound, blockId: block.blockId },
      block,
    });
  }

  prevotes(round: number, block: ProposedBlock | undefined, ...indices: readonly number[]): this {
    for (const index of indices)
      this.input({ kind: 'vote', vote: fakeVote(SignedMsgType.PREVOTE, this.height, round, index, block) });
    return this;
  }

  precommits(round: number, block: ProposedBlock | undefined, ...indices: readonly number[]): this {
    for (const index of indices)
      this.input({ kind: 'vote', vote: fakeVote(SignedMsgType.PRECOMMIT, this.height, round, index, block) });
    return this;
  }

  /** Delivers this validator's oldest queued vote. */
  own(): this {
    const vote = this.#own.shift();
    if (vote === undefined) throw new Error('no own vote is queued');
    return this.input({ kind: 'vote', vote });
  }

  input(input: ConsensusInput): this {
    this.#keep(step(this.state, input));
    return this;
  }

  #keep({ state, effects }: StepResult): void {
    this.state = state;
    this.effects.push(...effects);
    for (const effect of effects) {
      if (effect.kind !== 'vote') continue;
      const vote = fakeVote(effect.type, effect.height, effect.round, 0, undefined);
      if (effect.blockId !== undefined) vote.blockId = effect.blockId;
      this.#own.push(vote);
    }
  }
}
