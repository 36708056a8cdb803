/** The comparison of the state with its trees after a start. */
import { describe, expect, it } from 'vitest';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import type { Checked, StoreKey } from '../../../src/core/multistore/check-values.js';
import { createMultistore } from '../../../src/core/multistore/multistore.js';
import { StateCheck } from '../../../src/runtime/chain/state-check.js';
import { crypto } from '../../core/app/support.js';

const HEIGHT = toHeight(3n);
const key = (number: number): Uint8Array => Uint8Array.of(1, number);

/** Trees of two stores with values, and the values. */
function chain() {
  const stores = createMultistore({ stores: ['auth', 'bank'], crypto });
  const values = new Map<string, Uint8Array>();
  const writes = ['auth', 'bank'].flatMap((store) =>
    Array.from({ length: 20 }, (_, number) => ({
      store,
      key: key(number),
      value: Uint8Array.of(number, store.length),
    })),
  );
  for (const write of writes) values.set(`${write.store} ${write.key.join()}`, write.value);
  stores.apply(writes);
  stores.commit(HEIGHT);
  const valueOf = (store: string, at: Uint8Array): Uint8Array | undefined => values.get(`${store} ${at.join()}`);
  const check = (from: StoreKey | undefined, count: number): Checked | undefined =>
    stores.checkValues(HEIGHT, from, count, valueOf);
  return { values, stores, check };
}

/** Outcomes of slices of `count` values, up to the end or the first damage. */
function slices(check: ReturnType<typeof chain>['check'], count: number): readonly (Checked | undefined)[] {
  const all: (Checked | undefined)[] = [];
  for (let next: StoreKey | undefined; ;) {
    const checked = check(next, count);
    all.push(checked);
    if (checked?.kind !== 'sound' || checked.next === undefined) return all;
    next = checked.next;
  }
}

describe('the comparison of state values with the trees', () => {
  it.each([1, 7, 20, 39, 40, 41])('checks all values in slices of %i', (count) => {
    const { check, values } = chain();
    expect(slices(check, count)).toHaveLength(Math.ceil(40 / count));
    values.delete(`bank ${key(19).join()}`);
    expect(slices(check, count).at(-1)).toEqual({
      kind: 'damaged',
      at: { store: 'bank', key: key(19) },
      damage: 'missing',
    });
  });

  it('detects a changed value', () => {
    const { check, values } = chain();
    values.set(`auth ${key(4).join()}`, Uint8Array.of(9));
    expect(check(undefined, 100)).toEqual({ kind: 'damaged', at: { store: 'auth', key: key(4) }, damage: 'different' });
  });

  it('cannot check a height that is not in memory', () => {
    const { stores } = chain();
    expect(stores.checkValues(toHeight(2n), undefined, 1, () => undefined)).toBeUndefined();
  });
});

describe('the check at a start', () => {
  const trees = chain();
  /** Each slice takes 60 ms. */
  function checkOf(check: (from: StoreKey | undefined) => Checked | undefined) {
    let now = 0n;
    const found: unknown[] = [];
    const turns: (() => void)[] = [];
    const started = new StateCheck({
      executor: {
        check(_height, from) {
          now += 60_000_000n;
          return Promise.resolve(check(from));
        },
      },
      height: () => HEIGHT,
      clock: { now: () => toTimeNs(now) },
      timers: { yield: () => new Promise((resolve) => turns.push(resolve)) },
      onDamage: (error) => found.push(error),
    });
    return { started, found, turns };
  }
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('completes before the start for a small state, and refuses it when damaged', async () => {
    const { started } = checkOf((from) => trees.check(from, 30));
    expect(started.isRunning).toBe(true);
    await started.begin();
    expect(started.isRunning).toBe(false);
    const damaged = chain();
    damaged.values.clear();
    await expect(checkOf((from) => damaged.check(from, 30)).started.begin()).rejects.toThrow(
      /table state: row is missing .*1004617574680100/,
    );
  });

  it('continues after the start for a large state, and reports damage that it finds', async () => {
    const { values, check } = chain();
    const { started, found, turns } = checkOf((from) => check(from, 10));
    await started.begin();
    expect(started.isRunning).toBe(true);
    values.delete(`bank ${key(15).join()}`);
    for (let turn = 0; turn < 2; turn += 1) {
      turns.shift()?.();
      await settled();
    }
    expect(found).toMatchObject([{ problem: 'table state: row is missing' }]);
    expect(started.isRunning).toBe(true);
  });

  it('ends early when the node stops', async () => {
    const { started, found, turns } = checkOf((from) => trees.check(from, 10));
    await started.begin();
    const stopped = started.stop();
    for (; turns.length > 0; await settled()) turns.shift()?.();
    await stopped;
    expect({ found, isRunning: started.isRunning }).toEqual({ found: [], isRunning: true });
  });
});
