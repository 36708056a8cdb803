import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EvmEngine } from '../../../src/core/evm/engine.js';
import { program } from './random-code.js';
import { BLOCK, MapState, SENDER, address, createEngine, fromHex, toHex, tx } from './support.js';

/** A fixed workload: programs from a fixed seed, deployed and called in one state. */
const PROGRAMS = fc.sample(program, { seed: 271828, numRuns: 300 });

function run(engineAt: (index: number) => EvmEngine): string {
  const hash = createHash('sha256');
  const state = new MapState().fund(SENDER, 10n ** 24n);
  for (const [index, code] of PROGRAMS.entries()) {
    const to = address(0xa001 + (index % 3));
    state.putCode(to, fromHex(code), 10n);
    const engine = engineAt(index);
    engine.forget(to);
    const outcome = engine.transact(
      state,
      tx({
        to,
        nonce: state.nonce(SENDER),
        value: BigInt(index % 3),
        gasLimit: 200_000n,
        data: fromHex(code.slice(0, 64)),
      }),
      { fees: 'engine' },
    );
    if (outcome.kind === 'executed') state.apply(outcome.changes);
    // Touched addresses were added to outcomes after the hash was recorded.
    hash.update(
      JSON.stringify({ ...outcome, touched: undefined }, (_, one: unknown) =>
        typeof one === 'bigint' ? `${one}n` : one instanceof Uint8Array ? toHex(one) : one,
      ),
    );
  }
  return hash.digest('hex');
}

function started(): EvmEngine {
  const engine = createEngine();
  engine.beginBlock(BLOCK);
  return engine;
}

test('a reused EVM engine, a fresh one for each transaction and a cleared one give the same results', () => {
  const kept = started();
  const cleared = started();
  const [first, second, third] = [run(() => kept), run(started), run(() => (cleared.clear(), cleared))];
  expect([second, third]).toEqual([first, first]);
});

test('the EVM engine gives the recorded hash of the workload on every machine and Node.js version', () => {
  const engine = started();
  expect(run(() => engine)).toBe('6eed2ac31f5f78bc41e2686af1e8fafcd4317c37c92cd06e1bf5fc10b7900798');
});
