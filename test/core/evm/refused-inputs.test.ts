/** Halt reasons of Ethereum's precompiles for invalid inputs. */
import { describe, expect, test } from 'vitest';
import { intrinsicGas, REFUSED_INPUTS, type RefusedInput } from './refused-inputs.js';
import { address, fromHex, transact, tx, world } from './support.js';

const ENOUGH = 1_000_000;
/** Calls the BN254 pairing with one byte, which is too short. */
const CALLING = '5f5f60015f5f600862020000f100';

interface CallFrame {
  readonly error?: string;
  readonly calls?: readonly CallFrame[];
}

/** Halt reason of a transaction to the precompile. */
function reasonOf(to: number, input: string, gas = ENOUGH): string | undefined {
  const at = world({ block: { fork: 'prague', isFloorFree: true } });
  const gasLimit = BigInt(intrinsicGas(input).least + gas);
  return transact(at, tx({ to: address(to), data: fromHex(input), gasLimit })).reason;
}

/** Error of the precompile's frame in a contract that calls it with its own input. */
function frameErrorOf(to: number, input: string, gas = ENOUGH): string | undefined {
  const at = world({ block: { fork: 'prague' } });
  const caller = address(0xca11);
  const [toHex, gasHex] = [to.toString(16).padStart(2, '0'), gas.toString(16).padStart(8, '0')];
  at.state.putCode(caller, `365f5f375f5f365f5f60${toHex}63${gasHex}f100`);
  const call = tx({ to: caller, data: fromHex(input), gasLimit: BigInt(4 * ENOUGH) });
  const trace = at.engine.trace(at.state, call, { fees: 'none' }, [], '{"tracer":"callTracer"}');
  if (!trace.ok) throw new Error(trace.message);
  return (JSON.parse(trace.json) as CallFrame).calls?.[0]?.error;
}

/** A transaction with less gas than its calldata floor is refused before it calls the precompile. */
const paysFloor = ({ input, gas = ENOUGH }: RefusedInput): boolean =>
  intrinsicGas(input).floor <= intrinsicGas(input).least + gas;

describe('the halt reason of a precompile', () => {
  test.each(REFUSED_INPUTS.filter(paysFloor))('at $address is "$words"', ({ address: to, input, words, gas }) => {
    expect(reasonOf(to, input, gas)).toBe(words);
  });

  test.each(REFUSED_INPUTS)('at $address is "$words" in its frame', ({ address: to, input, words, gas }) => {
    expect(frameErrorOf(to, input, gas)).toBe(words);
  });

  test('names the limit of 1024 bytes for numbers of modexp (EIP-7823)', () => {
    const at = world({ block: { fork: 'osaka' } });
    const data = fromHex(`${'0'.repeat(60)}0401${'0'.repeat(128)}`);
    expect(transact(at, tx({ to: address(5), data })).reason).toBe(
      'one or more of base/exponent/modulus length exceeded 1024 bytes',
    );
  });

  test('does not become the reason of a calling contract that fails later', () => {
    const at = world({ block: { fork: 'prague' } });
    const caller = address(0xca11);
    at.state.putCode(caller, '5f5f60015f5f60085af15060fe56');
    expect(transact(at, tx({ to: caller })).reason).toBe('invalid jump destination');
  });

  test('is the error of its frame in a trace', () => {
    const at = world({ block: { fork: 'prague' } });
    const caller = address(0xca11);
    at.state.putCode(caller, CALLING);
    const trace = at.engine.trace(at.state, tx({ to: caller }), { fees: 'none' }, [], '{"tracer":"callTracer"}');
    if (!trace.ok) throw new Error(trace.message);
    const { error, calls } = JSON.parse(trace.json) as CallFrame;
    expect([error, calls?.map((frame) => frame.error)]).toEqual([undefined, ['bad elliptic curve pairing size']]);
  });
});
