import { beforeEach, describe, expect, test } from 'vitest';
import type { EvmEngine } from '../../../src/core/evm/engine.js';
import type { Precompile, PrecompileCall } from '../../../src/core/evm/precompile-call.js';
import {
  BLOCK,
  type MapState,
  NO_BYTES,
  address,
  asBigInt,
  executed,
  fromHex,
  toHex,
  transact,
  tx,
  word,
  world,
} from './support.js';

const PRECOMPILE = address(0x800);
const BENEFICIARY = address(0xbeef);
/** Forwards its input word to the precompile, then reverts when the input word is 1. */
const FORWARDER = address(0xa1);
const FORWARD = '365f5f3760205f365f5f6108005af1505f35600114601c5760205ff35b5f5ffd';
const callForwarder = `6020602060205f5f73${toHex(FORWARDER)}5af150`;

/** A precompile that counts outside of the EVM and writes a slot, a balance and a log inside. */
function counting(): { count: number; calls: PrecompileCall[]; run: Precompile } {
  const outside: ReturnType<typeof counting> = { count: 0, calls: [], run: (call) => count(call) };
  const count: Precompile = (call) => {
    outside.calls.push(call);
    if (call.isStatic) return { status: 'revert', gasUsed: 100n, output: NO_BYTES };
    const before = outside.count;
    call.undo(() => {
      outside.count = before;
    });
    outside.count += 1;
    const { journal } = call;
    journal.setBalance(BENEFICIARY, journal.balance(BENEFICIARY) + 7n);
    journal.setStorage(PRECOMPILE, word(0), word(asBigInt(journal.storage(PRECOMPILE, word(0))) + 1n));
    journal.log({ address: PRECOMPILE, topics: [word(0x1234)], data: word(outside.count) });
    return { status: 'success', gasUsed: 5_000n, output: word(outside.count) };
  };
  return outside;
}

let outside: ReturnType<typeof counting>;
let at: { readonly engine: EvmEngine; readonly state: MapState };

beforeEach(() => {
  outside = counting();
  at = world({ hooks: { precompiles: new Map([[toHex(PRECOMPILE), (call: PrecompileCall) => outside.run(call)]]) } });
  at.state.fund(PRECOMPILE, 0n, 1n).putCode(FORWARDER, FORWARD);
});

const inside = (): readonly [bigint, bigint] => [at.state.slot(PRECOMPILE, 0), at.state.balance(BENEFICIARY)];

