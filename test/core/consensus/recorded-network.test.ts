import { describe, expect, it } from 'vitest';
import { blockIdToJson } from '../../../src/core/comet/json/block-id-json.js';
import { commitToJson } from '../../../src/core/comet/json/commit-json.js';
import { hasGolden } from '../../support/golden.js';
import { TYPES } from './recorded-events.js';
import { RecordedNetwork } from './recorded-replay.js';

/** Two recorded networks of four validators: in net4 some stop and return; in net4b two have very short timeouts. */
const NETWORKS = [
  { name: 'net4', self: '4C836DE505F817A4E944081EFB4CD0B49B762C26', heights: 31, relocks: 0, maxRound: 1, built: 6 },
  { name: 'net4b', self: 'B0348C83649476A661DAA317E978670B03784374', heights: 26, relocks: 2, maxRound: 3, built: 0 },
] as const;

describe.skipIf(!hasGolden).each(NETWORKS)(
  'replay of the messages that node 0 of $name received',
  ({ name, self, heights, relocks, maxRound, built: expectedBuilt }) => {
    const network = hasGolden ? new RecordedNetwork(name, self) : undefined;
    const explanation = network?.explain();

    it('publishes every recorded event of every height, byte for byte', () => {
      expect(explanation?.stuck).toBe(undefined);
      expect(explanation?.explained.Relock).toBe(relocks);
      for (const type of TYPES.filter((one) => !['Relock', 'Unlock', 'TimeoutPropose'].includes(one)))
        expect(explanation?.explained[type], type).toBeGreaterThan(5);
    });

    it('decides the recorded blocks in the recorded rounds', () => {
      expect(explanation?.decided).toHaveLength(heights);
      expect(Math.max(...(explanation?.decided ?? []).map(({ round }) => round))).toBe(maxRound);
      for (const { height, block, commit } of explanation?.decided ?? []) {
        const recorded = network?.heights.get(height);
        if (recorded === undefined) continue;
        expect(blockIdToJson(block.blockId)).toEqual(recorded.block.block_id);
        expect([height, commit.round]).toEqual([height, recorded.commit?.signed_header.commit.round]);
      }
    });

    it('builds blocks with the recorded last commit, late votes included', () => {
      const built = (explanation?.built ?? []).flatMap((commit) => {
        const block = network?.heights.get(commit.height + 1n)?.block.block;
        return block?.header.proposer_address === self ? [[commitToJson(commit), block.last_commit]] : [];
      });
      expect(built.length).toBeGreaterThanOrEqual(expectedBuilt);
      for (const [ours, recorded] of built) expect(ours).toEqual(recorded);
    });

    it('fails to explain a recording in which one vote is for another block', () => {
      const altered = new RecordedNetwork(name, self, (line) => {
        const vote = line.data?.Vote;
        if (vote === undefined || vote.height !== '10' || vote.type !== 1 || vote.block_id.hash === '') return line;
        return {
          ...line,
          data: { Vote: { ...vote, block_id: { hash: 'AB'.repeat(32), parts: { total: 1, hash: 'CD'.repeat(32) } } } },
        };
      });
      expect(altered.explain().stuck).toMatch(/^at 10\//);
    });
  },
);
