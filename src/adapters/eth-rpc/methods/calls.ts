/**
 * `eth_call` and `eth_estimateGas`: argument checks of geth, and the response for each outcome (geth v1.17
 * `internal/ethapi/api.go`, `internal/ethapi/errors.go`).
 */
import type { EstimateResult, EthereumApi, EthereumCallResult } from '../../../core/ethereum/api.js';
import type { EthereumBlockOverrides, EthereumCall } from '../../../core/ethereum/call.js';
import type { EvmOverride } from '../../../core/evm/state.js';
import type { Outcome } from '../../../core/node-api.js';
import type { Height } from '../../../core/primitives.js';
import { hexData, hexQuantity } from '../../../core/bytes/hex.js';
import { revertMessage } from '../../../core/ethereum/revert-reason.js';
import { type RpcError, rpcErrorOf, serverError } from '../errors.js';
import { type Answer, type Method, type MethodContext, failed, method, ok as answered, quoted } from '../method.js';
import { type BlockRef, LATEST, blockRef } from '../params/block-ref.js';
import { type TransactionArguments, transactionArguments } from '../params/call-arguments.js';
import {
  NO_BLOCK_OVERRIDES,
  type CallBlockOverrides,
  NO_OVERRIDES,
  type StateOverrides,
  blockOverrides,
  stateOverrides,
} from '../params/overrides.js';
import { withDefault } from '../params/param.js';
import { type Resolved, resolveState } from '../resolve.js';
import * as result from '../results.js';
import * as schema from '../schema.js';

/** JSON-RPC code of a revert. */
const REVERTED = 3;

const atBlock = withDefault(blockRef, LATEST);
const overridden = withDefault(stateOverrides, NO_OVERRIDES);
const inBlock = withDefault(blockOverrides, NO_BLOCK_OVERRIDES);

export const callMethods: readonly Method[] = [
  method(
    'eth_call',
    'Executes a call and changes nothing; answers its output',
    [transactionArguments, atBlock, overridden, inBlock],
    schema.DATA,
    ([args, ref, state, block], context) => {
      const execution = executionOf(context, args, ref, state, block);
      if (!execution.ok) return execution;
      const { call, height, overrides } = execution.value;
      const outcome = context.api.call(call, height, overrides, execution.value.block);
      return outcome instanceof Promise ? outcome.then(called) : called(outcome);
    },
  ),
  method(
    'eth_estimateGas',
    'Lowest gas limit with which a transaction succeeds',
    [transactionArguments, atBlock, overridden, inBlock],
    schema.QUANTITY_64,
    ([args, ref, state, block], context) => {
      const execution = executionOf(context, args, ref, state, block);
      if (!execution.ok) return execution;
      const { call, height, overrides } = execution.value;
      const estimated = (outcome: Outcome<EstimateResult>): Answer => {
        if (!outcome.ok) return failed(rpcErrorOf(outcome.error));
        return outcome.value.kind === 'gas' ? quoted(hexQuantity(outcome.value.gas)) : failure(outcome.value);
      };
      const outcome = context.api.estimateGas(call, height, overrides, execution.value.block);
      return outcome instanceof Promise ? outcome.then(estimated) : estimated(outcome);
    },
  ),
  method(
    'eth_createAccessList',
    'Accounts and slots that a transaction touches',
    [transactionArguments, atBlock, overridden],
    result.ACCESS_LIST,
    async ([args, ref, state], context) => {
      const execution = executionOf(context, args, ref, state);
      if (!execution.ok) return execution;
      const { call, height, overrides } = execution.value;
      const outcome = await context.api.createAccessList(call, height, overrides);
      if (!outcome.ok) return failed(rpcErrorOf(outcome.error));
      if (outcome.value.kind !== 'list') return failure(outcome.value);
      const { accessList, gasUsed, error } = outcome.value;
      const items = accessList.map(({ address, storageKeys }) => ({
        address: hexData(address),
        storageKeys: storageKeys.map(hexData),
      }));
      return answered(
        JSON.stringify({ accessList: items, ...(error !== undefined && { error }), gasUsed: hexQuantity(gasUsed) }),
      );
    },
  ),
];

function called(outcome: Outcome<EthereumCallResult>): Answer {
  if (!outcome.ok) return failed(rpcErrorOf(outcome.error));
  return outcome.value.kind === 'success' ? quoted(hexData(outcome.value.output)) : failure(outcome.value);
}

/** A call, and the state to run it on. */
interface Execution {
  readonly call: EthereumCall;
  readonly height: Height;
  readonly overrides: readonly EvmOverride[];
  readonly block: EthereumBlockOverrides;
}

/** Checks the arguments that calls, estimates and call traces share; fails with the first error. */
export function executionOf(
  { api }: Pick<MethodContext, 'api'>,
  args: TransactionArguments,
  ref: BlockRef,
  state: StateOverrides,
  block: CallBlockOverrides = NO_BLOCK_OVERRIDES,
): Resolved<Execution> {
  const call = callOf(api, args);
  if (!call.ok) return call;
  const height = resolveState(api, ref);
  if (!height.ok) return height;
  if (!state.ok) return failed(serverError(state.message));
  if (!block.ok) return failed(serverError(block.message));
  const value = { call: call.value, height: height.value, overrides: state.overrides, block: block.overrides };
  return { ok: true, value };
}

/** The error of a failed call. */
export function failure(result: Exclude<EthereumCallResult, { readonly kind: 'success' }>): Answer {
  if (result.kind === 'revert')
    return failed({ code: REVERTED, message: revertMessage(result.output), data: hexData(result.output) });
  return failed(serverError(result.message));
}

/** Converts checked arguments to a call; `input` takes precedence over `data`. */
export function callOf(api: EthereumApi, args: TransactionArguments): Resolved<EthereumCall> {
  const refusal = refuseArguments(api, args);
  if (refusal !== undefined) return { ok: false, error: refusal };
  const { from, to, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, value, nonce, accessList } = args;
  return {
    ok: true,
    value: {
      from,
      to,
      gas,
      gasPrice,
      maxFeePerGas,
      maxPriorityFeePerGas,
      value,
      nonce,
      accessList,
      data: args.input ?? args.data,
      blobHashes: args.blobVersionedHashes,
      maxFeePerBlobGas: args.maxFeePerBlobGas,
      authorizations: args.authorizationList,
    },
  };
}

/** geth's checks for the arguments of calls and transactions. */
export function refuseArguments(api: EthereumApi, args: TransactionArguments): RpcError | undefined {
  if (args.gasPrice !== undefined && (args.maxFeePerGas !== undefined || args.maxPriorityFeePerGas !== undefined)) {
    return serverError('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified');
  }
  if (args.chainId !== undefined && args.chainId !== api.chainId)
    return serverError(`chainId does not match node's (have=${args.chainId}, want=${api.chainId})`);
  return undefined;
}
