/**
 * Several coins in the fee, and other senders, of the Cosmos transaction around an Ethereum one: evmd is the judge.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockDifferences, resultDifferences } from '../differences.js';
import { EVMD } from '../evmd.js';
import { type Pair, startPair } from '../pair.js';
import { EVM_CHAIN_ID, GENESIS } from './signer.js';
import { CODES_OF_SENDERS, txsOfFees, txsOfSenders } from './fee-coins.js';

describe.skipIf(EVMD === undefined)('Ethereum transactions with several fee coins, in evmd and in this program', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair(EVMD ?? '', GENESIS, EVM_CHAIN_ID);
    await pair.block([]);
  });
  afterAll(() => pair.stop());

  test('have equal CheckTx answers and results', async () => {
    for (const { tx, code } of await txsOfFees()) {
      const checked = await pair.check(tx);
      expect(resultDifferences({ ...checked.ours, events: [] }, { ...checked.theirs, events: [] }, 0)).toEqual([]);
      const { ours, theirs } = await pair.block([tx]);
      expect(theirs.txResults[0]?.code).toBe(code);
      expect(blockDifferences(ours, theirs)).toEqual([]);
    }
  });

  test('are refused alike for senders of any length', async () => {
    const txs = await txsOfSenders();
    for (const tx of txs) {
      const checked = await pair.check(tx);
      expect(resultDifferences({ ...checked.ours, events: [] }, { ...checked.theirs, events: [] }, 0)).toEqual([]);
    }
    const { ours, theirs } = await pair.block(txs);
    expect(theirs.txResults.map(({ code }) => code)).toEqual(CODES_OF_SENDERS);
    expect(blockDifferences(ours, theirs)).toEqual([]);
  });
});
