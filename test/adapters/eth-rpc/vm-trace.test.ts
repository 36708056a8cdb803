import { describe, expect, it } from 'vitest';
import { vmTrace } from '../../../src/adapters/eth-rpc/traces/vm-trace.js';

interface Log {
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  readonly gasCost: number;
  readonly depth: number;
  readonly stack: readonly string[];
  readonly memory: readonly string[];
  readonly error?: string;
}

const word = (digits: string): string => `0x${digits.padStart(64, '0')}`;

/** A step of a frame; each costs 3 gas and is one byte after the previous one. */
function step(op: string, stack: readonly string[], further: Partial<Log> = {}): Omit<Log, 'pc' | 'gas'> {
  return { op, stack, gasCost: 3, depth: 1, memory: [], ...further };
}

const textOf = (steps: readonly Omit<Log, 'pc' | 'gas'>[]): string =>
  JSON.stringify({ structLogs: steps.map((each, pc) => ({ ...each, pc, gas: 1_000 - 3 * pc })) });
const noCode = (): string => '0x';

describe('VM traces', () => {
  it('show what each instruction pushed, stored and used', () => {
    const memory = [word('2a')];
    const { code, ops } = vmTrace(
      textOf([
        step('PUSH1', []),
        step('DUP1', ['0x2a']),
        step('PUSH1', ['0x2a', '0x2a']),
        step('MSTORE', ['0x2a', '0x2a', '0x0']),
        step('SSTORE', ['0x7', '0x2a'], { memory }),
        step('MLOAD', ['0x0'], { memory }),
        step('STOP', ['0x2a'], { memory }),
      ]),
      '0x602a',
      noCode,
    );
    expect(code).toBe('0x602a');
    expect(ops.map(({ ex }) => ex?.push)).toEqual([['0x2a'], ['0x2a', '0x2a'], ['0x0'], [], [], ['0x2a'], []]);
    expect(ops.map(({ ex }) => ex?.mem)).toEqual([
      ...[null, null, null],
      { off: 0, data: word('2a') },
      ...[null, { off: 0, data: word('2a') }, null],
    ]);
    expect(ops.map(({ ex }) => ex?.store)).toEqual([null, null, null, null, { key: '0x2a', val: '0x7' }, null, null]);
    expect(ops.map(({ ex }) => ex?.used)).toEqual([997, 994, 991, 988, 985, 982, 979]);
    expect(ops[1]).toMatchObject({ pc: 1, op: 'DUP1', cost: 3, sub: null });
  });

  it('contain the code and the instructions of calls, also of contracts that were just created', () => {
    const memory = [`0x60fe${'0'.repeat(60)}`];
    const made = '11'.repeat(20);
    const other = '22'.repeat(20);
    const asked: string[] = [];
    const { ops } = vmTrace(
      textOf([
        step('CREATE', ['0x2', '0x0', '0x0'], { memory }),
        step('RETURN', ['0x3', '0x1f'], { depth: 2, memory: [word('aa')] }),
        step('PUSH1', [`0x${made}`], { memory }),
        step('STATICCALL', ['0x0', '0x0', '0x0', '0x0', `0x${made}`, '0x64'], { memory }),
        step('INVALID', [], { depth: 2, error: 'invalid opcode: INVALID' }),
        step('CALL', ['0x2', '0x1', '0x0', '0x0', '0x0', `0x${other}`, '0x64'], { memory }),
        step('CALL', ['0x0', '0x0', '0x0', '0x0', '0x0', `0x${other}`, '0x64'], { depth: 2 }),
        step('STOP', [], { depth: 3 }),
        step('STOP', ['0x1'], { memory }),
      ]),
      '0x',
      (address) => {
        asked.push(address);
        return '0xbeef';
      },
    );
    const [create, , failing, nested, stop] = ops;
    expect(ops).toHaveLength(5);
    expect(create?.sub).toMatchObject({ code: '0x60fe', ops: [{ op: 'RETURN', ex: { push: [] } }] });
    expect(failing?.sub).toMatchObject({ code: '0xaa0000', ops: [{ op: 'INVALID', ex: null }] });
    expect(nested?.sub).toMatchObject({ code: '0xbeef', ops: [{ op: 'CALL', sub: { ops: [{ op: 'STOP' }] } }] });
    expect(nested?.ex).toMatchObject({ push: ['0x1'], mem: { off: 1, data: '0xfe00' } });
    expect(stop?.sub).toBeNull();
    expect(asked).toEqual([`0x${other}`, `0x${other}`]);
  });

  it('are empty when no code ran, and end where the execution was stopped', () => {
    expect(vmTrace(textOf([]), '0x', noCode)).toEqual({ code: '0x', ops: [] });
    const ended = vmTrace(textOf([step('CALL', ['0x0', '0x0'], {}), step('SLOAD', [], { depth: 2 })]), '0x', noCode);
    expect(ended.ops[0]?.sub?.ops).toMatchObject([{ op: 'SLOAD', ex: { push: [] } }]);
  });
});
