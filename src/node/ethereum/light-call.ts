import { EMPTY, equal } from '../../core/bytes/bytes.js';
import { hexData } from '../../core/bytes/hex.js';
import type { BlockContext } from '../../core/application-requests.js';
import type { EthereumCalls, EthereumReads } from '../../core/application-ethereum.js';
import type { EstimateResult, EthereumCallResult } from '../../core/ethereum/api.js';
import type { EthereumBlockOverrides, EthereumCall } from '../../core/ethereum/call.js';
import type { EvmOverride } from '../../core/evm/state.js';
import { isTokenCode } from '../../core/modules/erc20/token-account.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { StateReader } from '../../core/state/state.js';

const DELEGATION_PREFIX = Uint8Array.of(0xef, 0x01, 0x00);

/**
 * Opcodes that run other code (including precompiles), and GAS. Without them, the result is the same for every
 * sufficient gas limit.
 */
const HEAVY_OPCODES: ReadonlySet<number> = new Set([
  0x5a, // GAS
  0xf0,
  0xf1,
  0xf2,
  0xf4,
  0xf5,
  0xfa, // CREATE, CALL, CALLCODE, DELEGATECALL, CREATE2, STATICCALL
]);
/**
 * Opcodes that end straight-line execution: code after them is reached only by a jump to a JUMPDEST. STOP, JUMP,
 * RETURN, REVERT, INVALID, SELFDESTRUCT.
 */
const TERMINATORS: ReadonlySet<number> = new Set([0x00, 0x56, 0xf3, 0xfd, 0xfe, 0xff]);
const JUMPDEST = 0x5b;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/**
 * True for code that calls no other code and cannot read its remaining gas: its result is the same for every
 * sufficient gas limit.
 */
export function runsAlone(code: Uint8Array): boolean {
  if (code.length === 0 || equal(code.subarray(0, 3), DELEGATION_PREFIX)) return false;
  // Compilers append data to code; its bytes may look like opcodes but are not reachable.
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
  readonly ethereum: Pick<EthereumReads & EthereumCalls, 'code' | 'call' | 'estimateGas'>;
  /** The state after the head; a new object for every head. */
  readonly latest: () => StateReader;
  /** Addresses of native token precompiles: the chain runs them instead of the code at the address. */
  readonly tokens: readonly string[];
}

/**
 * `eth_call` and `eth_estimateGas` at the head on the main thread, for calls that are certainly short, such as most
 * token reads and transfers; a pool thread costs ten times as much. Such a call runs one contract that calls no other
 * code, with little gas, so its time is bounded. undefined: the call must run on the pool, and had no effect here.
 */
export interface LightCalls {
  call(
    call: EthereumCall,
    at: BlockContext,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
  ): EthereumCallResult | undefined;
  estimateGas(
    call: EthereumCall,
    at: BlockContext,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
  ): EstimateResult | undefined;
}

/** Creates the short calls of the main thread. */
export function createLightCalls({ ethereum, latest, tokens }: LightCallsOptions): LightCalls {
  const answeredByChain = new Set(tokens.map((address) => address.toLowerCase()));
  // cached state values keep their object identity
  const verdicts = new WeakMap<Uint8Array, boolean>();
  const isLight = (code: Uint8Array): boolean => {
    const known = verdicts.get(code);
    if (known !== undefined) return known;
    const verdict = runsAlone(code) && !isTokenCode(code);
    verdicts.set(code, verdict);
    return verdict;
  };
  return {
    call(call, at, overrides, block) {
      const { to, gasPrice, maxFeePerGas, maxPriorityFeePerGas, authorizations } = call;
      // With a gas price, the balance must cover the gas limit, so the limit affects the result.
      if (
        to === undefined ||
        gasPrice !== undefined ||
        maxFeePerGas !== undefined ||
        maxPriorityFeePerGas !== undefined ||
        authorizations !== undefined
      )
        return undefined;
      if (overrides.length > 0 || Object.keys(block).length > 0 || answeredByChain.has(hexData(to))) return undefined;
      const state = latest();
      if (!isLight(ethereum.code(state, at, to))) return undefined;
      const result = ethereum.call(state, at, call, [], {}, FIXED_LIMITS.lightCallGas);
      // A halt may be due to the low gas limit, and a refusal mentions the limit: both must run on the pool.
      return result.kind === 'success' || result.kind === 'revert' ? result : undefined;
    },
    estimateGas(call, at, overrides, block) {
      const { to, data = EMPTY, accessList = [] } = call;
      if (to === undefined || call.authorizations !== undefined || answeredByChain.has(hexData(to))) return undefined;
      if (overrides.length > 0 || Object.keys(block).length > 0) return undefined;
      const state = latest();
      const code = ethereum.code(state, at, to);
      const isTransfer = code.length === 0 && data.length === 0 && accessList.length === 0;
      if (!isTransfer && !isLight(code)) return undefined;
      const result = ethereum.estimateGas(state, at, call, [], {}, FIXED_LIMITS.lightCallGas);
      return result.kind === 'timeout' ? undefined : result;
    },
  };
}
