/** Decides which queries of the application run on the pool. */
import { expect, it } from 'vitest';
import { createApplication } from '../../../src/core/app/create-application.js';
import { chronicle } from '../../../src/core/app/presets.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import type { BlockContext } from '../../../src/core/application.js';
import { toHeight, toTimeNs, type Height } from '../../../src/core/primitives.js';
import { createAppQueries } from '../../../src/node/api/app-queries.js';
import { MemoryStore } from '../../support/memory-store.js';
import { chain } from '../../core/app/dev-chain.js';
import { crypto } from '../../core/app/support.js';

it('a long transaction is simulated beside the main thread: no gas bounds what its messages do', async () => {
  const lengths: number[] = [];
  const busy = { ok: false, error: { code: 'busy', what: 'the pool' } } as const;
  const context = (height: Height): BlockContext => ({
    chainId: chain.chainId,
    height,
    time: toTimeNs(0n),
    hash: new Uint8Array(32),
    proposer: new Uint8Array(20),
  });
  const queries = createAppQueries({
    store: new MemoryStore(),
    limits: DEFAULT_LIMITS,
    application: createApplication({ version: chronicle, chain, crypto }),
    ledger: { context },
    trial: () => context(toHeight(0n)),
    beside: {
      query: () => Promise.resolve(busy),
      simulate: (tx) => {
        lengths.push(tx.length);
        return Promise.resolve(busy);
      },
    },
  });
  expect(await queries.simulate(new Uint8Array(8_193))).toEqual(busy);
  expect(await queries.simulate(new Uint8Array(8_192))).toMatchObject({ ok: true, value: { ok: false, code: 2 } });
  expect(lengths).toEqual([8_193]);
});
