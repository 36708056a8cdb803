/** Golden chain-a, executed from its genesis with all modules of evmd, as `debug compare-chain` does. */
import { expect, test } from 'vitest';
import { compareChain } from '../../src/node/compare/compare-chain.js';
import { openRecordedChain } from '../../src/node/compare/recorded-chain.js';
import { createHostCrypto } from '../../src/node/host/crypto.js';
import { goldenPath, hasGolden } from '../support/golden.js';

/** The first height with a message of erc20, which this build does not have. */
const FIRST_DIFFERENCE = 142n;

test.skipIf(!hasGolden)('the stores, results and app hashes of a Go node, from its genesis on', async () => {
  const { equal, recorded, difference } = await compareChain({
    recording: openRecordedChain(goldenPath('chain-a')),
    preset: 'evmd',
    evmChainId: 262144n,
    crypto: await createHostCrypto(),
  });
  expect(recorded).toBe(714);
  expect(difference?.height).toBe(FIRST_DIFFERENCE);
  expect(difference?.texts[0]).toMatch(/^transaction 0: /);
  expect(equal).toBe(Number(FIRST_DIFFERENCE) - 1);
});
