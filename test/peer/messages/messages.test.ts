/**
 * Chains of random transactions of every module, each executed by evmd and by this program. `CHRONICLED_TEST_SEED`
 * chooses another chain than that of each run, and `CHRONICLED_PEER_BLOCKS` its length; a failure names what differs
 * and where.
 */
import { describe, expect, test } from 'vitest';
import { hasGolden } from '../../support/golden.js';
import type { Difference } from '../differences.js';
import { EVMD } from '../evmd.js';
import { startPair } from '../pair.js';
import { Random } from '../random.js';
import { EVM_CHAIN_ID, foundedChain } from './genesis.js';
import { type Played, playBlock, worldOf } from './player.js';

const BLOCKS = Number(process.env['CHRONICLED_PEER_BLOCKS'] ?? '20');
const SEED = Number(process.env['CHRONICLED_TEST_SEED'] ?? '2');

/** Texts for people are in no hash; where Go writes bytes into them, this program writes addresses. */
const isText = ({ of }: Difference): boolean => of.endsWith('log');

describe.skipIf(EVMD === undefined || !hasGolden)('random messages', () => {
  test(`have the results of evmd, seed ${SEED}`, { timeout: 0 }, async () => {
    const random = new Random(SEED);
    const founded = foundedChain(random);
    const pair = await startPair(EVMD ?? '', founded.genesis, EVM_CHAIN_ID);
    const world = worldOf(founded, random);
    for (let count = 0; count < BLOCKS; count += 1) {
      const played = await playBlock(world, pair);
      expect(
        played.differences.filter((each) => !isText(each)),
        shown(played),
      ).toEqual([]);
    }
    await pair.stop();
  });
});

const shown = ({ height, txs }: Played): string =>
  `block ${height}:\n${txs.map((tx) => Buffer.from(tx).toString('hex')).join('\n')}`;
