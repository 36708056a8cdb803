/** Limits of dev commands: what they refuse or drop, and when there is room again. */
import { expect, test } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { impersonatedSigner, setImpersonatedSigner } from '../../../src/core/sdk/module/development-chain.js';
import { CacheStore } from '../../../src/core/state/overlay.js';
import { toHeight } from '../../../src/core/primitives.js';
import { Impersonations } from '../../../src/node/dev/impersonations.js';
import { DevSnapshots } from '../../../src/node/dev/snapshots.js';
import { DevChain } from '../../core/app/dev-chain.js';
import { chronicle } from '../../../src/core/app/presets.js';

const account = (first: number): Uint8Array => new Uint8Array(20).fill(first);

test('at most devImpersonated accounts are impersonated, and a stopped one makes room', () => {
  const impersonations = new Impersonations({ devImpersonated: 2 });
  const refused = { ok: false, error: { code: 'limit-exceeded', limit: 'devImpersonated', maximum: 2 } };
  for (const first of [1, 2, 1]) expect(impersonations.start(account(first))).toMatchObject({ ok: true });
  expect(impersonations.start(account(3))).toEqual(refused);
  expect([1, 2, 3].map((first) => impersonations.has(account(first)))).toEqual([true, true, false]);
  expect(impersonations.stop(account(1))).toBe(true);
  expect(impersonations.start(account(3))).toMatchObject({ ok: true });
  expect(impersonations.start(account(1))).toEqual(refused);
});

test('at most devSnapshots snapshots are valid', async () => {
  const heights = new Map([
    [1n, toHeight(1n)],
    [2n, toHeight(1n)],
  ]);
  const unused = (): never => {
    throw new Error('a refused command writes nothing');
  };
  const snapshots = new DevSnapshots(
    {
      log: { append: unused },
      ledger: {
        get state() {
          return unused();
        },
      },
      consensus: { pause: unused },
      limits: { devSnapshots: 2 },
    },
    { lastId: 2n, heights },
  );
  const error = { code: 'limit-exceeded', limit: 'devSnapshots', maximum: 2 };
  expect(await snapshots.take()).toEqual({ ok: false, error });
  expect([...snapshots.heights.keys()]).toEqual([1n, 2n]);
});

test('the oldest of more than devSignatures impersonated signatures is dropped', () => {
  const store = new CacheStore(new DevChain({}, 2).state);
  const signature = (index: number): Uint8Array => {
    const bytes = new Uint8Array(65);
    new DataView(bytes.buffer).setUint32(0, index);
    return bytes;
  };
  const signer = (index: number) =>
    impersonatedSigner({ store, version: chronicle }, signature(index).subarray(0, 64), 0)?.[0];
  const set = (index: number, first: number): void =>
    setImpersonatedSigner({ store }, signature(index), account(first));
  for (let index = 0; index < FIXED_LIMITS.devSignatures; index += 1) set(index, 1);
  // set again, so that the second is now the oldest
  set(0, 2);
  expect([0, 1, 2].map(signer)).toEqual([2, 1, 1]);
  set(FIXED_LIMITS.devSignatures, 3);
  expect([0, 1, 2, FIXED_LIMITS.devSignatures].map(signer)).toEqual([2, undefined, 1, 3]);
});
