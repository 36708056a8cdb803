/** Contracts that self-destruct in the transaction that created them, some over an existing account: evmd judges. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockDifferences } from '../differences.js';
import { EVMD } from '../evmd.js';
import { type Pair, startPair } from '../pair.js';
import { EVM_CHAIN_ID, GENESIS } from './signer.js';
import { txsOfSelfDestructions } from './self-destructions.js';

describe.skipIf(EVMD === undefined)('contracts that self-destruct, in evmd and in this program', () => {
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
