/** Empty precompiled contracts of Ethereum that were called, in blocks that show them. */
import { describe, expect, test } from 'vitest';
import type { EvmAccountChange, EvmBlock } from '../../../src/core/evm/engine.js';
import { address, SENDER, toHex, tx, world } from './support.js';

const CALLER = address(0xca11);
const CALLEE = address(0xca11ee);
const IDENTITY = address(4);
const push = (to: Uint8Array): string => `73${toHex(to)}`;
const call = (to: Uint8Array): string => `5f5f5f5f5f${push(to)}5af150`;
const staticCall = (to: Uint8Array): string => `5f5f5f5f${push(to)}5afa50`;
const delegateCall = (to: Uint8Array): string => `5f5f5f5f${push(to)}5af450`;
const REVERT = '5f5ffd';

/** Changes of a call of code, and the touches among them. */
function changesOf(code: string, block: Partial<EvmBlock>, balance = 0n, callee = ''): readonly EvmAccountChange[] {
  const { engine, state } = world({ block: { fork: 'prague', ...block } });
  state.putCode(CALLER, code).putCode(CALLEE, callee === '' ? '00' : callee);
  if (balance > 0n) state.fund(IDENTITY, balance);
  const outcome = engine.transact(state, tx({ to: CALLER }), { fees: 'none' });
  if (outcome.kind !== 'executed') throw new Error(outcome.detail);
  expect(outcome.result.status).toBe('success');
  return outcome.changes;
}

const touchesOf = (...given: Parameters<typeof changesOf>): readonly string[] =>
  changesOf(...given).flatMap((one) => (one.kind === 'changed' && one.isTouch === true ? [toHex(one.address)] : []));

const SHOWN = { showsTouches: true } as const;

describe('a precompiled contract that was called', () => {
  test('is shown as an empty account, in the order of addresses', () => {
    const code = `${staticCall(address(1))}${call(IDENTITY)}${call(address(2))}`;
    expect(touchesOf(code, SHOWN)).toEqual([1, 2, 4].map((number) => toHex(address(number))));
    const changes = changesOf(code, SHOWN);
    expect(changes.map((one) => toHex(one.address))).toEqual(changes.map((one) => toHex(one.address)).toSorted());
    expect(changes.find((one) => toHex(one.address) === toHex(IDENTITY))).toMatchObject({
      kind: 'changed',
      created: false,
      balance: 0n,
      nonce: 0n,
      code: undefined,
      slots: [],
    });
  });

  test('is not shown where another account ran it, where the call is undone, or where it has a balance', () => {
    expect(touchesOf(delegateCall(IDENTITY), SHOWN)).toEqual([]);
    expect(touchesOf(call(CALLEE), SHOWN, 0n, `${call(IDENTITY)}${REVERT}`)).toEqual([]);
    expect(touchesOf(call(IDENTITY), SHOWN, 5n)).toEqual([]);
  });

  test('is not shown before its fork, nor where the block does not ask', () => {
    expect(touchesOf(call(address(0x0b)), { ...SHOWN, fork: 'cancun' })).toEqual([]);
    expect(touchesOf(call(IDENTITY), {})).toEqual([]);
  });

  test('is shown when a transaction calls it itself, and other empty accounts are not', () => {
    const { engine, state } = world({ block: { fork: 'prague', ...SHOWN } });
    const outcome = engine.transact(state, tx({ to: IDENTITY }), { fees: 'none' });
    const changes = outcome.kind === 'executed' ? outcome.changes : [];
    expect(changes.map((one) => toHex(one.address))).toContain(toHex(IDENTITY));
    expect(touchesOf(`${call(address(0xdead))}${staticCall(SENDER)}`, SHOWN)).toEqual([]);
  });
});
