import { describe, expect, it } from 'vitest';
import { BlockIDFlag } from '../../../src/core/proto/tendermint/types/validator_pb.js';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { namedBlock, shownEvent, StepHarness } from './step-harness.js';

const A = namedBlock('A');
const B = namedBlock('B');

/** A validator that locked A in round 0 and is now in round 1. */
function lockedOnA(proposers: readonly number[] = [1, 2, 3]): StepHarness {
  return new StepHarness(proposers)
    .begin()
    .propose(0, A)
    .own()
    .prevotes(0, A, 1, 2)
    .own()
    .precommits(0, undefined, 1, 2)
    .timeout(0, 'PrecommitWait');
}

interface Recorded {
  readonly ev: string;
  readonly data: { readonly height?: string; readonly Vote?: { readonly height: string } };
}

/** Recorded events of a height by type, without the last `late` votes. The recording has no order between types. */
function recordedByType(height: string, late: number): Readonly<Record<string, readonly string[]>> {
  const lines = goldenLines<Partial<Recorded>>('simple-kv/net4b-events-node0.jsonl');
  const events = lines.flatMap(({ ev, data }) =>
    ev !== undefined && data !== undefined && (data.Vote ?? data).height === height ? [shownEvent(ev, data)] : [],
  );
  const types = byType(events.filter((event) => !/^(NewBlock|Tx)/.test(event)));
  return { ...types, ...(types['Vote'] && { Vote: types['Vote'].slice(0, types['Vote'].length - late) }) };
}

function byType(events: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const types: Record<string, string[]> = {};
  for (const event of events) (types[event.split(' ')[0] ?? ''] ??= []).push(event);
  return types;
}

describe.skipIf(!hasGolden)('consensus step on recorded heights of four validators', () => {
  it('publishes the events of node 0 at height 26: lock, a nil round, relock', () => {
    const node = new StepHarness([1, 2, 3], 26n)
      .begin()
      .prevotes(0, undefined, 3)
      .propose(0, A)
      .prevotes(0, A, 1)
      .own()
      .prevotes(0, A, 2)
      .own()
      .precommits(0, A, 2)
      .precommits(0, undefined, 3, 1)
      .timeout(0, 'PrecommitWait')
      .prevotes(1, undefined, 3, 1)
      .propose(1, A, 0)
      .own()
      .prevotes(1, A, 2)
      .precommits(1, undefined, 3, 1)
      .timeout(1, 'PrevoteWait')
      .own()
      .precommits(1, undefined, 2)
      .timeout(1, 'PrecommitWait')
      .propose(2, A, 0)
      .own()
      .prevotes(2, undefined, 1)
      .prevotes(2, A, 3, 2)
      .own()
      .precommits(2, A, 1, 3);
    expect(byType(node.events)).toEqual(recordedByType('26', 1));
    expect(node.decided?.round).toBe(2);
  });

  it('publishes the events of node 0 at height 27: it repeats its locked block and decides in round 3', () => {
    const node = new StepHarness([2, 3, 0, 1], 27n)
      .begin()
      .prevotes(0, undefined, 1)
      .propose(0, A)
      .prevotes(0, A, 2)
      .own()
      .prevotes(0, A, 3)
      .own()
      .precommits(0, undefined, 3, 1)
      .precommits(0, A, 2)
      .timeout(0, 'PrecommitWait')
      .propose(1, A, 0)
      .own()
      .prevotes(1, undefined, 3, 1)
      .prevotes(1, A, 2)
      .precommits(1, undefined, 3, 1)
      .timeout(1, 'PrevoteWait')
      .own()
      .precommits(1, undefined, 2)
      .timeout(1, 'PrecommitWait');
    expect(node.effects.filter(({ kind }) => kind === 'propose')).toEqual([
      { kind: 'propose', height: 27n, round: 2, polRound: 0, block: A },
    ]);
    node
      .propose(2, A, 0)
      .own()
      .prevotes(2, undefined, 3, 1)
      .precommits(2, undefined, 3)
      .prevotes(2, A, 2)
      .precommits(2, undefined, 1)
      .timeout(2, 'PrevoteWait')
      .own()
      .precommits(2, undefined, 2)
      .timeout(2, 'PrecommitWait')
      .propose(3, A, 0)
      .own()
      .prevotes(3, A, 1)
      .prevotes(3, undefined, 3)
      .prevotes(3, A, 2)
      .own()
      .precommits(3, undefined, 3)
      .precommits(3, A, 1, 2);
    expect(byType(node.events)).toEqual(recordedByType('27', 0));
    expect(node.decided?.round).toBe(3);
  });
});

