/**
 * Random blocks of Ethereum transactions, executed by evmd and by this program: results, events and app hashes are
 * equal. The search is started by hand and ends at the first difference. EVM_BLOCKS sets its length, EVM_SEED repeats
 * one.
 */
import { describe, expect, it } from 'vitest';
import { EVMD } from '../evmd.js';
import { startPair } from '../pair.js';
import { stateDifferences } from '../state.js';
import { Random } from '../random.js';
import { founding } from './genesis.js';
import { Play, shown } from './play.js';

const BLOCKS = Number(process.env['EVM_BLOCKS'] ?? 0);
const given = process.env['EVM_SEED'];
const seeds = given === undefined ? [1, Math.floor(Math.random() * 2 ** 32)] : [Number(given)];

describe.skipIf(EVMD === undefined || BLOCKS === 0)('Ethereum transactions in evmd and in this program', () => {
  it.each(seeds)('have equal results in every block (seed %i)', { timeout: 60_000 + BLOCKS * 2000 }, async (seed) => {
    const random = new Random(seed);
    const founded = founding(random);
    const pair = await startPair(EVMD ?? '', founded.genesis, founded.evmChainId);
    try {
      const play = new Play(pair, founded, random);
      for (let block = 0; block <= BLOCKS; block += 1) {
        const round = await (block === 0 ? play.begin() : play.round());
        const state = round.difference?.includes('app hash') === true ? await stateDifferences(pair) : [];
        const about = [
          `seed ${seed}, height ${pair.height()}: ${round.difference}`,
          ...state,
          ...round.txs.map(shown),
        ].join('\n');
        expect(round.difference, about).toBeUndefined();
      }
    } finally {
      await pair.stop();
    }
  });
});
