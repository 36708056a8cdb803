import { describe, expect, it } from 'vitest';
import { createCometRpc } from '../../../src/adapters/comet-rpc/index.js';
import { bitArrayText, voteText } from '../../../src/adapters/comet-rpc/vote-text.js';
import { voteFromJson, type VoteJson } from '../../../src/core/comet/json/evidence-json.js';
import { addVote, emptyVoteSet, type VoteSet } from '../../../src/core/consensus/vote-set.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import type { NodeApi } from '../../../src/core/node-api.js';
import { toHeight } from '../../../src/core/primitives.js';
import type { Vote } from '../../../src/core/proto/tendermint/types/types_pb.js';
import { goldenLines, hasGolden } from '../../support/golden.js';
import { type Exchange, HEAD, recordedNode } from './recorded-node.js';

interface RoundTexts {
  readonly prevotes: readonly string[];
  readonly prevotes_bit_array: string;
  readonly precommits: readonly string[];
  readonly precommits_bit_array: string;
}
interface Dump {
  readonly consensus_state?: { readonly round_state: { readonly height_vote_set: readonly RoundTexts[] } };
}
interface Line {
  readonly ev?: string;
  readonly data?: { readonly Vote?: VoteJson };
}

/** Votes that node 0 published as events, by their text in the dump. */
function votesByText(name: string): ReadonlyMap<string, Vote> {
  return new Map(
    goldenLines<Line>(`simple-kv/${name}-events-node0.jsonl`)
      .flatMap(({ data }) => (data?.Vote === undefined ? [] : [voteFromJson(data.Vote)]))
      .map((vote) => [voteText(vote), vote]),
  );
}

describe.skipIf(!hasGolden).each(['net4', 'net4b'])('consensus dumps of %s', (name) => {
  it('have the text that we make for every vote, and for the share of every vote set', () => {
    const votes = votesByText(name);
    // The voters are known from the events; when powers changed, the dump gives only the sum.
    const setOf = (texts: readonly string[]): VoteSet =>
      texts.reduce(
        (set, text, index) => {
          const vote = votes.get(text);
          const added =
            vote &&
            addVote(
              {
                ...set,
                voters: set.voters.map((voter, at) =>
                  at === index ? { ...voter, address: vote.validatorAddress } : voter,
                ),
              },
              vote,
            );
          return added?.kind === 'added' ? added.set : set;
        },
        emptyVoteSet(texts.map(() => ({ address: new Uint8Array(), power: 10n }))),
      );
    let compared = 0;
    for (const { consensus_state: state } of goldenLines<Dump>(`simple-kv/${name}-dump_consensus_state.jsonl`)) {
      for (const { prevotes, prevotes_bit_array: prevoteBits, precommits, precommits_bit_array: precommitBits } of state
        ?.round_state.height_vote_set ?? []) {
        for (const [texts, bits] of [
          [prevotes, prevoteBits],
          [precommits, precommitBits],
        ] as const) {
          const cast = texts.filter((text) => text !== 'nil-Vote');
          for (const text of cast) expect(votes.has(text), text).toBe(true);
          compared += cast.length;
          if (bits.includes('/40 ')) expect(bitArrayText(setOf(texts))).toBe(bits);
        }
      }
    }
    expect(compared).toBeGreaterThan(20);
  });
});

describe.skipIf(!hasGolden)('consensus state of a halted node', () => {
  const state = async (api: NodeApi, route: string): Promise<Record<string, unknown>> => {
    const rpc = createCometRpc({
      api,
      limits: DEFAULT_LIMITS,
      timers: { after: () => () => undefined, yield: () => Promise.resolve() },
      application: { name: 'evmd', version: 'v0.6.0' },
    });
    const called = await rpc.callRaw(route, '{}');
    if (!called.ok) throw new Error(called.error.message);
    const parsed: { readonly round_state: Record<string, unknown> } = JSON.parse(called.result);
    return parsed.round_state;
  };

  it('shows the decided block in step 8, with the precommits that decided it', async () => {
    const { api } = recordedNode(goldenLines<Exchange>('faces/comet-rpc.jsonl'));
    const halted: NodeApi = {
      ...api,
      queries: { ...api.queries, roundState: () => ({ height: toHeight(HEAD), round: 0, step: 1 }) },
    };
    const hash = '4A72FA73DEA1';
    expect(await state(halted, 'consensus_state')).toMatchObject({
      'height/round/step': '400/0/8',
      proposal_block_hash: expect.stringMatching(`^${hash}`),
      height_vote_set: [
        {
          round: 0,
          prevotes: ['nil-Vote'],
          precommits: [expect.stringMatching(`400/00/SIGNED_MSG_TYPE_PRECOMMIT\\(Precommit\\) ${hash}`)],
          precommits_bit_array: 'BA{1:x} 1007/1007 = 1.00',
        },
      ],
    });
    expect(await state(halted, 'dump_consensus_state')).toMatchObject({
      step: 8,
      commit_round: 0,
      locked_round: 0,
      proposal_block_parts: { 'count/total': '1/1', parts_bit_array: 'x' },
      last_commit: { votes_bit_array: 'BA{1:x} 1007/1007 = 1.00' },
    });
  });
});
