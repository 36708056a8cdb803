/** Gas of a contract call by a module for its transaction, when the contract calls other contracts. */
import type { Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { ensureAccount } from '../../../../../src/core/modules/auth/accounts.js';
import { callContract } from '../../../../../src/core/modules/evm/internal-call.js';
import { chargeAccount } from '../../../../../src/core/modules/evm/internal-gas.js';
import { codeHashKey, codeKey, PARAMS_KEY, storageKey } from '../../../../../src/core/modules/evm/store.js';
import type { EvmHooks } from '../../../../../src/core/evm/engine.js';
import { FIXED_LIMITS } from '../../../../../src/core/limits/limits.js';
import type { Context } from '../../../../../src/core/sdk/module/context.js';
import { EngineHost } from '../../../../../src/core/sdk/module/engine-host.js';
import { GasMeter, MeteredStore, OutOfGas } from '../../../../../src/core/sdk/module/gas.js';
import { SdkError } from '../../../../../src/core/sdk/module/sdk-error.js';
import { CacheStore } from '../../../../../src/core/state/overlay.js';
import type { StateStore } from '../../../../../src/core/state/state.js';
import { EngineInstance, EngineTrap } from '../../../../../src/runtime/evm/engine-instance.js';
import { loadEngineModule } from '../../../../../src/runtime/evm/load-engine.js';
import { WasmEngine } from '../../../../../src/runtime/evm/wasm-engine.js';
import type { PropertyChain } from '../../../app/properties/chain.js';
import { bytesOf, person } from '../../../app/properties/people.js';
import { crypto, toHex } from '../../../app/support.js';
import { TOKENS } from './contract-calls.js';
import { NO_SLASHES, bytesOfHex, world } from './world.js';

const CONTRACT = bytesOfHex(`0x${'ca'.repeat(20)}`);
const OWNER = bytesOf(person(0));
/** Calls the identity precompile with all gas, until it is out of gas. */
const BOMB = '0x5b5f5f5f5f60045afa505f56';
/** Calls the identity precompile as often as the call's data says, then reads slot 7. */
const COUNTED: Hex = '0x5f355b80156018575f5f5f5f60045afa50600190036002565b5060075400';
/** Calls an address without code in place of the identity precompile. */
const COUNTED_OF_NOBODY: Hex = '0x5f355b80156018575f5f5f5f60ee5afa50600190036002565b5060075400';
/** Calls `totalSupply` of the coin's token as often as the call's data says; reverts when a call is refused. */
const COUNTED_SUPPLY: Hex = `0x5f355b80156037576318160ddd5f525f5f6004601c73${TOKENS.get('achr')?.slice(2)}5afa15603957600190036002565b005b5f5ffd`;
const SLOT_7 = new Uint8Array(32).with(31, 7);

function installed(code: Hex): { readonly chain: PropertyChain; readonly state: StateStore } {
  const chain = world(NO_SLASHES);
  const state = new CacheStore(chain.state);
  const bytes = bytesOfHex(code);
  const hash = crypto.keccak256(bytes);
  ensureAccount(chain.delivering(state), CONTRACT);
  state.set('evm', codeKey(hash), bytes);
  state.set('evm', codeHashKey(CONTRACT), hash);
  return { chain, state };
}

/** A store that records the keys of its reads. */
class Watched extends CacheStore {
  readonly reads: string[] = [];

  override get(store: string, key: Uint8Array): Uint8Array | undefined {
    this.reads.push(toHex(key));
    return super.get(store, key);
  }
}

interface Called {
  readonly gas: bigint;
  readonly error: unknown;
  readonly reads: readonly string[];
}

function called(
  { chain, state }: ReturnType<typeof installed>,
  limit: bigint,
  times: number,
  parts: Partial<Context> = {},
  to = CONTRACT,
): Called {
  const store = new Watched(state);
  const gas = new GasMeter(limit);
  const context = { ...chain.delivering(store), gas, store: new MeteredStore(store, gas), ...parts };
  const data = new Uint8Array(32);
  new DataView(data.buffer).setUint32(28, times);
  let error: unknown;
  try {
    callContract(context, { from: OWNER, to, data, writes: false });
  } catch (thrown) {
    error = thrown;
  }
  return { gas: gas.consumed, error, reads: store.reads };
}

/** Fails at the end of an execution, like an engine that gets no memory. */
class Failing extends EngineInstance {
  constructor(
    hooks: EvmHooks,
    private readonly fails: () => boolean,
  ) {
    super(loadEngineModule(), crypto, hooks);
  }

  override execute(...given: Parameters<EngineInstance['execute']>): number {
    const answer = super.execute(...given);
    if (!this.fails()) return answer;
    this.undo.rollBack(0);
    throw new EngineTrap('out of memory');
  }
}

/** An engine that fails once: in the execution with this number, from 1. */
function failingEngine(fails: number): EngineHost {
  let count = 0;
  return new EngineHost(
    (hooks = {}) => new WasmEngine(() => new Failing(hooks, () => (count += 1) === fails), false),
    new Map(),
  );
}

test('a call that the engine repeats after a failure uses the gas of one call', () => {
  const at = installed(COUNTED);
  const once = called(at, 10_000_000n, 12, { evm: failingEngine(0) });
  const twice = called(at, 10_000_000n, 12, { evm: failingEngine(1) });
  expect([once.error, twice.error]).toEqual([undefined, undefined]);
  expect(twice.reads.length).toBeGreaterThan(once.reads.length);
  expect(twice.gas).toBe(once.gas);
});

test('precompile calls count once when the engine repeats a call after a failure', () => {
  const at = installed(COUNTED_SUPPLY);
  const limit = FIXED_LIMITS.precompileCalls;
  for (const fails of [0, 1])
    expect(called(at, 10_000_000n, limit, { evm: failingEngine(fails) }).error).toBeUndefined();
  expect(called(at, 10_000_000n, limit + 1, { evm: failingEngine(0) }).error).toBeInstanceOf(SdkError);
});

test('a call of an absent account pays for looking it up twice, and does not read the caller', () => {
  const at = installed('0x00');
  const [plain, absent] = [OWNER.map((byte) => byte ^ 1), OWNER.map((byte) => byte ^ 2)];
  ensureAccount(at.chain.delivering(at.state), plain);
  const priceOf = (address: Uint8Array): bigint => {
    const gas = new GasMeter(undefined);
    chargeAccount({ ...at.chain.delivering(at.state), gas, store: new MeteredStore(at.state, gas) }, address);
    return gas.consumed;
  };
  expect(priceOf(absent)).toBe(1_000n + 3n * 21n);
  const [existing, missing] = [plain, absent].map((to) => called(at, 10_000_000n, 0, {}, to));
  if (existing === undefined || missing === undefined) throw new Error('not called');
  expect([existing.error, missing.error]).toEqual([undefined, undefined]);
  expect(existing.gas - missing.gas).toBe(priceOf(plain) + priceOf(OWNER) - 2n * priceOf(absent));
});

describe('the inner frames of a call by a module', () => {
  test.each([
    ['an Ethereum precompile', COUNTED, 0n],
    // the address is looked up as a native and as a dynamic token
    ['another address', COUNTED_OF_NOBODY, 2n * 1_000n],
  ] as const)('pay for the lookup of precompiles: %s', (_, code, tokens) => {
    const at = installed(code);
    const [one, three, four] = [1, 3, 4].map((times) => called(at, 10_000_000n, times));
    if (one === undefined || three === undefined || four === undefined) throw new Error('not called');
    expect([one.error, four.error]).toEqual([undefined, undefined]);
    const params = at.state.get('evm', PARAMS_KEY)?.length ?? 0;
    const asked = 1_000n + 3n * BigInt(PARAMS_KEY.length + params) + tokens;
    const looked = four.gas - three.gas;
    // the instructions of a turn, a warm call and the identity
    expect(looked - asked).toBeGreaterThan(100n);
    expect(looked - asked).toBeLessThan(300n);
    expect(three.gas - one.gas).toBe(2n * looked);
  });

  test('end the call as soon as the transaction cannot pay for another one', () => {
    const at = installed(COUNTED);
    const enough = called(at, 10_000_000n, 100);
    expect(enough.error).toBeUndefined();
    const slot = toHex(storageKey(CONTRACT, SLOT_7));
    expect(enough.reads).toContain(slot);
    const less = called(at, 200_000n, 100);
    expect(less.error).toBeInstanceOf(OutOfGas);
    expect(less.reads).not.toContain(slot);
  });

  test('run out of gas in a contract that calls endlessly', () => {
    const LIMIT = 1_000_000n;
    const { gas, error, reads } = called(installed(BOMB), LIMIT, 0);
    expect(error).toBeInstanceOf(OutOfGas);
    // a frame is paid for before it runs
    expect(gas).toBeGreaterThan(LIMIT);
    expect(gas).toBeLessThan(LIMIT + 5_000n);
    expect(reads.length).toBeLessThan(1_000);
  });
});
