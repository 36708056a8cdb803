/** Contracts that end themselves in the transaction that made them, some where an account is: results are evmd's. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockDifferences } from '../differences.js';
import { EVMD } from '../evmd.js';
import { type Pair, startPair } from '../pair.js';
import { EVM_CHAIN_ID, GENESIS } from './signer.js';
import { txsOfSelfDestructions } from './self-destructions.js';

describe.skipIf(EVMD === undefined)('contracts that end themselves in evmd and here', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair(EVMD ?? '', GENESIS, EVM_CHAIN_ID);
    await pair.block([]);
  });
  afterAll(() => pair.stop());

  test('have the same results', async () => {
    for (const { tx, fails } of await txsOfSelfDestructions()) {
      const { ours, theirs } = await pair.block([tx]);
      expect(theirs.txResults.map(({ code }) => code)).toEqual([fails ? 1 : 0]);
      expect(blockDifferences(ours, theirs)).toEqual([]);
    }
  });
});
