import { equal } from '../../core/bytes/bytes.js';
import type { BlockContext, EthereumCalls, EthereumReads } from '../../core/application.js';
import type {
  EstimateResult,
  EthereumBlockOverrides,
  EthereumCall,
  EthereumCallResult,
} from '../../core/ethereum/api.js';
import type { EvmOverride } from '../../core/evm/engine.js';
import type { StateReader } from '../../core/state/state.js';

/** Gas that a call, or all attempts of an estimate, may use on the main thread (evm-engine.md "Placement"): some 2 ms of the dearest opcodes. */
const LIGHT_GAS = 300_000n;
const NO_DATA = new Uint8Array(0);
const DELEGATION_PREFIX = Uint8Array.of(0xef, 0x01, 0x00);

/** Opcodes that enter other code (precompiles among it), and GAS: only they can tell how much gas is left from enough gas. */
const HEAVY_OPCODES: ReadonlySet<number> = new Set([
  0x5a, // GAS
  0xf0,
  0xf1,
  0xf2,
  0xf4,
  0xf5,
  0xfa, // CREATE, CALL, CALLCODE, DELEGATECALL, CREATE2, STATICCALL
]);
/** What follows them is not reached except by a jump, and jumps end at JUMPDEST: STOP, JUMP, RETURN, REVERT, INVALID, SELFDESTRUCT. */
const TERMINATORS: ReadonlySet<number> = new Set([0x00, 0x56, 0xf3, 0xfd, 0xfe, 0xff]);
const JUMPDEST = 0x5b;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/** True for code that runs alone and cannot see its gas: with any limit that suffices it answers the same. */
export function runsAlone(code: Uint8Array): boolean {
  if (code.length === 0 || equal(code.subarray(0, 3), DELEGATION_PREFIX)) return false;
  // Compilers put data behind the code, whose bytes look like any opcode.
  let reached = true;
  for (let at = 0; at < code.length; at += 1) {
    const opcode = code[at] ?? 0;
    if (opcode === JUMPDEST) reached = true;
    if (reached && HEAVY_OPCODES.has(opcode)) return false;
    if (TERMINATORS.has(opcode)) reached = false;
    if (opcode >= PUSH1 && opcode <= PUSH32) at += opcode - PUSH1 + 1;
  }
  return true;
}

export interface LightCallsOptions {
  readonly ethereum: EthereumReads & EthereumCalls;
  /** The state after the head; a new object for every head. */
  readonly latest: () => StateReader;
}

/**
 * `eth_call` and `eth_estimateGas` at the head on the main thread, for calls that are sure to be short: most reads and
 * transfers of a token are, and a thread costs them ten times what they are. They run code of one contract that runs alone
 * with little gas, which bounds the time whatever the code does. undefined: this one belongs to the pool, nothing of it
 * was shown.
 */
export interface LightCalls {
  call(
    call: EthereumCall,
    at: BlockContext,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
  ): EthereumCallResult | undefined;
  estimateGas(call: EthereumCall, at: BlockContext, overrides: readonly EvmOverride[]): EstimateResult | undefined;
}

/** Creates the calls of the main thread. */
export function createLightCalls({ ethereum, latest }: LightCallsOptions): LightCalls {
  // a value of the state stays the same object for as long as it is in memory
  const verdicts = new WeakMap<Uint8Array, boolean>();
  const isLight = (code: Uint8Array): boolean => {
    const known = verdicts.get(code);
    if (known !== undefined) return known;
    const verdict = runsAlone(code);
    verdicts.set(code, verdict);
    return verdict;
  };
  return {
    call(call, at, overrides, block) {
      const { to, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = call;
      // With a price the balance must cover the gas limit: which one then shows.
      if (
        to === undefined ||
        gasPrice !== undefined ||
        maxFeePerGas !== undefined ||
        maxPriorityFeePerGas !== undefined
      )
        return undefined;
      if (overrides.length > 0 || Object.keys(block).length > 0) return undefined;
      const state = latest();
      if (!isLight(ethereum.code(state, at, to))) return undefined;
      const result = ethereum.call(state, at, call, [], {}, LIGHT_GAS);
      // A halt may be for want of gas, and a refusal names its limit.
      return result.kind === 'success' || result.kind === 'revert' ? result : undefined;
    },
    estimateGas(call, at, overrides) {
      const { to, data = NO_DATA, accessList = [] } = call;
      if (to === undefined || overrides.length > 0) return undefined;
      const state = latest();
      const code = ethereum.code(state, at, to);
      const isTransfer = code.length === 0 && data.length === 0 && accessList.length === 0;
      if (!isTransfer && !isLight(code)) return undefined;
      const result = ethereum.estimateGas(state, at, call, [], LIGHT_GAS);
      return result.kind === 'timeout' ? undefined : result;
    },
  };
}