describe('consensus with a silent proposer', () => {
  it('votes nil, and decides in the next round with an absent signature', () => {
    const node = new StepHarness([3, 1])
      .begin()
      .timeout(0, 'Propose')
      .own()
      .prevotes(0, undefined, 1, 2)
      .own()
      .precommits(0, undefined, 1, 2)
      .timeout(0, 'PrecommitWait')
      .propose(1, A)
      .own()
      .prevotes(1, A, 1, 2)
      .own()
      .precommits(1, A, 1, 2);
    expect(node.events).toEqual([
      'NewRoundStep 0 NewHeight',
      'NewRound 0 NewRound',
      'NewRoundStep 0 Propose',
      'TimeoutPropose 0 Propose',
      'NewRoundStep 0 Prevote',
      'Vote 0 1 0 nil',
      'Vote 0 1 1 nil',
      'Vote 0 1 2 nil',
      'Polka 0 Prevote',
      'NewRoundStep 0 Precommit',
      'Vote 0 2 0 nil',
      'Vote 0 2 1 nil',
      'Vote 0 2 2 nil',
      'NewRoundStep 0 Precommit',
      'TimeoutWait 0 Precommit',
      'NewRound 1 NewRound',
      'NewRoundStep 1 Propose',
      'CompleteProposal 1 Propose',
      'NewRoundStep 1 Prevote',
      'Vote 1 1 0 block',
      'Vote 1 1 1 block',
      'Vote 1 1 2 block',
      'ValidBlock 1 Prevote',
      'Polka 1 Prevote',
      'Lock 1 Prevote',
      'NewRoundStep 1 Precommit',
      'Vote 1 2 0 block',
      'Vote 1 2 1 block',
      'Vote 1 2 2 block',
      'NewRoundStep 1 Commit',
    ]);
    const { COMMIT, ABSENT } = { COMMIT: BlockIDFlag.BLOCK_ID_FLAG_COMMIT, ABSENT: BlockIDFlag.BLOCK_ID_FLAG_ABSENT };
    expect(node.decided?.commit.signatures.map(({ blockIdFlag }) => blockIdFlag)).toEqual([
      COMMIT,
      COMMIT,
      COMMIT,
      ABSENT,
    ]);
    expect(node.decided?.commit.round).toBe(1);
  });
});

describe('a locked validator', () => {
  it('prevotes its locked block, whatever is proposed', () => {
    expect(lockedOnA().propose(1, B).voted).toEqual(['0 1 block', '0 2 block', '1 1 block']);
    expect(
      lockedOnA()
        .propose(1, B)
        .effects.findLast(({ kind }) => kind === 'vote'),
    ).toMatchObject({ blockId: A.blockId });
  });

  it('keeps its lock over a round without a polka', () => {
    const node = lockedOnA().propose(1, B).own().prevotes(1, B, 1).prevotes(1, undefined, 2).timeout(1, 'PrevoteWait');
    expect(node.voted.at(-1)).toBe('1 2 nil');
    expect(node.state.lockedBlock).toBe(A);
  });

  it('unlocks on a polka for nil', () => {
    const node = lockedOnA().propose(1, B).own().prevotes(1, undefined, 1, 2, 3);
    expect(node.events).toContain('Unlock 1 PrevoteWait');
    expect(node.state.lockedBlock).toBeUndefined();
    expect(node.voted.at(-1)).toBe('1 2 nil');
  });

  it('unlocks on a later polka for another block, and locks that block', () => {
    const node = lockedOnA().propose(1, B).own().prevotes(1, B, 1, 2, 3);
    expect(node.events.slice(-5)).toEqual([
      'Unlock 1 PrevoteWait',
      'ValidBlock 1 PrevoteWait',
      'Polka 1 PrevoteWait',
      'Lock 1 PrevoteWait',
      'NewRoundStep 1 Precommit',
    ]);
    expect(node.state).toMatchObject({ lockedRound: 1, lockedBlock: B, validRound: 1, validBlock: B });
  });

  it('unlocks on a polka for an unknown block, requests that block and precommits nil', () => {
    const node = lockedOnA().timeout(1, 'Propose').own().prevotes(1, B, 1, 2, 3).timeout(1, 'PrevoteWait');
    expect(node.effects).toContainEqual({ kind: 'want-block', blockId: B.blockId });
    expect(node.voted.at(-1)).toBe('1 2 nil');
    expect(node.state.lockedBlock).toBeUndefined();
  });
});

