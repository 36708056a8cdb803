/**
 * Fills in what the arguments of a transaction leave out: sender, gas, nonce, fees and type (geth v1.17
 * `internal/ethapi/transaction_args.go`, setDefaults and ToTransaction).
 */
import { EMPTY, equal } from '../../../core/bytes/bytes.js';
import { invariant } from '../../../core/errors.js';
import type { EthereumApi } from '../../../core/ethereum/api.js';
import type { UnsignedTransaction } from '../../../core/ethereum/unsigned.js';
import { type RpcError, rpcErrorOf, serverError } from '../errors.js';
import { type Answer, type MethodContext, failed } from '../method.js';
import type { SendingArguments } from '../params/sending-arguments.js';
import { callOf, failure, refuseArguments } from './calls.js';
import { suggestedTip } from '../../../core/ethereum/suggested-price.js';
import { suggestedGasPrice } from './fees.js';

/** The least gas of a transaction. */
const TRANSFER_GAS = 21_000n;
const NO_FEES = { gasPrice: undefined, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined } as const;
export const UNKNOWN_ACCOUNT = serverError('unknown account');
/** A transaction with authorizations (EIP-7702) has the fees of EIP-1559. */
export const PRICED_AUTHORIZATIONS = serverError('both gasPrice and authorizationList specified');

