/**
 * With `showsTouches`, the engine reports touched empty accounts and unchanged slots, which evmd writes
 * (cosmos/evm v0.6 `x/vm/statedb`).
 */
import { describe, expect, test } from 'vitest';
import type { EvmAccountChange } from '../../../src/core/evm/outcome.js';
import type { EvmBlock } from '../../../src/core/evm/transaction.js';
import { address, SENDER, toHex, tx, world } from './support.js';

const CALLER = address(0xca11);
const CALLEE = address(0xca11ee);
const IDENTITY = address(4);
const push = (to: Uint8Array): string => `73${toHex(to)}`;
const call = (to: Uint8Array): string => `5f5f5f5f5f${push(to)}5af150`;
const staticCall = (to: Uint8Array): string => `5f5f5f5f${push(to)}5afa50`;
const delegateCall = (to: Uint8Array): string => `5f5f5f5f${push(to)}5af450`;
const REVERT = '5f5ffd';

/** Changes of a transaction that runs `code` at CALLER. */
function changesOf(code: string, block: Partial<EvmBlock>, balance = 0n, callee = ''): readonly EvmAccountChange[] {
  const { engine, state } = world({ block: { fork: 'prague', ...block } });
  state.putCode(CALLER, code).putCode(CALLEE, callee === '' ? '00' : callee);
  if (callee !== '') state.fund(CALLER, 1n);
  if (balance > 0n) state.fund(IDENTITY, balance);
  const outcome = engine.transact(state, tx({ to: CALLER }), { fees: 'none' });
  if (outcome.kind !== 'executed') throw new Error(outcome.detail);
  expect(outcome.result.status).toBe('success');
  return outcome.changes;
}

const touchesOf = (...given: Parameters<typeof changesOf>): readonly string[] =>
  changesOf(...given).flatMap((one) => (one.kind === 'changed' && one.isTouch === true ? [toHex(one.address)] : []));

const SHOWN = { showsTouches: true } as const;

