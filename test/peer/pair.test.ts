import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { goldenPath, hasGolden } from '../support/golden.js';
import { EVMD } from './evmd.js';
import { startPair } from './pair.js';

const EVM_CHAIN_ID = 262_144n;

test.skipIf(EVMD === undefined || !hasGolden)(
  'evmd and this program start the recorded chain with the same app hash',
  async () => {
    const pair = await startPair(EVMD ?? '', readFileSync(goldenPath('chain-a/genesis.json')), EVM_CHAIN_ID);
    for (const seconds of [1, 2.5, 0.000000001]) {
      const { difference } = await pair.block([], { seconds });
      expect(difference).toBeUndefined();
    }
    const { ours, theirs } = await pair.check(Uint8Array.of(8, 1));
    expect(ours.code).toBe(theirs.code);
    expect(ours.log).toBe(theirs.log);
    await pair.stop();
  },
);
