import { describe, expect, test } from 'vitest';
import type { EvmState } from '../../../src/core/evm/state.js';
import { EngineInstance, EngineTrap } from '../../../src/runtime/evm/engine-instance.js';
import { loadEngineModule } from '../../../src/runtime/evm/load-engine.js';
import { WasmEngine } from '../../../src/runtime/evm/wasm-engine.js';
import {
  BLOCK,
  COINBASE,
  MapState,
  SENDER,
  address,
  asBigInt,
  crypto,
  executed,
  toHex,
  transact,
  tx,
  word,
  world,
} from './support.js';

const THERE = address(0xd00d);
const ENDLESS = '5b5f56';

describe('interruption of the EVM engine', () => {
  test('stops endless calls and traces at any depth, but never a transaction of a block', () => {
    let polls = 0;
    const at = world({ hooks: { interrupted: () => (polls += 1) > 3 } });
    const caller = address(0xca11);
    at.state.putCode(THERE, ENDLESS).putCode(caller, `5f5f5f5f5f73${toHex(THERE)}5af1${ENDLESS}`);
    expect(
      executed(at.engine.call(at.state, tx({ to: caller, gasLimit: 1n << 50n }), { fees: 'none' }, [])),
    ).toMatchObject({ status: 'halt', reason: 'Interrupted' });
    expect(polls).toBe(4);
    expect(transact(at, tx({ to: THERE, gasLimit: 1_000_000n }))).toMatchObject({
      status: 'halt',
      reason: 'out of gas',
    });
    expect(polls).toBe(4);
    polls = 0;
    expect(
      at.engine.trace(
        at.state,
        tx({ to: caller, nonce: 1n, gasLimit: 1n << 50n }),
        { fees: 'none' },
        [],
        '{"tracer":"callTracer"}',
      ),
    ).toEqual({ ok: false, message: 'execution timeout' });
  });

  test('is polled during calls of costly precompiles', () => {
    let polls = 0;
    const at = world({ hooks: { interrupted: () => (polls += 1) > 3 } });
    // Calls ecrecover (3,000 gas) in an endless loop.
    at.state.putCode(THERE, '5b5f5f5f5f60015afa505f56');
    expect(
      executed(at.engine.call(at.state, tx({ to: THERE, gasLimit: 1n << 50n }), { fees: 'none' }, [])),
    ).toMatchObject({ reason: 'Interrupted' });
    expect(polls).toBe(4);
  });

  test('rethrows an error of the poll and ends the call', () => {
    const thrown = new Error('no clock');
    const at = world({
      hooks: {
        interrupted: () => {
          throw thrown;
        },
      },
    });
    at.state.putCode(THERE, ENDLESS);
    expect(() => at.engine.call(at.state, tx({ to: THERE, gasLimit: 1n << 50n }), { fees: 'none' }, [])).toThrow(
      thrown,
    );
  });
});

describe('memory of the EVM', () => {
  test('is limited to 128 MiB: a huge MSTORE runs out of gas instead of allocating', () => {
    const at = world();
    // MSTORE at 1.8 GB
    at.state.putCode(THERE, '60016370000000525f5ff3');
    expect(
      executed(at.engine.call(at.state, tx({ to: THERE, gasLimit: 1n << 62n }), { fees: 'none' }, [])),
    ).toMatchObject({ status: 'halt', reason: 'out of gas' });
  });
});

describe('an EVM engine instance whose memory has grown', () => {
  test('is dropped after the execution, and results stay the same', () => {
    class Grown extends EngineInstance {
      override get memoryBytes(): number {
        return 512 * 1024 * 1024;
      }
    }
    let made = 0;
    const engine = new WasmEngine(() => {
      made += 1;
      return new Grown(loadEngineModule(), crypto, {});
    }, false);
    engine.beginBlock(BLOCK);
    const at = {
      engine,
      state: new MapState().fund(SENDER, 10n ** 24n).putCode(THERE, '5f54600101805f555f5260205ff3'),
    };
    expect([0n, 1n, 2n].map((nonce) => asBigInt(transact(at, tx({ to: THERE, nonce })).output))).toEqual([1n, 2n, 3n]);
    expect(made).toBe(3);
  });
});

