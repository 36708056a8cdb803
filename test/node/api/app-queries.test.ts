/** Decides which queries of the application run on the pool. */
import { expect, it } from 'vitest';
import { createApplication } from '../../../src/core/app/create-application.js';
import { be64 } from '../../../src/core/bytes/big-endian.js';
import { chronicle } from '../../../src/core/app/presets.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import type { BlockContext } from '../../../src/core/application-requests.js';
import { toHeight, toTimeNs, type Height } from '../../../src/core/primitives.js';
import { createAppQueries } from '../../../src/node/api/app-queries.js';
import { stateRows } from '../../../src/store/state/latest.js';
import { MemoryStore } from '../../support/memory-store.js';
import { chain } from '../../core/app/dev-chain.js';
import { crypto } from '../../core/app/support.js';

const context = (height: Height): BlockContext => ({
  chainId: chain.chainId,
  height,
  time: toTimeNs(0n),
  hash: new Uint8Array(32),
  proposer: new Uint8Array(20),
});
const busy = { ok: false, error: { code: 'busy', what: 'the pool' } } as const;

it('a long transaction is simulated on the pool, because gas does not bound the work of its messages', async () => {
  const lengths: number[] = [];
  const queries = createAppQueries({
    store: new MemoryStore(),
    limits: DEFAULT_LIMITS,
    application: createApplication({ version: chronicle, chain, crypto }),
    ledger: { context, earliestState: () => toHeight(0n) },
    trial: () => context(toHeight(0n)),
    beside: {
      query: () => Promise.resolve(busy),
      list: () => Promise.resolve(busy),
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

it('a query that reads many rows continues on the pool', async () => {
  const store = new MemoryStore();
  const writes = Array.from({ length: 3_000 }, (_, at) => ({
    store: 'bank',
    key: be64(BigInt(at)),
    value: Uint8Array.of(1),
  }));
  await store.commit(stateRows(toHeight(1n), writes, (key) => store.get(key)));
  const application = createApplication({ version: chronicle, chain, crypto });
  const asked: string[] = [];
  const queries = createAppQueries({
    store,
    limits: DEFAULT_LIMITS,
    application: {
      ...application,
      query: (state, _at, path) => {
        let rows = 0;
        for (const _row of state.range('bank', {})) {
          rows += 1;
          if (`${rows}` === path) break;
        }
        return { ok: true, value: be64(BigInt(rows)) };
      },
    },
    ledger: { context, earliestState: () => toHeight(0n) },
    trial: () => context(toHeight(1n)),
    beside: {
      query: () => Promise.reject(new Error('the EVM runs nothing')),
      list: (path) => {
        asked.push(path);
        return Promise.resolve(busy);
      },
      simulate: () => Promise.resolve(busy),
    },
  });
  const query = (path: string, bytes = 0) => queries.query(path, new Uint8Array(bytes), toHeight(1n));
  expect(await query('1001')).toEqual({ ok: true, value: { ok: true, value: be64(1_001n) } });
  expect(await query('all')).toEqual(busy);
  expect(asked).toEqual(['all']);
  // also one with a long request, from its first row on
  expect(await query('1', 8_192)).toMatchObject({ ok: true });
  expect(await query('1', 8_193)).toEqual(busy);
  expect(asked).toEqual(['all', '1']);
});
