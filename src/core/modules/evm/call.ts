/**
 * Calls that change nothing and the search for a gas limit, with geth's rules and texts (`internal/ethapi`,
 * `eth/gasestimator`). The context is one of a query at the height whose block the call runs in.
 */
import type { Context } from '../../sdk/context.js';
import type { EngineHost, PrecompileHost } from '../../sdk/engine-host.js';
import { BlockScope } from '../../sdk/block-scope.js';
import { RecoveredPanic } from '../../sdk/sdk-error.js';
import { tellsGasShortage } from '../../ethereum/gas-rules.js';
import { hex } from '../../bytes/hex.js';
import type { EstimateResult, EthereumBlockOverrides, EthereumCall, EthereumCallResult } from '../../ethereum/api.js';
import type { EvmEngine, EvmOutcome, EvmOverride, EvmTrace, EvmTransaction } from '../../evm/engine.js';
import { checksumAddress } from '../../keys/address.js';
import { getAccount } from '../auth/accounts.js';
import { spendableBalance } from './balance.js';
import { blockGasLimit } from '../feemarket/base-fee.js';
import { getBaseFee } from '../feemarket/params.js';
import { evmBlock } from './block.js';
import { refuseMessage } from './check-message.js';
import { refuseMoves } from './overrides.js';
import { precompileCalls } from './precompiles/active.js';
import { evmState } from './state.js';
import { prepareTracer } from './tracers.js';
import { getCodeHash, isEmptyCodeHash } from './store.js';
import { vmErrorOf } from './vm-error.js';
import { FIXED_LIMITS } from '../../limits.js';

const TRANSFER_GAS = 21_000n;
const CALL_STIPEND = 2_300n;
/** geth stops searching when the limit is known to 1.5 %; in thousandths. evmd searches on. */
const ERROR_RATIOS = { geth: 15n, evmd: 0n } as const;
const NO_EVM = { kind: 'refused', message: 'this process has no EVM' } as const;
const TIMEOUT = { kind: 'timeout', message: 'execution aborted (timeout)' } as const;
/** The reason with which an engine ends an execution that its host interrupted. */
export const INTERRUPTED = 'Interrupted';

/**
 * Executes a call over the state of `context` with temporary edits of accounts and block. Never throws for what input
 * causes.
 */
export function callEvm(
  context: Context,
  call: EthereumCall,
  overrides: readonly EvmOverride[] = [],
  block: EthereumBlockOverrides = {},
  gasCap: bigint = FIXED_LIMITS.callGas,
): EthereumCallResult {
  const gas = lower(call.gas ?? gasCap, gasCap);
  const unmoved = refuseMoves(context.crypto, context.version.evm.fork, overrides);
  if (unmoved !== undefined) return { kind: 'refused', message: unmoved };
  const ran = run(context, call, gas, overrides, block);
  return ran.kind === 'refused' ? { kind: 'refused', message: `err: ${ran.message} (supplied gas ${gas})` } : ran;
}

/**
 * The lowest gas limit with which the call succeeds, up to 1.5 % above it (geth `eth/gasestimator`); on evmd exactly
 * that (cosmos/evm v0.6 `x/vm/keeper/grpc_query.go`). With `budget`, gas for all attempts together, it answers
 * `timeout` when that does not suffice; the code must not be able to see its gas then, because an attempt with a higher
 * limit runs with what is left.
 */
export function estimateGas(
  context: Context,
  call: EthereumCall,
  overrides: readonly EvmOverride[] = [],
  gasCap: bigint = FIXED_LIMITS.callGas,
  budget?: bigint,
): EstimateResult {
  const unmoved = refuseMoves(context.crypto, context.version.evm.fork, overrides);
  if (unmoved !== undefined) return { kind: 'refused', message: unmoved };
  let left = budget;
  const attempt = (gas: bigint): EthereumCallResult => {
    const granted = left === undefined ? gas : lower(gas, left);
    const result = run(context, call, granted, overrides, {});
    const isCut = granted < gas && result.kind !== 'success' && result.kind !== 'revert';
    if (left !== undefined) left -= isCut ? granted : 'gasUsed' in result ? result.gasUsed : 0n;
    return isCut ? TIMEOUT : result;
  };

  let high = call.gas !== undefined && call.gas >= TRANSFER_GAS ? call.gas : blockGasLimit(context);
  const price = call.maxFeePerGas ?? call.gasPrice ?? 0n;
  if (price > 0n) {
    const available = balanceOf(context, overrides, call.from ?? ZERO_ADDRESS) - (call.value ?? 0n);
    if (available <= 0n) return { kind: 'refused', message: 'insufficient funds for transfer' };
    high = lower(high, available / price);
  }
  high = lower(high, gasCap);

  if (isPlainTransfer(context, call, overrides) && attempt(TRANSFER_GAS).kind === 'success')
    return { kind: 'gas', gas: TRANSFER_GAS };
  const first = attempt(high);
  if (needsMoreGas(first)) return { kind: 'refused', message: `gas required exceeds allowance (${high})` };
  if (first.kind !== 'success') return first;

  let low = first.gasUsed - 1n;
  const optimistic = ((first.gasUsed + CALL_STIPEND) * 64n) / 63n;
  if (optimistic < high) {
    const tried = attempt(optimistic);
    if (tried.kind === 'timeout') return tried;
    if (tried.kind === 'success') high = optimistic;
    else low = optimistic;
  }
  const ratio = ERROR_RATIOS[context.version.quirks.ethereumRules];
  while (low + 1n < high && (high - low) * 1_000n >= high * ratio) {
    const middle = lower((high + low) / 2n, low * 2n);
    const tried = attempt(middle);
    if (tried.kind === 'timeout') return tried;
    if (tried.kind === 'success') high = middle;
    else low = middle;
  }
  return { kind: 'gas', gas: high };
}