describe('an error thrown by the state', () => {
  test.each(['account', 'code', 'storage', 'blockHash'] as const)(
    'in a read of %s ends the execution with that error, and the next execution works',
    (read) => {
      const at = world({ block: { number: 300n } });
      at.state.putCode(THERE, '61012b405f545f525f5260205ff3').putSlot(THERE, word(0), word(1));
      const thrown = new Error('database closed');
      const failing: EvmState = {
        account: (of) => (read === 'account' ? fail() : at.state.account(of)),
        code: (hash) => (read === 'code' ? fail() : at.state.code(hash)),
        storage: (of, slot) => (read === 'storage' ? fail() : at.state.storage(of, slot)),
        blockHash: (number) => (read === 'blockHash' ? fail() : at.state.blockHash(number)),
      };
      const fail = (): never => {
        throw thrown;
      };
      expect(() => at.engine.transact(failing, tx({ to: THERE }), { fees: 'engine' })).toThrow(thrown);
      expect(() => at.engine.call(failing, tx({ to: THERE }), { fees: 'none' }, [])).toThrow(thrown);
      expect(transact(at, tx({ to: THERE }))).toMatchObject({ status: 'success' });
      expect(at.state.nonce(SENDER)).toBe(1n);
    },
  );
});

describe('a WebAssembly trap of the EVM engine', () => {
  test('carries the text of the Rust panic', () => {
    const instance = new EngineInstance(loadEngineModule(), crypto, {});
    expect(() => instance.call(new Uint8Array(0), (engine) => engine.begin_block())).toThrow(EngineTrap);
    expect(() =>
      new EngineInstance(loadEngineModule(), crypto, {}).call(new Uint8Array(0), (engine) => engine.begin_block()),
    ).toThrow(/wire\.rs/);
  });

  test('drops the instance and repeats the transaction on a fresh one, with the same result', () => {
    class Trapping extends EngineInstance {
      override execute(state: EvmState, input: Uint8Array, run: Parameters<EngineInstance['execute']>[2]): number {
        made.push(this);
        if (made.length === 2) throw new EngineTrap('out of memory');
        return super.execute(state, input, run);
      }
    }
    const made: EngineInstance[] = [];
    const engine = new WasmEngine(() => new Trapping(loadEngineModule(), crypto, {}), false);
    engine.beginBlock(BLOCK);
    const at = {
      engine,
      state: new MapState().fund(SENDER, 10n ** 24n).putCode(THERE, '5f54600101805f555f5260205ff3'),
    };
    const outputs = [0n, 1n, 2n].map((nonce) => asBigInt(transact(at, tx({ to: THERE, nonce })).output));
    expect(outputs).toEqual([1n, 2n, 3n]);
    expect(made[0]).toBe(made[1]);
    expect(made[2]).not.toBe(made[1]);
    expect(made[3]).toBe(made[2]);
    expect(at.state.balance(COINBASE)).toBeGreaterThan(0n);
  });

  test('is thrown when it happens twice in a row, and the next transaction works', () => {
    let traps = 2;
    class Trapping extends EngineInstance {
      override execute(state: EvmState, input: Uint8Array, run: Parameters<EngineInstance['execute']>[2]): number {
        if (traps > 0) {
          traps -= 1;
          throw new EngineTrap('out of memory');
        }
        return super.execute(state, input, run);
      }
    }
    const engine = new WasmEngine(() => new Trapping(loadEngineModule(), crypto, {}), false);
    engine.beginBlock(BLOCK);
    const at = { engine, state: new MapState().fund(SENDER, 10n ** 24n) };
    expect(() => transact(at, tx({ to: THERE }))).toThrow(EngineTrap);
    expect(transact(at, tx({ to: THERE })).status).toBe('success');
  });
});
