/** Gas estimation by binary search, with geth's rules and texts (v1.17 `eth/gasestimator/gasestimator.go`). */
import { hex } from '../../bytes/hex.js';
import type { EstimateResult, EthereumCallResult } from '../../ethereum/api.js';
import type { EthereumBlockOverrides, EthereumCall } from '../../ethereum/call.js';
import { isGasShortage } from '../../ethereum/gas-rules.js';
import type { EvmOverride } from '../../evm/state.js';
import { FIXED_LIMITS } from '../../limits/limits.js';
import type { Context } from '../../sdk/module/context.js';
import { blockGasLimit } from '../feemarket/base-fee.js';
import { balanceOf, type RanCall, runCall, TIMEOUT, ZERO_ADDRESS } from './call.js';
import { blobCost, blobsOf } from './blobs.js';
import { executionRules } from './execution-rules.js';
import { refuseMoves } from './overrides.js';
import { getCodeHash, isEmptyCodeHash } from './store.js';
import { min } from '../../bigint.js';

const TRANSFER_GAS = 21_000n;
const CALL_STIPEND = 2_300n;

/**
 * Lowest gas limit with which the call succeeds, within the tolerance of the rules. With `budget` (total gas of all
 * attempts) returns `timeout` when that is used up; the code must then be unable to observe its gas, because an
 * attempt with a higher limit runs with the remaining budget.
 */
export function estimateGas(
  context: Context,
  call: EthereumCall,
  overrides: readonly EvmOverride[],
  block: EthereumBlockOverrides = {},
  gasCap: bigint = FIXED_LIMITS.callGas,
  budget?: bigint,
): EstimateResult {
  const unmoved = refuseMoves(context.crypto, context.version.evm.fork, overrides);
  if (unmoved !== undefined) return { kind: 'refused', message: unmoved };
  const attempts = new Attempts(context, call, overrides, block, budget);

  const highest = highestLimit(context, call, overrides, gasCap);
  if (typeof highest === 'string') return { kind: 'refused', message: highest };
  if (isPlainTransfer(context, call, overrides) && attempts.run(TRANSFER_GAS).result.kind === 'success')
    return { kind: 'gas', gas: TRANSFER_GAS };
  const first = attempts.run(highest);
  if (needsMoreGas(first.result)) return { kind: 'refused', message: `gas required exceeds allowance (${highest})` };
  if (first.result.kind !== 'success') return first.result;
  const least = budget === undefined ? undefined : attempts.leastLimit(first.maxUsedGas, highest);
  if (least === 'timeout') return TIMEOUT;
  const answer = (gas: bigint): EthereumCallResult['kind'] =>
    least === undefined ? attempts.run(gas).result.kind : gas >= least ? 'success' : 'halt';

  let low = first.result.gasUsed - 1n;
  let high = highest;
  const optimistic = ((first.maxUsedGas + CALL_STIPEND) * 64n) / 63n;
  if (optimistic < high) {
    const tried = answer(optimistic);
    if (tried === 'timeout') return TIMEOUT;
    if (tried === 'success') high = optimistic;
    else low = optimistic;
  }
  const ratio = executionRules.of(context).estimateTolerance;
  while (low + 1n < high && (high - low) * 1_000n >= high * ratio) {
    const middle = min((high + low) / 2n, low * 2n);
    const tried = answer(middle);
    if (tried === 'timeout') return TIMEOUT;
    if (tried === 'success') high = middle;
    else low = middle;
  }
  return { kind: 'gas', gas: high };
}

/** Executions with different limits; their total gas is bounded by the budget, if there is one. */
class Attempts {
  readonly #context: Context;
  readonly #call: EthereumCall;
  readonly #overrides: readonly EvmOverride[];
  readonly #block: EthereumBlockOverrides;
  #left: bigint | undefined;

  constructor(
    context: Context,
    call: EthereumCall,
    overrides: readonly EvmOverride[],
    block: EthereumBlockOverrides,
    budget: bigint | undefined,
  ) {
    this.#context = context;
    this.#call = call;
    this.#overrides = overrides;
    this.#block = block;
    this.#left = budget;
  }

  run(gas: bigint): RanCall {
    const left = this.#left;
    const granted = left === undefined ? gas : min(gas, left);
    const ran = runCall(this.#context, this.#call, granted, this.#overrides, this.#block);
    const { result } = ran;
    const isCut = granted < gas && result.kind !== 'success' && result.kind !== 'revert';
    if (left !== undefined) this.#left = left - (isCut ? granted : 'gasUsed' in result ? result.gasUsed : 0n);
    return isCut ? { result: TIMEOUT, maxUsedGas: 0n } : ran;
  }

  /**
   * Lowest limit for code that cannot observe its gas, when that equals the gas used: with less it fails, and with
   * more it does the same. Undefined when an instruction requires more gas than it uses (SSTORE, EIP-2200).
   */
  leastLimit(used: bigint, highest: bigint): bigint | 'timeout' | undefined {
    if (used >= highest) return used;
    const { kind } = this.run(used).result;
    if (kind === 'timeout') return kind;
    return kind === 'success' ? used : undefined;
  }
}

/** Highest limit to try; an error text when the sender cannot pay for any gas. */
function highestLimit(
  context: Context,
  call: EthereumCall,
  overrides: readonly EvmOverride[],
  gasCap: bigint,
): bigint | string {
  const gasLimit = min(call.gas !== undefined && call.gas >= TRANSFER_GAS ? call.gas : blockGasLimit(context), gasCap);
  const price = call.maxFeePerGas ?? call.gasPrice ?? 0n;
  if (price === 0n) return gasLimit;
  const available = balanceOf(context, overrides, call.from ?? ZERO_ADDRESS) - (call.value ?? 0n);
  if (available <= 0n) return 'insufficient funds for transfer';
  const blobs = blobsOf(call);
  const left = available - blobCost(blobs);
  return blobs !== undefined && left <= 0n ? 'insufficient funds for gas * price + value' : min(gasLimit, left / price);
}

/** True when a higher limit might help. */
function needsMoreGas(result: EthereumCallResult): boolean {
  if (result.kind === 'refused') return isGasShortage(result.message);
  return result.kind === 'halt' && result.message.startsWith('out of gas');
}

function isPlainTransfer(
  context: Context,
  { to, data, accessList }: EthereumCall,
  overrides: readonly EvmOverride[],
): boolean {
  if (to === undefined || (data?.length ?? 0) > 0 || (accessList?.length ?? 0) > 0) return false;
  const edited = overrides.find(({ address }) => hex(address) === hex(to));
  return edited?.code === undefined && isEmptyCodeHash(getCodeHash(context, to));
}