/** geth-shaped JSON of the trace of a call over temporary edits of accounts and block; `options` as JSON text. */
export function traceCall(
  context: Context,
  call: EthereumCall,
  overrides: readonly EvmOverride[],
  block: EthereumBlockOverrides,
  options: string,
  gasCap: bigint = FIXED_LIMITS.callGas,
): EvmTrace {
  if (context.evm === undefined) return { ok: false, message: NO_EVM.message };
  const gas = lower(call.gas ?? gasCap, gasCap);
  const unmoved = refuseMoves(context.crypto, context.version.evm.fork, overrides);
  if (unmoved !== undefined) return { ok: false, message: unmoved };
  const refused = refusalOf(context, call, gas, overrides, block);
  if (refused !== undefined) return { ok: false, message: `tracing failed: ${refused}` };
  const tracer = prepareTracer(context.crypto, options, undefined);
  const engine = enter(context, context.evm, block, precompileCalls(context, overrides));
  try {
    return tracer.finish(
      engine.trace(evmState(context), toTransaction(context, call, gas), { fees: 'none' }, overrides, tracer.options),
    );
  } catch (error) {
    if (error instanceof RecoveredPanic) return { ok: false, message: error.message };
    throw error;
  }
}

const ZERO_ADDRESS = new Uint8Array(20);

/** Executes with this gas limit, whatever the call says. */
function run(
  context: Context,
  call: EthereumCall,
  gas: bigint,
  overrides: readonly EvmOverride[],
  edits: EthereumBlockOverrides,
): EthereumCallResult {
  if (context.evm === undefined) return NO_EVM;
  const refused = refusalOf(context, call, gas, overrides, edits);
  if (refused !== undefined) return { kind: 'refused', message: refused };
  const calls = precompileCalls(context, overrides);
  const engine = enter(context, context.evm, edits, calls);
  try {
    return toResult(
      engine.call(evmState(context, calls), toTransaction(context, call, gas), { fees: 'none' }, overrides),
      calls?.halted,
    );
  } catch (error) {
    // a contract of the chain that this version does not have
    if (error instanceof RecoveredPanic) return { kind: 'refused', message: error.message };
    throw error;
  }
}

/** The engine in the context's block, or in an edited one, which is another. */
function enter(
  context: Context,
  evm: EngineHost,
  edits: EthereumBlockOverrides,
  calls: PrecompileHost | undefined,
): EvmEngine {
  const scope =
    Object.keys(edits).length === 0
      ? context.block
      : new BlockScope(context.block.hash, context.block.proposer, context.gas);
  return evm.enter(scope, () => ({ ...evmBlock(context), ...edits }), calls);
}

/** The text of the first rule that a call breaks before it runs. */
function refusalOf(
  context: Context,
  call: EthereumCall,
  gas: bigint,
  overrides: readonly EvmOverride[],
  edits: EthereumBlockOverrides,
): string | undefined {
  const { to, data = new Uint8Array(0), accessList = [], value = 0n } = call;
  const from = call.from ?? ZERO_ADDRESS;
  return refuseMessage({
    name: () => checksumAddress(context.crypto, from),
    to,
    data,
    value,
    gas,
    feeCap: call.maxFeePerGas ?? call.gasPrice ?? 0n,
    tipCap: call.maxPriorityFeePerGas ?? call.gasPrice ?? 0n,
    accessList,
    balance: balanceOf(context, overrides, from),
    baseFee: () => edits.baseFee ?? getBaseFee(context),
    mayBeFree: true,
  })?.text;
}

function toTransaction(context: Context, call: EthereumCall, gas: bigint): EvmTransaction {
  const from = call.from ?? ZERO_ADDRESS;
  return {
    type:
      call.maxFeePerGas !== undefined || call.maxPriorityFeePerGas !== undefined
        ? 2
        : call.accessList === undefined
          ? 0
          : 1,
    from,
    to: call.to,
    nonce: call.nonce ?? getAccount(context, from)?.base.sequence ?? 0n,
    gasLimit: gas,
    maxFeePerGas: call.maxFeePerGas ?? call.gasPrice ?? 0n,
    maxPriorityFeePerGas: call.maxPriorityFeePerGas ?? (call.maxFeePerGas === undefined ? undefined : 0n),
    value: call.value ?? 0n,
    data: call.data ?? new Uint8Array(0),
    accessList: call.accessList ?? [],
    authorizations: [],
  };
}

function toResult(outcome: EvmOutcome, halted = ''): EthereumCallResult {
  if (outcome.kind === 'refused') return { kind: 'refused', message: outcome.detail };
  const { status, reason, output, gasUsed } = outcome.result;
  if (status === 'success') return { kind: 'success', output, gasUsed };
  if (status === 'revert') return { kind: 'revert', output, gasUsed };
  if (reason === INTERRUPTED) return TIMEOUT;
  return { kind: 'halt', message: vmErrorOf({ status, reason }, halted), gasUsed };
}

/** True when a higher limit might help. */
function needsMoreGas(result: EthereumCallResult): boolean {
  if (result.kind === 'refused') return tellsGasShortage(result.message);
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

function balanceOf(context: Context, overrides: readonly EvmOverride[], address: Uint8Array): bigint {
  return overrides.find((edit) => hex(edit.address) === hex(address))?.balance ?? spendableBalance(context, address);
}

function lower(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
