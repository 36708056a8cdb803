import { describe, expect, test } from 'vitest';
import type { EvmOverride } from '../../../src/core/evm/state.js';
import type { EvmTransaction } from '../../../src/core/evm/transaction.js';
import { contractAddressOf } from '../../../src/core/ethereum/block-of.js';
import { COINBASE, SENDER, address, crypto, executed, fromHex, toHex, tx, word, world } from './support.js';

const OUTER = address(0xa1);
const INNER = address(0xb1);
const hex = (bytes: Uint8Array): string => `0x${toHex(bytes)}`;

function traced(
  options: object,
  transaction: EvmTransaction = tx({ to: OUTER, data: word(1) }),
  fees: 'engine' | 'none' = 'none',
): unknown {
  const at = world();
  // Stores 1 in slot 0, calls INNER with selector 0xa9059cbb and one word; INNER stores and
  // reverts.
  at.state.putCode(OUTER, `60015f5563a9059cbb60e01b5f525f5f60245f5f73${toHex(INNER)}5af15000`);
  at.state.putCode(INNER, '60025f555f5ffd').putSlot(INNER, word(0), word(9));
  const trace = at.engine.trace(at.state, transaction, { fees }, [], JSON.stringify(options));
  if (!trace.ok) throw new Error(trace.message);
  return JSON.parse(trace.json);
}

