/** Precompiles that are called by contracts: the results are equal to those of evmd. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockDifferences } from '../differences.js';
import { EVMD } from '../evmd.js';
import { type Pair, startPair } from '../pair.js';
import { EVM_CHAIN_ID, GENESIS } from './signer.js';
import { GAS_OF_CHAIN_CONTRACTS, txsOfChainContracts } from './chain-contracts.js';

describe.skipIf(EVMD === undefined)('precompiles called by contracts, in evmd and in this program', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair(EVMD ?? '', GENESIS, EVM_CHAIN_ID);
    await pair.block([]);
  });
  afterAll(() => pair.stop());

  test('have the same results', async () => {
    const gas: string[] = [];
    for (const { name, tx } of await txsOfChainContracts()) {
      const { ours, theirs } = await pair.block([tx]);
      expect(blockDifferences(ours, theirs)).toEqual([]);
      if (name !== 'deployment') gas.push(`${name}: ${theirs.txResults[0]?.gasUsed}`);
    }
    expect(gas).toEqual(GAS_OF_CHAIN_CONTRACTS);
  });
});
