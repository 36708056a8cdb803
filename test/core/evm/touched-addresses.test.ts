/** Addresses that inner frames of a transaction touch; Otterscan finds a transaction by them. */
import { expect, test } from 'vitest';
import { address, toHex, tx, world } from './support.js';

const CALLER = address(0xca11);
const CALLEE = address(0xca11ee);
const HEIR = address(0x4e12);
const NOBODY = address(0xdead);
const push = (to: Uint8Array): string => `73${toHex(to)}`;
const call = (to: Uint8Array, value = '5f'): string => `5f5f5f5f${value}${push(to)}5af150`;
const delegateCall = (to: Uint8Array): string => `5f5f5f5f${push(to)}5af450`;
/** CREATE with the code `5f5ffd`, which reverts. */
const REVERTED_CREATE = '625f5ffd5f526003601d5ff050';
const REVERT = '5f5ffd';

/** Status of a transaction to CALLER, and the addresses that it touched. */
function touchedBy(code: string, callee: string): readonly [status: string, ...touched: string[]] {
  const { engine, state } = world({ block: { fork: 'prague' } });
  state.putCode(CALLER, code).putCode(CALLEE, callee).fund(CALLER, 10n).fund(CALLEE, 10n);
  const outcome = engine.transact(state, tx({ to: CALLER }), { fees: 'none' });
  if (outcome.kind !== 'executed') throw new Error(outcome.detail);
  return [outcome.result.status, ...outcome.touched.map(toHex)];
}

const [callee, heir, nobody] = [CALLEE, HEIR, NOBODY].map(toHex);

test('touched addresses are listed once, in order of the first touch', () => {
  const code = `${call(NOBODY)}${call(CALLEE)}${call(NOBODY, '6001')}${delegateCall(CALLEE)}`;
  expect(touchedBy(code, call(HEIR))).toEqual(['success', nobody, callee, heir]);
});

test('touched addresses include those of reverted frames and reverted transactions', () => {
  const reverted = `${call(NOBODY, '6001')}${call(HEIR)}${REVERT}`;
  expect(touchedBy(call(CALLEE), reverted)).toEqual(['success', callee, nobody, heir]);
  expect(touchedBy(`${call(CALLEE)}${REVERT}`, reverted)).toEqual(['revert', callee, nobody, heir]);
});

test('touched addresses include the beneficiary of SELFDESTRUCT and the address of a reverted creation', () => {
  // The frame with SELFDESTRUCT succeeds, and the frame around it reverts.
  const ended = `${push(HEIR)}ff`;
  const [status, ...touched] = touchedBy(`${call(CALLEE)}${REVERTED_CREATE}${REVERT}`, ended);
  expect([status, ...touched.slice(0, 2)]).toEqual(['revert', callee, heir]);
  expect(touched.slice(2)).toEqual([expect.stringMatching(/^[0-9a-f]{40}$/u)]);
});