describe('EVM traces', () => {
  test('have struct logs of every step with gas, depth and stack', () => {
    const trace = traced({});
    expect(trace).toMatchObject({
      failed: false,
      structLogs: expect.arrayContaining([
        expect.objectContaining({ op: 'SSTORE', depth: 1 }),
        expect.objectContaining({ op: 'REVERT', depth: 2 }),
      ]),
    });
    expect(trace).toMatchObject({
      structLogs: [
        { pc: 0, op: 'PUSH1', gas: expect.any(Number), gasCost: 3, depth: 1, stack: [] },
        expect.anything(),
        ...Array.from({ length: (trace as { structLogs: unknown[] }).structLogs.length - 2 }, () => expect.anything()),
      ],
    });
  });

  test('have struct logs as the options ask', () => {
    const logs = (options: object): readonly Record<string, unknown>[] =>
      (traced(options) as { structLogs: readonly Record<string, unknown>[] }).structLogs;
    const all = logs({ enableMemory: true, enableReturnData: true });
    expect(all.find(({ op }) => op === 'MSTORE')).toMatchObject({
      memory: [],
      stack: [expect.stringMatching(/^0xa9059cbb0+$/), '0x0'],
    });
    expect(all.find(({ op }) => op === 'CALL')).toMatchObject({ memory: [`0xa9059cbb${'0'.repeat(56)}`] });
    // As in geth, a step without return data has no such member.
    expect(all.filter((step) => 'returnData' in step)).toEqual([]);
    expect(
      all.filter(({ storage }) => storage !== undefined).map(({ op, depth, storage }) => [op, depth, storage]),
    ).toEqual([
      ['SSTORE', 1, { [hex(word(0))]: hex(word(1)) }],
      ['SSTORE', 2, { [hex(word(0))]: hex(word(2)) }],
    ]);
    const least = logs({ disableStack: true, disableStorage: true });
    expect(Object.keys(least[0] ?? {})).toEqual(['pc', 'op', 'gas', 'gasCost', 'depth']);
    expect(least.some((log) => 'storage' in log || 'stack' in log || 'memory' in log)).toBe(false);
    expect(logs({ limit: 3 })).toEqual(logs({}).slice(0, 3));
    expect(logs({ limit: 0 })).toEqual(logs({}));
    expect(logs({ tracer: '' })).toEqual(logs({}));
  });

  test('have struct logs with the slots so far, the refund counter and the error of a failed step', () => {
    const at = world();
    // Reads slot 1 (9), clears slot 0 (refund), calls INNER, whose stack underflows.
    at.state
      .putCode(OUTER, `60015450${'5f5f55'}5f5f5f5f5f73${toHex(INNER)}5af15000`)
      .putSlot(OUTER, word(0), word(5))
      .putSlot(OUTER, word(1), word(9));
    at.state.putCode(INNER, '5f5001');
    const trace = at.engine.trace(at.state, tx({ to: OUTER }), { fees: 'engine' }, [], '{}');
    if (!trace.ok) throw new Error(trace.message);
    const { structLogs, failed, returnValue, gas } = JSON.parse(trace.json) as {
      structLogs: Record<string, unknown>[];
      failed: boolean;
      returnValue: string;
      gas: number;
    };
    expect({ failed, returnValue }).toEqual({ failed: false, returnValue: '0x' });
    expect(BigInt(gas)).toBe(executed(at.engine.call(at.state, tx({ to: OUTER }), { fees: 'engine' }, [])).gasUsed);
    expect(structLogs.filter(({ storage }) => storage !== undefined).map(({ op, storage }) => [op, storage])).toEqual([
      ['SLOAD', { [hex(word(1))]: hex(word(9)) }],
      ['SSTORE', { [hex(word(0))]: hex(word(0)), [hex(word(1))]: hex(word(9)) }],
    ]);
    expect(structLogs.filter(({ depth }) => depth === 2)).toEqual([
      expect.objectContaining({ op: 'PUSH0', refund: 4800 }),
      expect.objectContaining({ op: 'POP', refund: 4800 }),
      expect.objectContaining({ op: 'ADD', error: 'stack underflow (0 <=> 2)' }),
    ]);
    expect(structLogs.find(({ op }) => op === 'SLOAD')).not.toHaveProperty('refund');
  });

  test('fail when they grow too large, unless options leave out enough', () => {
    const at = world();
    // Fills the stack with 1,000 words and then loops forever: 60 KiB for each step.
    at.state.putCode(OUTER, `${'7f'.concat('ff'.repeat(32)).repeat(1000)}5b6180e856`);
    const trace = (options: object): string => {
      const answer = at.engine.trace(
        at.state,
        tx({ to: OUTER, gasLimit: 60_000n }),
        { fees: 'none' },
        [],
        JSON.stringify(options),
      );
      return answer.ok ? answer.json.slice(-60) : answer.message;
    };
    expect(trace({})).toBe('trace too large');
    for (const options of [{ disableStack: true }, { limit: 20 }])
      expect(trace(options)).toMatch(/],"gas":60000,"failed":true,/);
  });

  test('of struct logs can be streamed in pieces with the same bytes; other tracers are not streamed', () => {
    const pieces: Uint8Array[] = [];
    const textOf = (options: string, takes: boolean): string => {
      pieces.length = 0;
      const at = world({ hooks: { tracePiece: (text) => takes && pieces.push(text.slice()) > 0 } });
      // 10,000 rounds of a loop
      at.state.putCode(OUTER, '6127105b600190038060035700');
      const answer = at.engine.trace(at.state, tx({ to: OUTER, gasLimit: 5_000_000n }), { fees: 'none' }, [], options);
      if (!answer.ok) throw new Error(answer.message);
      return Buffer.concat([...pieces, Buffer.from(answer.json)]).toString();
    };
    const whole = textOf('{}', false);
    expect(pieces).toEqual([]);
    expect(whole.endsWith('"failed":false,"returnValue":"0x"}')).toBe(true);
    expect(textOf('{}', true) === whole).toBe(true);
    expect(pieces.length).toBeGreaterThan(2);
    textOf('{"tracer":"callTracer"}', true);
    expect(pieces).toEqual([]);
  });

  test('run with state overrides and discard them afterwards', () => {
    const at = world();
    at.state.putCode(OUTER, '5f545f5260205ff3');
    const edits = [{ address: OUTER, balance: 5n, slots: [{ slot: word(0), value: word(7) }] }];
    const trace = (overrides: readonly EvmOverride[], options = '{}') => {
      const answer = at.engine.trace(at.state, tx({ to: OUTER }), { fees: 'none' }, overrides, options);
      return answer.ok ? (JSON.parse(answer.json) as { readonly returnValue: string }) : answer.message;
    };
    expect(trace(edits)).toMatchObject({ returnValue: hex(word(7)) });
    expect(trace(edits, '{"tracer":"prestateTracer"}')).toMatchObject({
      [hex(OUTER)]: { balance: '0x5', storage: { [hex(word(0))]: hex(word(7)) } },
    });
    expect(trace([])).toMatchObject({ returnValue: hex(word(0)) });
  });

  test('of accessListTracer list accessed addresses and slots, without sender and precompiles', () => {
    const at = world();
    // SLOAD 3, BALANCE of INNER, CALL of INNER (SLOAD 4), CALL of sha256.
    at.state.putCode(OUTER, `6003545073${toHex(INNER)}31505f5f5f5f5f73${toHex(INNER)}5af1505f5f5f5f60025afa5000`);
    at.state.putCode(INNER, '60045400');
    const answer = at.engine.trace(at.state, tx({ to: OUTER }), { fees: 'none' }, [], '{"tracer":"accessListTracer"}');
    expect(answer.ok && JSON.parse(answer.json)).toEqual([
      { address: hex(OUTER), storageKeys: [hex(word(3))] },
      { address: hex(INNER), storageKeys: [hex(word(4))] },
    ]);
  });

  test('of callTracer nest calls with their input and error', () => {
    expect(traced({ tracer: 'callTracer' })).toMatchObject({
      type: 'CALL',
      from: hex(SENDER),
      to: hex(OUTER),
      calls: [
        { type: 'CALL', to: hex(INNER), input: expect.stringMatching(/^0xa9059cbb/), error: 'execution reverted' },
      ],
    });
  });

  test('of callTracer and muxTracer have the errors of frames with opcode and stack height', () => {
    const at = world();
    const broken = [address(0xb2), address(0xb3), address(0xb4)];
    const call = (to: Uint8Array): string => `5f5f5f5f5f73${toHex(to)}61ffff${'f150'}`;
    // Calls one that succeeds, one that self-destructs and three that fail, then halts itself.
    at.state.putCode(OUTER, `${[INNER, address(0xb5), ...broken].map(call).join('')}0c`);
    at.state.putCode(INNER, '00').putCode(address(0xb5), '5fff');
    ['5f01', `${'5f'.repeat(1024)}30`, '5b5f56'].forEach((code, index) =>
      at.state.putCode(broken[index] ?? INNER, code),
    );
    const frames = (options: object): unknown => {
      const answer = at.engine.trace(at.state, tx({ to: OUTER }), { fees: 'none' }, [], JSON.stringify(options));
      return answer.ok ? JSON.parse(answer.json) : answer.message;
    };
    const expected = {
      error: 'invalid opcode: opcode 0xc not defined',
      calls: [
        expect.not.objectContaining({ error: expect.anything() }),
        expect.objectContaining({ calls: [expect.objectContaining({ type: 'SELFDESTRUCT' })] }),
        expect.objectContaining({ error: 'stack underflow (1 <=> 2)' }),
        expect.objectContaining({ error: 'stack limit reached 1024 (1023)' }),
        expect.objectContaining({ error: 'out of gas' }),
      ],
    };
    expect(frames({ tracer: 'callTracer' })).toMatchObject(expected);
    expect(frames({ tracer: 'muxTracer', tracerConfig: { callTracer: {} } })).toMatchObject({ callTracer: expected });
  });

  test.each([
    ['MLOAD', '5f63ffffffff5100'],
    ['RETURN', '620fffff5ff3'],
  ])('say "out of gas" when %s cannot pay for its memory, as in geth', (_, code) => {
    const at = world();
    at.state.putCode(OUTER, `5f5f5f5f5f73${toHex(INNER)}62020000f15000`).putCode(INNER, code);
    for (const tracer of ['callTracer', 'erc7562Tracer']) {
      const frames = (to: Uint8Array): unknown => {
        const call = tx({ to, gasLimit: 0x30000n });
        const trace = at.engine.trace(at.state, call, { fees: 'none' }, [], JSON.stringify({ tracer }));
        return trace.ok ? JSON.parse(trace.json) : trace.message;
      };
      expect(frames(INNER)).toMatchObject({ error: 'out of gas' });
      expect(frames(OUTER)).toMatchObject({ calls: [{ error: 'out of gas' }] });
    }
  });

  test('of prestateTracer have the state that was read, and in diff mode the state before and after', () => {
    expect(traced({ tracer: 'prestateTracer' })).toMatchObject({
      [hex(INNER)]: { storage: { [hex(word(0))]: hex(word(9)) } },
    });
    const diff = traced(
      { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
      tx({ to: OUTER, data: word(1) }),
      'engine',
    );
    expect(diff).toMatchObject({
      post: { [hex(OUTER)]: { storage: { [hex(word(0))]: hex(word(1)) } }, [hex(SENDER)]: { nonce: 1 } },
    });
    expect((diff as { post: object }).post).not.toHaveProperty(hex(INNER));
  });

  test('of prestateTracer in diff mode leave out accounts that were empty before', () => {
    const [fresh, edited] = [address(0xcdcd), address(0xcdce)];
    const at = world();
    at.state.putCode(OUTER, `5f5f5f5f600173${toHex(edited)}5af1505f5f5ff000`, 5n);
    const diff = (to: Uint8Array, overrides: readonly EvmOverride[], disableCode = false): unknown => {
      const options = { tracer: 'prestateTracer', tracerConfig: { diffMode: true, disableCode } };
      const call = tx({ to, value: 7n, maxFeePerGas: 0n });
      const trace = at.engine.trace(at.state, call, { fees: 'none' }, overrides, JSON.stringify(options));
      return trace.ok ? JSON.parse(trace.json) : trace.message;
    };
    const sender = { [hex(SENDER)]: expect.anything() };
    expect(diff(fresh, [])).toEqual({ pre: sender, post: { ...sender, [hex(fresh)]: { balance: '0x7' } } });
    expect(diff(fresh, [{ address: fresh, balance: 0n }])).toMatchObject({ pre: sender });
    expect(diff(fresh, [{ address: fresh, balance: 1n }])).toMatchObject({
      pre: { [hex(fresh)]: { balance: '0x1' } },
      post: { [hex(fresh)]: { balance: '0x8' } },
    });
    const created = hex(contractAddressOf(crypto, OUTER, 1n));
    expect(diff(OUTER, [{ address: edited, nonce: 0n }])).toEqual({
      pre: { ...sender, [hex(OUTER)]: expect.anything() },
      post: { ...sender, [hex(OUTER)]: expect.anything(), [hex(edited)]: { balance: '0x1' }, [created]: { nonce: 1 } },
    });
    // An account with code only is not empty, also when disableCode hides the code.
    const coded = { address: edited, code: fromHex('00'), nonce: 0n };
    expect(diff(OUTER, [coded], true)).toMatchObject({ pre: { [hex(edited)]: { balance: '0x0' } } });
  });

  test("with fees `nonce` raise the sender's nonce before the call, and otherwise equal those with `none`", () => {
    const at = world();
    const options = JSON.stringify({ tracer: 'prestateTracer', tracerConfig: { diffMode: true } });
    // The sender's own code creates a contract, whose address depends on the sender's nonce.
    at.state.putCode(OUTER, `5f5f5f5f5f73${toHex(SENDER)}5af15000`);
    const creates = { address: SENDER, code: fromHex('5f5f5ff000'), nonce: 4n };
    const states = (fees: 'none' | 'nonce', call: Partial<EvmTransaction>, overrides: readonly EvmOverride[] = []) => {
      const transaction = tx({ maxFeePerGas: 0n, ...call });
      const trace = at.engine.trace(at.state, transaction, { fees }, overrides, options);
      if (!trace.ok) throw new Error(trace.message);
      return JSON.parse(trace.json) as Record<'pre' | 'post', Record<string, { readonly nonce?: number }>>;
    };
    const transfer = { to: address(0xdede), value: 7n };
    expect(states('none', transfer).post[hex(SENDER)]).toEqual({ balance: expect.any(String) });
    expect(states('nonce', transfer).post[hex(SENDER)]).toEqual({ balance: expect.any(String), nonce: 1 });
    // The nonce of the state counts, whatever the call says.
    expect(states('nonce', { ...transfer, nonce: 9n }).post[hex(SENDER)]?.nonce).toBe(1);
    // A revert keeps the raised nonce.
    at.state.putCode(INNER, '5f5ffd');
    expect(states('nonce', { to: INNER })).toEqual({
      pre: { [hex(SENDER)]: { balance: expect.any(String) } },
      post: { [hex(SENDER)]: { nonce: 1 } },
    });
    const after = (nonce: bigint): unknown => hex(contractAddressOf(crypto, SENDER, nonce));
    const made = (fees: 'none' | 'nonce') => {
      const { post } = states(fees, { to: OUTER }, [creates]);
      return [Object.keys(post).filter((name) => name !== hex(SENDER)), post[hex(SENDER)]?.nonce];
    };
    expect(made('none')).toEqual([[after(4n)], 5]);
    expect(made('nonce')).toEqual([[after(5n)], 6]);
    const highest = { address: SENDER, nonce: 2n ** 64n - 1n };
    expect(states('nonce', transfer, [highest]).post[hex(SENDER)]?.nonce ?? 0).toBe(0);
    // A creation raises the nonce itself.
    const creation = { to: undefined, data: fromHex('00'), nonce: 0n };
    expect(states('nonce', creation)).toEqual(states('none', creation));
    expect(states('nonce', creation).post[hex(SENDER)]?.nonce).toBe(1);
  });

  test('of 4byteTracer count selectors with the size of their arguments', () => {
    expect(traced({ tracer: '4byteTracer' })).toMatchObject({ '0xa9059cbb-32': 1 });
  });

  test('of flatCallTracer, muxTracer and noopTracer have their forms', () => {
    expect(traced({ tracer: 'flatCallTracer' })).toMatchObject([
      { traceAddress: [], subtraces: 1 },
      { traceAddress: [0], error: expect.any(String) },
    ]);
    expect(traced({ tracer: 'muxTracer', tracerConfig: { callTracer: {}, '4byteTracer': null } })).toMatchObject({
      callTracer: { type: 'CALL' },
      '4byteTracer': { '0xa9059cbb-32': 1 },
    });
    expect(traced({ tracer: 'noopTracer' })).toEqual({});
  });

  test('of flatCallTracer give the first call the gas of the transaction, also in muxTracer', () => {
    const transfer = tx({ to: address(0xb2) });
    const flat = [expect.objectContaining({ result: { gasUsed: '0x5208', output: '0x' } })];
    expect(traced({ tracer: 'flatCallTracer' }, transfer)).toEqual(flat);
    expect(traced({ tracer: 'muxTracer', tracerConfig: { flatCallTracer: null } }, transfer)).toEqual({
      flatCallTracer: flat,
    });
  });

  test('of muxTracer combine any tracers, muxTracer included, or none', () => {
    const inner = { callTracer: { onlyTopCall: true }, prestateTracer: { diffMode: true } };
    const options = { tracer: 'muxTracer', tracerConfig: { muxTracer: inner, keccak256PreimageTracer: {} } };
    expect(traced(options)).toEqual({
      muxTracer: {
        callTracer: expect.not.objectContaining({ calls: expect.anything() }),
        prestateTracer: { pre: expect.anything(), post: expect.anything() },
      },
      keccak256PreimageTracer: {},
    });
    for (const tracerConfig of [{}, null]) expect(traced({ tracer: 'muxTracer', tracerConfig })).toEqual({});
    expect(() => traced({ tracer: 'muxTracer', tracerConfig: 'x' })).toThrow(
      'invalid configuration of muxTracer: not an object',
    );
  });

  test('of prestateTracer have empty accounts with includeEmpty, the coinbase included', () => {
    const NOBODY = address(0xe0a0);
    const at = world();
    // Reads the balance of an absent account, and creates a contract that writes its slot 2.
    at.state.putCode(OUTER, `73${toHex(NOBODY)}3150` + '6460016002555f526005601b5ff000');
    const accounts = (tracerConfig: object): unknown => {
      const options = JSON.stringify({ tracer: 'prestateTracer', tracerConfig });
      const trace = at.engine.trace(at.state, tx({ to: OUTER }), { fees: 'none' }, [], options);
      return trace.ok ? JSON.parse(trace.json) : trace.message;
    };
    const known = { [hex(SENDER)]: expect.anything(), [hex(OUTER)]: expect.anything() };
    const created = hex(contractAddressOf(crypto, OUTER, 1n));
    const empty = { balance: '0x0' };
    expect(accounts({})).toEqual(known);
    expect(accounts({ includeEmpty: true })).toEqual({
      ...known,
      [hex(NOBODY)]: empty,
      [hex(COINBASE)]: empty,
      [created]: { ...empty, storage: { [hex(word(2))]: hex(word(0)) } },
    });
    expect(accounts({ includeEmpty: true, disableStorage: true })).toMatchObject({ [created]: empty });
    expect(accounts({ includeEmpty: true, diffMode: true })).toBe('cannot use diffMode with includeEmpty');
  });

  test('of callTracer number the logs of successful frames and show SELFDESTRUCT and unpaid code storage', () => {
    const at = world();
    const call = (to: Uint8Array): string => `5f5f5f5f5f73${toHex(to)}61fffff150`;
    const [logs, ends] = [address(0xb2), address(0xb3)];
    // A log, a reverted log of INNER, a log of a successful call, and another log.
    at.state.putCode(OUTER, `5f5fa0${call(INNER)}${call(logs)}5f5fa0${call(ends)}00`, 3n);
    at.state.putCode(INNER, '5f5fa05f5ffd').putCode(logs, '5f5fa000').putCode(ends, '30ff', 7n);
    const trace = at.engine.trace(
      at.state,
      tx({ to: OUTER }),
      { fees: 'none' },
      [],
      '{"tracer":"callTracer","tracerConfig":{"withLog":true}}',
    );
    const numbered = (...indices: string[]) => indices.map((index) => expect.objectContaining({ index }));
    expect(trace.ok && JSON.parse(trace.json)).toMatchObject({
      logs: numbered('0x0', '0x2'),
      calls: [
        expect.not.objectContaining({ logs: expect.anything() }),
        { logs: numbered('0x1') },
        { calls: [{ type: 'SELFDESTRUCT', from: hex(ends), to: hex(ends), value: '0x7' }] },
      ],
    });
    const creation = tx({ to: undefined, data: fromHex('6120005ff3'), gasLimit: 100_000n });
    expect(traced({ tracer: 'callTracer' }, creation)).toMatchObject({
      error: 'contract creation code storage out of gas',
    });
  });

  test('change no state, and fail with a message for unknown tracers, bad options and refused transactions', () => {
    const at = world();
    at.state.putCode(OUTER, '5f54600101805f555f5260205ff3');
    const trace = (options: string, transaction = tx({ to: OUTER })) =>
      at.engine.trace(at.state, transaction, { fees: 'engine' }, [], options);
    expect([trace('{}'), trace('{}')].map((one) => one.ok && JSON.parse(one.json).returnValue)).toEqual([
      hex(word(1)),
      hex(word(1)),
    ]);
    expect(trace('{"tracer":"{step:function(){}}"}')).toMatchObject({ ok: false });
    expect(trace('{"tracer":"muxTracer","tracerConfig":{"nopeTracer":{}}}')).toMatchObject({ ok: false });
    expect(trace('{')).toMatchObject({ ok: false });
    expect(trace('{}', tx({ to: OUTER, nonce: 5n }))).toMatchObject({
      ok: false,
      message: expect.stringContaining('nonce'),
    });
  });
});
