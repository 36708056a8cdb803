/**
 * Calls without persistent effects, with geth's rules and texts (`internal/ethapi`). The context is that of a query
 * at the height of the call's block.
 */
import type { Context } from '../../sdk/module/context.js';
import type { EngineHost, PrecompileHost } from '../../sdk/module/engine-host.js';
import { BlockScope } from '../../sdk/module/block-scope.js';
import { hex } from '../../bytes/hex.js';
import type { EthereumCallResult } from '../../ethereum/api.js';
import type { EthereumBlockOverrides, EthereumCall } from '../../ethereum/call.js';
import type { EvmAnswer, EvmResult, EvmTrace } from '../../evm/outcome.js';
import type { EvmEngine } from '../../evm/engine.js';
import type { EvmOverride } from '../../evm/state.js';
import type { EvmTransaction } from '../../evm/transaction.js';
import { MIN_BLOB_BASE_FEE } from '../../evm/encoding.js';
import { toEvmAuthorizations } from '../../ethereum/transaction-sender.js';
import { checksumAddress } from '../../keys/address.js';
import { getAccount } from '../auth/accounts.js';
import { spendableBalance } from './coins.js';
import { getBaseFee } from '../feemarket/params.js';
import { blobFeeOf, blobsOf } from './blobs.js';
import { evmBlock } from './block.js';
import { refuseMessage } from './check-message.js';
import { refuseMoves } from './overrides.js';
import { executionRules } from './execution-rules.js';
import { precompileCalls } from './precompiles/active.js';
import { evmState } from './state.js';
import { tracedBy } from './tracers.js';
import { vmErrorOf } from './vm-error.js';
import { FIXED_LIMITS } from '../../limits/limits.js';
import { min } from '../../bigint.js';

/** Default sender of a call. */
export const ZERO_ADDRESS = new Uint8Array(20);
const NO_EVM = { kind: 'refused', message: 'this process has no EVM' } as const;
/** Result of a call that the host interrupted. */
export const TIMEOUT = { kind: 'timeout', message: 'execution aborted (timeout)' } as const;
/** Halt reason of an execution that the host interrupted. */
export const INTERRUPTED = 'Interrupted';

/**
 * Executes a call on the state of `context` with overrides of accounts and block. Input can only make it throw
 * `RecoveredPanic`, where the peer panics.
 */
export function callEvm(
  context: Context,
  call: EthereumCall,
  overrides: readonly EvmOverride[],
  block: EthereumBlockOverrides,
  gasCap: bigint = FIXED_LIMITS.callGas,
): EthereumCallResult {
  const gas = min(call.gas ?? gasCap, gasCap);
  const unmoved = refuseMoves(context.crypto, context.version.evm.fork, overrides);
  if (unmoved !== undefined) return { kind: 'refused', message: unmoved };
  const ran = runCall(context, call, gas, overrides, block).result;
  return ran.kind === 'refused' ? { kind: 'refused', message: `err: ${ran.message} (supplied gas ${gas})` } : ran;
}

/**
 * Traces a call with overrides of accounts and block; returns geth-shaped JSON. `options` is JSON text. Throws like
 * `callEvm`.
 */
export function traceCall(
  context: Context,
  call: EthereumCall,
  overrides: readonly EvmOverride[],
  block: EthereumBlockOverrides,
  options: string,
  gasCap: bigint = FIXED_LIMITS.callGas,
): EvmTrace {
  if (context.evm === undefined) return { ok: false, message: NO_EVM.message };
  const gas = min(call.gas ?? gasCap, gasCap);
  const unmoved = refuseMoves(context.crypto, context.version.evm.fork, overrides);
  if (unmoved !== undefined) return { ok: false, message: unmoved };
  const refused = refusalOf(context, call, gas, overrides, block);
  if (refused !== undefined) return { ok: false, message: `tracing failed: ${refused}` };
  const engine = enter(context, context.evm, call, block, precompileCalls(context, overrides));
  const transaction = toTransaction(context, call, gas);
  return tracedBy(options, undefined, () =>
    engine.trace(evmState(context), transaction, { fees: executionRules.of(context).callFees }, overrides, options),
  );
}

/** Gas used before refunds (geth's `MaxUsedGas`); 0 when nothing was executed. */
export interface RanCall {
  readonly result: EthereumCallResult;
  readonly maxUsedGas: bigint;
}

