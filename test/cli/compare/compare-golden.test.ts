/** Golden chain-a, executed from its genesis with all modules of evmd, as `debug compare-chain` does. */
import { expect, test } from 'vitest';
import { compareChain } from '../../../src/cli/compare/compare-chain.js';
import { openRecordedChain } from '../../../src/cli/compare/recorded-chain.js';
import { createHostCrypto } from '../../../src/runtime/host/crypto.js';
import { goldenPath, hasGolden } from '../../support/golden.js';

test.skipIf(!hasGolden)(
  'compareChain reproduces the stores, results and app hashes of golden chain-a from its genesis',
  async () => {
    const { equal, recorded, difference } = await compareChain({
      recording: openRecordedChain(goldenPath('chain-a')),
      preset: 'evmd',
      evmChainId: 262144n,
      crypto: await createHostCrypto(),
    });
    expect(recorded).toBe(714);
    expect(difference).toBeUndefined();
    expect(equal).toBe(714);
  },
);
