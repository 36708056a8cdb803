/** The coinbase is warm from the start of a transaction (EIP-3651); in evmd it is the zero address. */
import { expect, test } from 'vitest';
import { fromHex, transact, tx, world } from './support.js';

/** Gas of a creation whose code is BALANCE of the coinbase or of the zero address. */
function gasOf(code: string, warmsZero: boolean): bigint {
  const at = world({ block: { fork: 'prague', warmsZero } });
  return transact(at, tx({ data: fromHex(code) })).gasUsed;
}

// 53,136 and 55,636 are what evmd v0.6.0 used for the same creations.
test.each([
  ['the coinbase', false, 53_136n, 55_636n],
  ['the zero address instead, with warmsZero,', true, 55_636n, 53_136n],
])('%s is warm from the start of a transaction', (_, warmsZero, coinbase, zero) => {
  expect([gasOf('4131', warmsZero), gasOf('5f31', warmsZero)]).toEqual([coinbase, zero]);
});