describe('stateful precompiles', () => {
  test('change state outside and inside the EVM together', () => {
    const result = transact(at, tx({ to: PRECOMPILE, data: fromHex('c0ffee') }));
    expect(result.gasUsed).toBe(21_000n + 3n * 16n + 5_000n);
    expect([outside.count, ...inside(), result.logs.length]).toEqual([1, 1n, 7n, 1]);
    expect(outside.calls[0]).toMatchObject({ isStatic: false, isDelegate: false, value: 0n });
    expect(toHex(outside.calls[0]?.input ?? NO_BYTES)).toBe('c0ffee');
  });

  test('are undone outside and inside when their frame reverts, and other frames keep their effects', () => {
    const caller = address(0xb1);
    at.state.putCode(caller, `60015f52${callForwarder}5f5f52${callForwarder}60206020f3`);
    const result = transact(at, tx({ to: caller }));
    expect(outside.calls).toHaveLength(2);
    expect([outside.count, ...inside(), result.logs.length, asBigInt(result.output)]).toEqual([1, 1n, 7n, 1, 1n]);
  });

  test('are undone outside and inside when an outer frame reverts', () => {
    const caller = address(0xd1);
    at.state.putCode(caller, `5f5f52${callForwarder}5f5ffd`);
    expect(transact(at, tx({ to: caller })).status).toBe('revert');
    expect([outside.calls.length, outside.count, ...inside()]).toEqual([1, 0, 0n, 0n]);
  });

  test('leave no effects after calls and traces', () => {
    executed(at.engine.call(at.state, tx({ to: PRECOMPILE }), { fees: 'none' }, []));
    expect(
      at.engine.trace(at.state, tx({ to: PRECOMPILE }), { fees: 'none' }, [], '{"tracer":"callTracer"}'),
    ).toMatchObject({ ok: true });
    expect([outside.calls.length, outside.count]).toEqual([2, 0]);
    expect(asBigInt(executed(at.engine.call(at.state, tx({ to: PRECOMPILE }), { fees: 'none' }, [])).output)).toBe(1n);
  });

  test('that the host registers when their account is read restart the execution and undo its effects', () => {
    const [first, second] = [address(0x901), address(0x902)];
    const precompiles = new Map([[toHex(PRECOMPILE), (call: PrecompileCall) => outside.run(call)]]);
    const joins = (account: Uint8Array): boolean => {
      if (![first, second].some((one) => toHex(one) === toHex(account))) return false;
      const before = precompiles.size;
      precompiles.set(toHex(account), (call) => outside.run(call));
      return precompiles.size > before;
    };
    at = world({ hooks: { precompiles, joins } });
    const caller = address(0xe1);
    const callOf = (to: Uint8Array): string => `5f5f5f5f5f73${toHex(to)}5af150`;
    at.state.fund(PRECOMPILE, 0n, 1n).putCode(caller, `${callOf(PRECOMPILE)}${callOf(first)}${callOf(second)}00`);
    for (const one of [first, second]) at.state.putCode(one, '00');
    let restarts = 0;
    Object.assign(at.state, {
      restarted: () => {
        restarts += 1;
      },
    });
    expect(transact(at, tx({ to: caller })).status).toBe('success');
    // One restart for each of the two; each restart runs the earlier precompiles again.
    expect([restarts, outside.count, outside.calls.length]).toEqual([2, 3, 6]);
  });

  test('keep the effects of successful frames in a call with effects', () => {
    const call = (to: Uint8Array): unknown =>
      executed(at.engine.callWithEffects(at.state, tx({ to }), { fees: 'none' })).status;
    const caller = address(0xb3);
    at.state.putCode(caller, `5f5f52${callForwarder}5f5ffd`);
    expect([call(caller), outside.count]).toEqual(['revert', 0]);
    expect([call(PRECOMPILE), outside.count]).toEqual(['success', 1]);
    at.engine.clear();
    expect([call(PRECOMPILE), outside.count]).toEqual(['success', 2]);
  });

  test('see that a call is static and may revert with the gas used', () => {
    const caller = address(0xe1);
    at.state.putCode(caller, '5f5f5f5f6108005afa5f5260205ff3');
    expect(asBigInt(transact(at, tx({ to: caller })).output)).toBe(0n);
    expect(outside.calls[0]?.isStatic).toBe(true);
  });

  test('see that a call is a delegate call and for which account it runs', () => {
    const caller = address(0xe2);
    at.state.putCode(caller, '5f5f5f5f6108005af400');
    transact(at, tx({ to: caller }));
    expect(outside.calls[0]).toMatchObject({ isDelegate: true, target: caller });
  });

  test('halt and are undone when they use more gas than available', () => {
    const run = outside.run;
    outside = { ...counting(), run: (call) => ({ ...run(call), gasUsed: call.gas + 1n }) };
    const result = transact(at, tx({ to: PRECOMPILE }));
    expect(result).toMatchObject({ status: 'halt', reason: 'out of gas', gasUsed: 1_000_000n });
    expect(inside()).toEqual([0n, 0n]);
  });

  test('end the execution with an error that they throw, and are undone', () => {
    const thrown = new Error('out of reach');
    const counted = outside;
    outside = {
      ...counted,
      run: (call) => {
        counted.run(call);
        throw thrown;
      },
    };
    expect(() => at.engine.transact(at.state, tx({ to: FORWARDER, data: word(0) }), { fees: 'engine' })).toThrow(
      thrown,
    );
    expect(counted.count).toBe(0);
    outside = counted;
    expect(transact(at, tx({ to: PRECOMPILE })).status).toBe('success');
    expect([counted.count, ...inside()]).toEqual([1, 1n, 7n]);
  });

  test('make the engine read accounts again when they call forget() or clear()', () => {
    const touched = address(0x7777);
    at.state.fund(touched, 1n);
    const reader = address(0x7778);
    at.state.putCode(reader, `73${toHex(touched)}315f5260205ff3`);
    const balance = (): bigint =>
      asBigInt(executed(at.engine.call(at.state, tx({ to: reader, nonce: 1n }), { fees: 'none' }, [])).output);
    expect(balance()).toBe(1n);
    outside.run = () => {
      at.state.fund(touched, 2n);
      at.engine.forget(touched);
      return { status: 'success', gasUsed: 1n, output: NO_BYTES };
    };
    transact(at, tx({ to: PRECOMPILE }));
    expect(balance()).toBe(2n);
    outside.run = () => {
      at.state.fund(touched, 3n);
      at.engine.clear();
      return { status: 'success', gasUsed: 1n, output: NO_BYTES };
    };
    transact(at, tx({ to: PRECOMPILE, nonce: 1n }));
    expect(balance()).toBe(3n);
  });

  test('may not start another execution or a block on the same engine', () => {
    outside.run = () => {
      at.engine.call(at.state, tx({ to: PRECOMPILE }), { fees: 'none' }, []);
      return { status: 'success', gasUsed: 1n, output: NO_BYTES };
    };
    expect(() => transact(at, tx({ to: PRECOMPILE }))).toThrow(/one transaction at a time/);
    outside.run = () => {
      at.engine.beginBlock(BLOCK);
      return { status: 'success', gasUsed: 1n, output: NO_BYTES };
    };
    expect(() => transact(at, tx({ to: PRECOMPILE }))).toThrow(/between executions/);
    outside.run = () => ({ status: 'success', gasUsed: 1n, output: NO_BYTES });
    expect(transact(at, tx({ to: PRECOMPILE })).status).toBe('success');
  });

  test('do not lose wei that is sent to the address of the internal undo mark', () => {
    const mark = fromHex('feed000000000000000000000000000000000001');
    transact(at, tx({ to: PRECOMPILE }));
    expect(at.state.accounts.has(toHex(mark))).toBe(false);
    transact(at, tx({ to: mark, value: 5n, nonce: 1n }));
    transact(at, tx({ to: PRECOMPILE, nonce: 2n }));
    expect([at.state.balance(mark), at.state.slots.has(toHex(mark)), outside.count]).toEqual([5n, false, 2]);
  });
});

