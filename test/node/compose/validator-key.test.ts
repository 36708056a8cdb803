import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { homePaths, writeValidatorKey } from '../../../src/runtime/home/home.js';
import { createEd25519Signer } from '../../../src/runtime/host/signer.js';
import { crypto } from '../../core/app/support.js';
import { MemoryStore } from '../../support/memory-store.js';
import { temporaryFolder } from '../../support/temporary.js';
import { simulate } from '../simulated-node.js';

it('a start that waited for another one begins the chain with the key that the other one wrote', async () => {
  const home = temporaryFolder();
  const seed = new Uint8Array(32).fill(3);
  const { publicKey } = createEd25519Signer(seed);
  const simulated = await simulate({
    store: new MemoryStore(),
    home,
    openStore(store) {
      const { validatorKey } = homePaths(home);
      mkdirSync(dirname(validatorKey), { recursive: true });
      writeValidatorKey(validatorKey, crypto, { seed, publicKey });
      return store;
    },
  });
  await simulated.mineTo(2n);
  expect(simulated.node.api.queries.status().validator?.pubKey?.sum.value).toEqual(publicKey);
  expect(simulated.node.api.queries.chain.head().height).toBe(2n);
  await simulated.node.stop();
});