/** The fees of a transaction of type 0 or 1, or of a later type; wei for each gas. */
type Fees =
  | { readonly gasPrice: bigint }
  | { readonly gasPrice: undefined; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/** The members that are found before a nonce is taken. */
export interface Ready {
  readonly from: Uint8Array;
  readonly gas: bigint;
  readonly data: Uint8Array;
  readonly fees: Fees;
}

/** True when the node signs for this account. */
export function holdsKey(api: EthereumApi, account: Uint8Array): boolean {
  return api.accounts().some((own) => equal(own, account));
}

/**
 * Checks the arguments as geth's `setDefaults` does, after a revert that is under way, and estimates the gas when it is
 * absent. With `anybody`, the node does not need the key of the sender.
 */
export async function makeReady(
  args: SendingArguments,
  { api }: MethodContext,
  anybody = false,
): Promise<Ready | Answer> {
  await api.dev?.revertEnded();
  const from = args.from ?? (anybody ? new Uint8Array(20) : undefined);
  if (from === undefined || (!anybody && !holdsKey(api, from) && api.dev?.impersonation.has(from) !== true))
    return failed(UNKNOWN_ACCOUNT);
  const refusal = refuseArguments(api, args) ?? refuseFees(args) ?? refuseShape(args);
  if (refusal !== undefined) return failed(refusal);
  const data = args.input ?? args.data ?? EMPTY;
  const fees = feesOf(args, api);
  if (args.gas !== undefined) return { from, gas: args.gas, data, fees };
  const height = api.blockNumber();
  const account = api.account(from, height);
  const cheapest = TRANSFER_GAS * (fees.gasPrice ?? fees.maxFeePerGas) + (args.value ?? 0n);
  const canPay = account.ok && account.value.balance >= cheapest;
  // a sender that cannot pay for the least transaction is refused by the pool, in words that name the costs
  const call = callOf(api, { ...args, ...NO_FEES, ...(canPay && fees), nonce: undefined });
  if (!call.ok) return failed(call.error);
  const estimate = await api.estimateGas(call.value, height, [], {});
  if (!estimate.ok) return failed(rpcErrorOf(estimate.error));
  return estimate.value.kind === 'gas' ? { from, gas: estimate.value.gas, data, fees } : failure(estimate.value);
}

/** Fees that exclude each other, in geth's order. */
function refuseFees({
  gasPrice,
  maxFeePerGas,
  maxPriorityFeePerGas,
  authorizationList,
}: SendingArguments): RpcError | undefined {
  if (gasPrice !== undefined && authorizationList !== undefined) return PRICED_AUTHORIZATIONS;
  if (maxFeePerGas !== undefined && maxPriorityFeePerGas !== undefined && maxFeePerGas < maxPriorityFeePerGas)
    return serverError(`maxFeePerGas (${maxFeePerGas}) < maxPriorityFeePerGas (${maxPriorityFeePerGas})`);
  return undefined;
}

/** Arguments of which no transaction can be made. */
function refuseShape({ to, input, data, type, authorizationList, namesBlobs }: SendingArguments): RpcError | undefined {
  if (input !== undefined && data !== undefined && !equal(input, data))
    return serverError(
      'both "data" and "input" are set and not equal. Please use "input" to pass transaction call data',
    );
  if (to === undefined && (input ?? data ?? EMPTY).length === 0)
    return serverError('contract creation without any data provided');
  if (namesBlobs || (type !== undefined && (type === 3n || type > 4n)))
    return serverError('transaction type not supported');
  const isSetCode = authorizationList !== undefined || type === 4n;
  if (isSetCode && (authorizationList ?? []).length === 0)
    return serverError('set code tx must have at least one authorization tuple');
  if (isSetCode && to === undefined)
    return serverError('authorizationList provided for contract creation, but "to" field is missing');
  return undefined;
}

/**
 * The transaction of checked arguments. Its fields say its type: authorizations make type 4, a gas price 0 or 1, any
 * other fee 2. Where they leave it open, the type that the client names decides (geth and hardhat ignore it).
 */
export function fill(args: SendingArguments, { from, gas, data, fees }: Ready, api: EthereumApi): UnsignedTransaction {
  const { to, accessList, authorizationList: authorizations } = args;
  const common = {
    nonce: args.nonce ?? api.pendingNonce(from),
    gasLimit: gas,
    to,
    value: args.value ?? 0n,
    data,
    chainId: api.chainId,
  };
  if (fees.gasPrice !== undefined) {
    const { gasPrice } = fees;
    return accessList === undefined && args.type !== 1n
      ? { ...common, type: 0, gasPrice }
      : { ...common, type: 1, gasPrice, accessList: accessList ?? [] };
  }
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  const dynamic = { ...common, maxFeePerGas, maxPriorityFeePerGas, accessList: accessList ?? [] };
  if (authorizations === undefined) return { ...dynamic, type: 2 };
  invariant(to !== undefined, 'authorizations without a recipient are refused');
  return { ...dynamic, to, type: 4, authorizations };
}

/** The fees that the arguments name, and those that follow from the base fee (geth `setFeeDefaults`). */
function feesOf(args: SendingArguments, api: EthereumApi): Fees {
  const isQuoted = api.dev?.quotes.gasPrice !== undefined;
  const gasPrice = args.gasPrice ?? (wantsGasPrice(args, isQuoted) ? suggestedGasPrice(api) : undefined);
  if (gasPrice !== undefined) return { gasPrice };
  const maxPriorityFeePerGas = args.maxPriorityFeePerGas ?? least(suggestedTip(api), args.maxFeePerGas);
  const maxFeePerGas = args.maxFeePerGas ?? maxPriorityFeePerGas + 2n * api.quotedBaseFee();
  return { gasPrice, maxFeePerGas, maxPriorityFeePerGas };
}

/**
 * The client wants a type with a gas price, and names no other fee. With `isQuoted`, where `miner_setGasPrice` has said
 * one (dev mode), it also wants it when it names no type.
 */
function wantsGasPrice(
  { type, maxFeePerGas, maxPriorityFeePerGas, authorizationList }: SendingArguments,
  isQuoted: boolean,
): boolean {
  return (
    (type === 0n || type === 1n || (isQuoted && type === undefined)) &&
    maxFeePerGas === undefined &&
    maxPriorityFeePerGas === undefined &&
    authorizationList === undefined
  );
}

function least(value: bigint, limit: bigint | undefined): bigint {
  return limit !== undefined && limit < value ? limit : value;
}
