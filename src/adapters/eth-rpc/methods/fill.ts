/**
 * Arguments of a transaction as geth fills them (v1.17 `internal/ethapi/transaction_args.go`), and the signatures of
 * keys that the node holds, which it does in dev mode only.
 */
import { equal } from '../../../core/bytes/bytes.js';
import type { EthereumApi } from '../../../core/ethereum/api.js';
import { encodeTransaction } from '../../../core/ethereum/transaction-codec.js';
import { signingHash } from '../../../core/ethereum/transaction-sender.js';
import type { EthereumTransaction } from '../../../core/ethereum/transaction.js';
import type { UnsignedTransaction } from '../../../core/ethereum/unsigned.js';
import { type RpcError, rpcErrorOf, serverError } from '../errors.js';
import type { MethodContext } from '../method.js';
import type { TransactionArguments } from '../params/call-arguments.js';
import type { Resolved } from '../resolve.js';
import { callOf, failure, refuseArguments } from './calls.js';
import { suggestedTip } from './fees.js';

export const UNKNOWN_ACCOUNT = serverError('unknown account');

export function holdsKey(api: EthereumApi, account: Uint8Array): boolean {
  return api.accounts().some((own) => equal(own, account));
}

export interface Ready {
  readonly from: Uint8Array;
  readonly gas: bigint;
  readonly data: Uint8Array;
}

/**
 * Checks the arguments as geth's `setDefaults` does, and estimates the gas when it is absent. With `anybody`, the node
 * does not need the key of the sender.
 */
export async function readyArguments(
  args: TransactionArguments,
  api: EthereumApi,
  anybody = false,
): Promise<Resolved<Ready>> {
  const refused = (error: RpcError): Resolved<never> => ({ ok: false, error });
  const refusal = refuseArguments(api, args);
  if (refusal !== undefined) return refused(refusal);
  const { input, data: alias } = args;
  const from = args.from ?? (anybody ? new Uint8Array(20) : undefined);
  if (args.authorizations.length > 0) return refused(serverError('transaction type not supported'));
  if (from === undefined || (!anybody && !holdsKey(api, from) && api.dev?.impersonation.has(from) !== true))
    return refused(UNKNOWN_ACCOUNT);
  if (input !== undefined && alias !== undefined && !equal(input, alias)) {
    return refused(
      serverError('both "data" and "input" are set and not equal. Please use "input" to pass transaction call data'),
    );
  }
  const code = input ?? alias ?? new Uint8Array(0);
  if (args.to === undefined && code.length === 0)
    return refused(serverError('contract creation without any data provided'));
  const { maxFeePerGas, maxPriorityFeePerGas } = args;
  if (maxFeePerGas !== undefined && maxPriorityFeePerGas !== undefined && maxFeePerGas < maxPriorityFeePerGas) {
    return refused(serverError(`maxFeePerGas (${maxFeePerGas}) < maxPriorityFeePerGas (${maxPriorityFeePerGas})`));
  }
  if (args.gas !== undefined) return { ok: true, value: { from, gas: args.gas, data: code } };
  const call = callOf(api, args);
  if (!call.ok) return call;
  const estimate = await api.estimateGas(call.value, api.blockNumber(), [], {});
  if (!estimate.ok) return refused(rpcErrorOf(estimate.error));
  return estimate.value.kind === 'gas'
    ? { ok: true, value: { from, gas: estimate.value.gas, data: code } }
    : refused(failure(estimate.value));
}

/**
 * A legacy gas price makes a transaction of type 0 or 1, any other fee one of type 2; without a fee, that of
 * `miner_setGasPrice` (dev mode) is a legacy gas price.
 */
export function fill(
  args: TransactionArguments,
  { from, gas, data: code }: Ready,
  api: EthereumApi,
): UnsignedTransaction {
  const { accessList } = args;
  const isPriced = args.maxFeePerGas !== undefined || args.maxPriorityFeePerGas !== undefined;
  const gasPrice = args.gasPrice ?? (isPriced ? undefined : api.dev?.quotes.gasPrice);
  const common = {
    nonce: args.nonce ?? api.pendingNonce(from),
    gasLimit: gas,
    to: args.to,
    value: args.value ?? 0n,
    data: code,
    chainId: api.chainId,
  };
  if (gasPrice !== undefined)
    return accessList === undefined ? { ...common, type: 0, gasPrice } : { ...common, type: 1, gasPrice, accessList };
  const tip = args.maxPriorityFeePerGas ?? least(suggestedTip(api), args.maxFeePerGas);
  return {
    ...common,
    type: 2,
    maxFeePerGas: args.maxFeePerGas ?? tip + 2n * api.quotedBaseFee(),
    maxPriorityFeePerGas: tip,
    accessList: accessList ?? [],
  };
}

function least(value: bigint, limit: bigint | undefined): bigint {
  return limit !== undefined && limit < value ? limit : value;
}

export function sign(
  unsigned: UnsignedTransaction,
  from: Uint8Array,
  { api, crypto }: MethodContext,
): Resolved<EthereumTransaction> {
  const signature = api.signDigest(from, signingHash(crypto, { ...unsigned, r: 0n, s: 0n, yParity: 0 }));
  return signature === undefined
    ? { ok: false, error: UNKNOWN_ACCOUNT }
    : { ok: true, value: { ...unsigned, ...signature } };
}

/** Fills and signs a transaction of an account whose key the node holds. */
export async function signedArguments(
  args: TransactionArguments,
  context: MethodContext,
): Promise<
  Resolved<{ readonly raw: Uint8Array; readonly from: Uint8Array; readonly transaction: EthereumTransaction }>
> {
  const ready = await readyArguments(args, context.api);
  if (!ready.ok) return ready;
  const signed = sign(fill(args, ready.value, context.api), ready.value.from, context);
  if (!signed.ok) return signed;
  return {
    ok: true,
    value: { raw: encodeTransaction(signed.value), from: ready.value.from, transaction: signed.value },
  };
}
