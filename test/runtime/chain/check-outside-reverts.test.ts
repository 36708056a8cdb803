import { expect, test } from 'vitest';
import type { Checked } from '../../../src/core/multistore/check-values.js';
import { toHeight } from '../../../src/core/primitives.js';
import { checkOutsideReverts } from '../../../src/runtime/chain/check-outside-reverts.js';

const FROM = { store: 'bank', key: Uint8Array.of(1) };
const SOUND: Checked = { kind: 'sound', next: undefined };
const DAMAGED: Checked = { kind: 'damaged', at: FROM, damage: 'missing' };
const HEIGHT = toHeight(5n);

/** The result of a comparison at height 5; afterwards the chain is in the state `then`. */
function checked(answer: Checked | undefined, then: { readonly isReverting: boolean; readonly height: bigint }) {
  const ledger = { isReverting: then.isReverting, state: { height: toHeight(then.height) } };
  return (from: typeof FROM | undefined) =>
    checkOutsideReverts({ check: () => Promise.resolve(answer) }, ledger).check(HEIGHT, from, 10);
}

test.each([DAMAGED, undefined])('the result of a comparison is used while the chain only grows: %o', async (answer) => {
  for (const height of [5n, 6n]) expect(await checked(answer, { isReverting: false, height })(FROM)).toBe(answer);
});

test.each([
  { isReverting: true, height: 5n },
  { isReverting: false, height: 4n },
])('the same keys are compared again during and after a revert: %o', async (then) => {
  for (const answer of [DAMAGED, undefined]) {
    expect(await checked(answer, then)(FROM)).toEqual({ kind: 'sound', next: FROM });
    // Without a next key the comparison would end.
    expect(await checked(answer, then)(undefined)).toMatchObject({ kind: 'sound', next: { store: '' } });
  }
  expect(await checked(SOUND, then)(FROM)).toBe(SOUND);
});