describe('a precompile that was called', () => {
  test('is reported as an empty account, in order of addresses', () => {
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

  test('is not reported after DELEGATECALL, after a revert, or when it has a balance', () => {
    expect(touchesOf(delegateCall(IDENTITY), SHOWN)).toEqual([]);
    expect(touchesOf(call(CALLEE), SHOWN, 0n, `${call(IDENTITY)}${REVERT}`)).toEqual([]);
    expect(touchesOf(call(IDENTITY), SHOWN, 5n)).toEqual([]);
  });

  test('is not reported before its fork or without showsTouches', () => {
    expect(touchesOf(call(address(0x0b)), { ...SHOWN, fork: 'cancun' })).toEqual([]);
    expect(touchesOf(call(IDENTITY), {})).toEqual([]);
  });

  test('is reported as the target of a transaction, whereas other empty accounts are not', () => {
    const { engine, state } = world({ block: { fork: 'prague', ...SHOWN } });
    const outcome = engine.transact(state, tx({ to: IDENTITY }), { fees: 'none' });
    const changes = outcome.kind === 'executed' ? outcome.changes : [];
    expect(changes.map((one) => toHex(one.address))).toContain(toHex(IDENTITY));
    expect(touchesOf(`${call(address(0xdead))}${staticCall(SENDER)}`, SHOWN)).toEqual([]);
  });
});

const NOBODY = address(0xdead);

describe('an absent account', () => {
  test('is reported after STATICCALL, but not after other calls without value', () => {
    expect(touchesOf(staticCall(NOBODY), SHOWN)).toEqual([toHex(NOBODY)]);
    expect(touchesOf(`${call(NOBODY)}${delegateCall(NOBODY)}`, SHOWN)).toEqual([]);
    expect(touchesOf(call(CALLEE), SHOWN, 0n, staticCall(NOBODY))).toEqual([toHex(NOBODY)]);
  });

  test('is not reported after a revert or without showsTouches', () => {
    expect(touchesOf(call(CALLEE), SHOWN, 0n, `${staticCall(NOBODY)}${REVERT}`)).toEqual([]);
    expect(touchesOf(staticCall(CALLEE), SHOWN, 0n, `${staticCall(NOBODY)}fe`)).toEqual([]);
    expect(touchesOf(staticCall(NOBODY), {})).toEqual([]);
  });
});

const CALL_WITH_VALUE = `5f5f5f5f6001${push(CALLEE)}5af150`;
/** Accepts value; without value sets slot 1 and reverts. */
const TAKES_OR_REVERTS = `3415600657005b6005600155${REVERT}`;
/** Sets slot 0 and resets it to zero. */
const BACK = '60055f555f5f55';

/** Slots of an account's change; undefined when it did not change. */
function slotsOf(account: Uint8Array, ...given: Parameters<typeof changesOf>): readonly string[] | undefined {
  const change = changesOf(...given).find((one) => toHex(one.address) === toHex(account));
  if (change === undefined || change.kind === 'deleted') return undefined;
  return change.slots.map(({ slot, value }) => `${Number(toHex(slot))} = ${Number(toHex(value))}`);
}

describe('an unchanged value is reported', () => {
  test('for a slot that was set and reset', () => {
    expect(slotsOf(CALLER, BACK, SHOWN)).toEqual(['0 = 0']);
    expect(slotsOf(CALLER, BACK, {})).toBeUndefined();
  });

  test('for a slot set in a reverted frame, if its account changed otherwise', () => {
    const both = `${CALL_WITH_VALUE}${call(CALLEE)}`;
    expect(slotsOf(CALLEE, both, SHOWN, 0n, TAKES_OR_REVERTS)).toEqual(['1 = 0']);
    expect(slotsOf(CALLEE, both, {}, 0n, TAKES_OR_REVERTS)).toEqual([]);
    expect(slotsOf(CALLEE, call(CALLEE), SHOWN, 0n, TAKES_OR_REVERTS)).toBeUndefined();
  });

  test('for a contract that sends itself a wei, unless the frame reverts', () => {
    // Calls itself once.
    const paying = (ending: string): string => `366010575f5f60015f6001305af150005b${ending}`;
    const A_WEI = '00';
    expect(slotsOf(CALLER, paying('00'), SHOWN, 0n, A_WEI)).toEqual([]);
    expect(slotsOf(CALLER, paying('00'), {}, 0n, A_WEI)).toBeUndefined();
    expect(slotsOf(CALLER, paying(REVERT), SHOWN, 0n, A_WEI)).toBeUndefined();
    expect(slotsOf(CALLER, paying('00'), SHOWN)).toBeUndefined();
    expect(slotsOf(CALLER, '30ff', SHOWN, 0n, A_WEI)).toEqual([]);
    expect(slotsOf(CALLER, '30ff', {}, 0n, A_WEI)).toBeUndefined();
    expect(slotsOf(CALLER, '30ff', SHOWN)).toBeUndefined();
  });

  test.each([
    [1n, [toHex(SENDER)]],
    [0n, []],
  ])('for a sender that sends itself %i wei, unless that is zero', (value, shown) => {
    const { engine, state } = world({ block: { fork: 'prague', ...SHOWN } });
    const outcome = engine.transact(state, tx({ to: SENDER, value }), { fees: 'none' });
    const changes = outcome.kind === 'executed' ? outcome.changes : [];
    expect(changes.map((one) => toHex(one.address))).toEqual(shown);
  });

  test('for the absent beneficiary of a SELFDESTRUCT without balance', () => {
    const nobody = address(0xdead);
    expect(touchesOf(`${push(nobody)}ff`, SHOWN)).toEqual([toHex(nobody)]);
    expect(touchesOf(`${push(nobody)}ff`, {})).toEqual([]);
    expect(touchesOf(`${push(SENDER)}ff`, SHOWN)).toEqual([]);
  });
});

describe('a repeated delegation of an account (EIP-7702)', () => {
  const AUTHORITY = address(0xa0a0);
  function codeOf(block: Partial<EvmBlock>, delegate: Uint8Array): unknown {
    const { engine, state } = world({ block: { fork: 'prague', ...block } });
    state.putCode(AUTHORITY, `ef0100${toHex(CALLEE)}`);
    const authorizations = [{ chainId: 0n, address: delegate, nonce: 1n, authority: AUTHORITY }];
    const sent = tx({ type: 4, to: CALLER, maxPriorityFeePerGas: 0n, authorizations });
    const outcome = engine.transact(state, sent, { fees: 'none' });
    const changes = outcome.kind === 'executed' ? outcome.changes : [];
    const change = changes.find((one) => toHex(one.address) === toHex(AUTHORITY));
    return change?.kind === 'changed' && change.code !== undefined ? toHex(change.code) : undefined;
  }

  test('is reported as new code only with showsTouches', () => {
    expect(codeOf(SHOWN, CALLEE)).toBe(`ef0100${toHex(CALLEE)}`);
    expect(codeOf({}, CALLEE)).toBeUndefined();
    for (const block of [SHOWN, {}]) expect(codeOf(block, CALLER)).toBe(`ef0100${toHex(CALLER)}`);
  });
});
