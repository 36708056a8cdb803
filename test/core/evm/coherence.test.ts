import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../support/property-runs.js';
import type { EvmEngine } from '../../../src/core/evm/engine.js';
import { BLOCK, MapState, SENDER, address, asBigInt, createEngine, toHex, tx, word } from './support.js';

/** Contracts that read and write two slots, forward wei, and may self-destruct. */
const CONTRACTS = [0xa1, 0xa2, 0xa3].map(address);
/** slot[calldata[0] & 1] += value + 1, then half of the value to the address in calldata[32]; returns the slot. */
const CODE = '5f35600116805434016001018091555f5f5f5f600234046020355af1505f5260205ff3';
const SELF_DESTRUCT = '602035ff';

type Step =
  | {
      readonly kind: 'transact';
      readonly to: number;
      readonly slot: number;
      readonly target: number;
      readonly value: number;
      readonly fees: 'engine' | 'none';
    }
  | { readonly kind: 'call'; readonly to: number; readonly slot: number; readonly override: boolean }
  | {
      readonly kind: 'outside';
      readonly who: number;
      readonly what: 'balance' | 'slot' | 'code' | 'delete';
      readonly value: number;
    }
  | { readonly kind: 'give-up'; readonly to: number; readonly value: number };

const which = fc.nat(2);
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('transact' as const),
      to: which,
      slot: fc.nat(1),
      target: which,
      value: fc.nat(50),
      fees: fc.constantFrom('engine' as const, 'none' as const),
    }),
    fc.record({ kind: fc.constant('call' as const), to: which, slot: fc.nat(1), override: fc.boolean() }),
    fc.record({
      kind: fc.constant('outside' as const),
      who: which,
      what: fc.constantFrom('balance' as const, 'slot' as const, 'code' as const, 'delete' as const),
      value: fc.nat(1000),
    }),
    fc.record({ kind: fc.constant('give-up' as const), to: which, value: fc.nat(50) }),
  ),
  { minLength: 1, maxLength: 20 },
);

const at = (index: number): Uint8Array => CONTRACTS[index] ?? address(0);

function changeOutside(state: MapState, { who, what, value }: Extract<Step, { kind: 'outside' }>): void {
  const one = at(who);
  const account = state.accounts.get(toHex(one));
  if (what === 'delete') {
    state.accounts.delete(toHex(one));
    state.slots.delete(toHex(one));
  } else if (what === 'code') state.putCode(one, value % 2 === 0 ? CODE : SELF_DESTRUCT, BigInt(value));
  else if (what === 'slot' && account !== undefined) state.putSlot(one, word(value % 2), word(value));
  else if (account !== undefined) state.accounts.set(toHex(one), { ...account, balance: BigInt(value) });
}

/** The result of the step as text. */
function perform(engine: EvmEngine, state: MapState, step: Step, nonce: bigint): string {
  if (step.kind === 'outside') {
    changeOutside(state, step);
    engine.forget(at(step.who));
    return '';
  }
  const data = Uint8Array.from([
    ...word('slot' in step ? step.slot : 0),
    ...word(asBigInt(at('target' in step ? step.target : 0))),
  ]);
  const transaction = tx({
    to: at(step.to),
    nonce,
    data,
    value: BigInt('value' in step ? step.value : 0),
    gasLimit: 500_000n,
  });
  if (step.kind === 'call') {
    const overrides = step.override
      ? [{ address: at(step.to), balance: 77n, storage: [{ slot: word(step.slot), value: word(5) }] }]
      : [];
    return describe(engine.call(state, transaction, { fees: 'none' }, overrides));
  }
  const outcome = engine.transact(state, transaction, { fees: step.kind === 'transact' ? step.fees : 'engine' });
  if (step.kind === 'give-up') engine.clear();
  else if (outcome.kind === 'executed') state.apply(outcome.changes);
  return describe(outcome);
}

const describe = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'bigint' ? `${one}n` : one instanceof Uint8Array ? toHex(one) : one,
  );

test('a cached EVM engine gives the results of a fresh one if its host calls forget() for outside changes', () => {
  const cached = createEngine();
  const fresh = createEngine();
  for (const engine of [cached, fresh]) engine.beginBlock({ ...BLOCK, fork: 'shanghai' });
  fc.assert(
    fc.property(steps, (all) => {
      cached.clear();
      const states = [0, 1].map(() => {
        const state = new MapState().fund(SENDER, 10n ** 24n);
        for (const one of CONTRACTS) state.putCode(one, CODE, 10n);
        return state;
      });
      const [first, second] = states;
      if (first === undefined || second === undefined) return;
      for (const step of all) {
        fresh.clear();
        expect(perform(cached, first, step, first.nonce(SENDER))).toBe(
          perform(fresh, second, step, second.nonce(SENDER)),
        );
      }
      expect([first.accounts, first.slots, first.codes]).toEqual([second.accounts, second.slots, second.codes]);
    }),
    { numRuns: propertyRuns(60) },
  );
});

test('a cached EVM engine returns stale values until forget() is called, so the property above can fail', () => {
  const engine = createEngine();
  engine.beginBlock(BLOCK);
  const state = new MapState().putCode(at(0), '5f545f5260205ff3').putSlot(at(0), word(0), word(1));
  const read = (): bigint => {
    const outcome = engine.call(state, tx({ to: at(0) }), { fees: 'none' }, []);
    return outcome.kind === 'executed' ? asBigInt(outcome.result.output) : -1n;
  };
  expect(read()).toBe(1n);
  state.putSlot(at(0), word(0), word(2));
  expect(read()).toBe(1n);
  engine.forget(at(0));
  expect(read()).toBe(2n);
});

test('a cached EVM engine does not read cached values from the state again', () => {
  const engine = createEngine();
  engine.beginBlock(BLOCK);
  const state = new MapState().putCode(at(0), '5f545f5260205ff3').putSlot(at(0), word(0), word(1));
  engine.call(state, tx({ to: at(0) }), { fees: 'none' }, []);
  const reads = state.reads;
  engine.call(state, tx({ to: at(0) }), { fees: 'none' }, []);
  expect(state.reads).toBe(reads);
});