describe('a proposal', () => {
  it('of an invalid block gets a nil prevote', () => {
    expect(new StepHarness([1]).begin().propose(0, namedBlock('C', false)).voted).toEqual(['0 1 nil']);
  });

  it('with a POL round gets no prevote before that polka is complete', () => {
    const node = new StepHarness([1, 2])
      .begin()
      .timeout(0, 'Propose')
      .own()
      .prevotes(0, A, 1, 2)
      .timeout(0, 'PrevoteWait')
      .own()
      .precommits(0, undefined, 1, 2)
      .timeout(0, 'PrecommitWait')
      .propose(1, A, 0);
    expect(node.voted).toEqual(['0 1 nil', '0 2 nil']);
    node.prevotes(0, A, 3);
    expect(node.voted.at(-1)).toBe('1 1 block');
  });

  it.each([-2, 1, 2])('of round 1 with POL round %i is refused', (polRound) => {
    const node = lockedOnA().propose(1, A, polRound);
    expect(node.state.proposal).toBeUndefined();
    expect(node.voted).toHaveLength(2);
  });

  it('of a proposer with a valid block repeats that block, with its POL round', () => {
    expect(lockedOnA([1, 0]).effects.filter(({ kind }) => kind === 'propose')).toEqual([
      { kind: 'propose', height: 1n, round: 1, polRound: 0, block: A },
    ]);
  });
});

describe('votes of other rounds', () => {
  it('move a validator to a later round when they exceed two thirds', () => {
    const node = new StepHarness([1, 2, 3]).begin().prevotes(2, undefined, 1, 2);
    expect(node.state.round).toBe(0);
    node.prevotes(2, A, 3);
    expect([node.state.round, node.state.step]).toEqual([2, 'Propose']);
  });

  it('decide in any round when two thirds precommit a block, once the block is known', () => {
    const node = new StepHarness([1, 2, 3]).begin().precommits(1, A, 1, 2, 3);
    expect([node.state.round, node.state.step, node.decided]).toEqual([1, 'Commit', undefined]);
    node.input({ kind: 'block', block: A });
    expect(node.decided).toMatchObject({ round: 1, block: A });
  });

  it('open at most two future rounds for each voter', () => {
    const node = new StepHarness([1])
      .begin()
      .prevotes(5, undefined, 1)
      .prevotes(6, undefined, 1)
      .prevotes(7, undefined, 1);
    expect([...node.state.votes.keys()]).toEqual([5, 6]);
  });
});

describe('votes', () => {
  it('that conflict with an earlier vote are reported and not counted', () => {
    const node = new StepHarness([1]).begin().propose(0, A).own().prevotes(0, B, 1).prevotes(0, A, 1, 2);
    expect(node.effects.filter(({ kind }) => kind === 'conflict')).toHaveLength(1);
    expect(node.voted).toEqual(['0 1 block']);
  });

  it('that arrive after the decision cause no events', () => {
    const node = new StepHarness([1]).begin().propose(0, A).own().prevotes(0, A, 1, 2).own().precommits(0, A, 1, 2);
    const events = node.events.length;
    node.precommits(0, A, 3);
    expect(node.events).toHaveLength(events);
  });
});