/** Executes with this gas limit instead of the call's. */
export function runCall(
  context: Context,
  call: EthereumCall,
  gas: bigint,
  overrides: readonly EvmOverride[],
  edits: EthereumBlockOverrides,
): RanCall {
  if (context.evm === undefined) return notRun(NO_EVM.message);
  const refused = refusalOf(context, call, gas, overrides, edits);
  if (refused !== undefined) return notRun(refused);
  const calls = precompileCalls(context, overrides);
  const engine = enter(context, context.evm, call, edits, calls);
  const transaction = toTransaction(context, call, gas);
  const outcome = engine.call(
    evmState(context, calls),
    transaction,
    { fees: executionRules.of(context).callFees },
    overrides,
  );
  return toRan(outcome, (result) => vmErrorOf(result, calls?.halted));
}

const notRun = (message: string): RanCall => ({ result: { kind: 'refused', message }, maxUsedGas: 0n });

/** Enters the engine in the context's block, or in an overridden one. */
function enter(
  context: Context,
  evm: EngineHost,
  call: EthereumCall,
  edits: EthereumBlockOverrides,
  calls: PrecompileHost | undefined,
): EvmEngine {
  const isFreeOfBlobs = blobFeeOf(call) === 0n;
  const scope =
    Object.keys(edits).length === 0 && !isFreeOfBlobs
      ? context.block
      : new BlockScope(context.block.hash, context.block.proposer, context.gas);
  return evm.enter(
    scope,
    () => {
      const block = { ...evmBlock(context), ...edits };
      return isFreeOfBlobs && block.blobBaseFee !== 'none' ? { ...block, blobBaseFee: 0n } : block;
    },
    calls,
  );
}

/** Error text of the first rule that a call violates before execution; undefined when all hold. */
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
    authorizations: call.authorizations,
    blobs: blobsOf(call),
    balance: balanceOf(context, overrides, from),
    baseFee: () => edits.baseFee ?? getBaseFee(context),
    blobBaseFee: () => edits.blobBaseFee ?? MIN_BLOB_BASE_FEE,
    mayBeFree: true,
  })?.text;
}

function toTransaction(context: Context, call: EthereumCall, gas: bigint): EvmTransaction {
  const from = call.from ?? ZERO_ADDRESS;
  const blobs = call.authorizations === undefined ? blobsOf(call) : undefined;
  return {
    type: blobs === undefined ? typeOf(call) : 3,
    from,
    to: call.to,
    nonce: call.nonce ?? getAccount(context, from)?.base.sequence ?? 0n,
    gasLimit: gas,
    maxFeePerGas: call.maxFeePerGas ?? call.gasPrice ?? 0n,
    maxPriorityFeePerGas: call.maxPriorityFeePerGas ?? (call.maxFeePerGas === undefined ? undefined : 0n),
    value: call.value ?? 0n,
    data: call.data ?? new Uint8Array(0),
    accessList: call.accessList ?? [],
    authorizations: toEvmAuthorizations(context.crypto, call.authorizations ?? []),
    ...(blobs && { blobs }),
  };
}

function typeOf({ maxFeePerGas, maxPriorityFeePerGas, accessList, authorizations }: EthereumCall): 0 | 1 | 2 | 4 {
  if (authorizations !== undefined) return 4;
  if (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined) return 2;
  return accessList === undefined ? 0 : 1;
}

function toRan(outcome: EvmAnswer, errorOf: (result: EvmResult) => string): RanCall {
  if (outcome.kind === 'refused') return notRun(outcome.detail);
  const { gasUsed, gasRefunded } = outcome.result;
  return { result: toResult(outcome.result, errorOf), maxUsedGas: gasUsed + gasRefunded };
}

function toResult(result: EvmResult, errorOf: (result: EvmResult) => string): EthereumCallResult {
  const { status, reason, output, gasUsed, logs } = result;
  if (status === 'success') return { kind: 'success', output, gasUsed, logs };
  if (status === 'revert') return { kind: 'revert', output, gasUsed };
  if (reason === INTERRUPTED) return TIMEOUT;
  return { kind: 'halt', message: errorOf(result), gasUsed };
}

/** Spendable wei of an account, with overrides applied. */
export function balanceOf(context: Context, overrides: readonly EvmOverride[], address: Uint8Array): bigint {
  return overrides.find((edit) => hex(edit.address) === hex(address))?.balance ?? spendableBalance(context, address);
}