describe('a call back into the EVM from a precompile', () => {
  const COUNTER = address(0xcc);

  const calling =
    (gas: bigint, isStatic = false): Precompile =>
    (call) => {
      const { status, gasUsed, output } = call.journal.call({
        caller: PRECOMPILE,
        to: COUNTER,
        value: 0n,
        gas,
        isStatic,
        data: call.input,
      });
      return { status, gasUsed: gasUsed + 100n, output };
    };

  test('runs on the same journal and is reverted with the frame around it', () => {
    at.state.putCode(COUNTER, '5f54600101805f555f5260205ff3');
    outside.run = calling(100_000n);
    expect(asBigInt(transact(at, tx({ to: PRECOMPILE })).output)).toBe(1n);
    expect(at.state.slot(COUNTER, 0)).toBe(1n);
    const caller = address(0xd2);
    at.state.putCode(caller, `5f5f52${callForwarder}5f5ffd`);
    transact(at, tx({ to: caller, nonce: 1n }));
    expect(at.state.slot(COUNTER, 0)).toBe(1n);
  });

  test('halts on a write when it is static', () => {
    at.state.putCode(COUNTER, '60015f55');
    outside.run = calling(50_000n, true);
    expect(transact(at, tx({ to: PRECOMPILE }))).toMatchObject({ status: 'halt' });
    expect(at.state.slot(COUNTER, 0)).toBe(0n);
  });

  test('appears in the trace of the call around it', () => {
    at.state.putCode(COUNTER, '00');
    outside.run = calling(50_000n);
    const trace = at.engine.trace(at.state, tx({ to: PRECOMPILE }), { fees: 'none' }, [], '{"tracer":"callTracer"}');
    if (!trace.ok) throw new Error(trace.message);
    expect(JSON.parse(trace.json)).toMatchObject({
      to: `0x${toHex(PRECOMPILE)}`,
      calls: [{ to: `0x${toHex(COUNTER)}` }],
    });
  });

  test('stops at a fixed depth when precompiles recurse, before the stack overflows', () => {
    let depth = 0;
    outside.run = (call) => {
      depth += 1;
      const { gasUsed } = call.journal.call({
        caller: PRECOMPILE,
        to: PRECOMPILE,
        value: 0n,
        gas: call.gas - 1_000n,
        isStatic: false,
        data: NO_BYTES,
      });
      return { status: 'success', gasUsed, output: NO_BYTES };
    };
    expect(transact(at, tx({ to: PRECOMPILE, gasLimit: 10_000_000n })).status).toBe('success');
    expect(depth).toBe(16);
  });
});
