/**
 * Fills in missing transaction arguments: sender, gas, nonce, fees and type (geth v1.17
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

/** Minimum gas of a transaction. */
const TRANSFER_GAS = 21_000n;
const NO_FEES = { gasPrice: undefined, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined } as const;
export const UNKNOWN_ACCOUNT = serverError('unknown account');
/** The error for a gas price with authorizations: EIP-7702 transactions use EIP-1559 fees. */
export const PRICED_AUTHORIZATIONS = serverError('both gasPrice and authorizationList specified');

/** Fees in wei per gas: a gas price for types 0 and 1, EIP-1559 fees for later types. */
type Fees =
  | { readonly gasPrice: bigint }
  | { readonly gasPrice: undefined; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

/** The fields that are determined before a nonce is assigned. */
export interface Ready {
  readonly from: Uint8Array;
  readonly gas: bigint;
  readonly data: Uint8Array;
  readonly fees: Fees;
}

/** True if the node holds the key of this account. */
export function holdsKey(api: EthereumApi, account: Uint8Array): boolean {
  return api.accounts().some((own) => equal(own, account));
}

/**
 * Waits for a running revert, then checks the arguments as geth's `setDefaults` does, and estimates the gas if it is
 * missing. With `anybody`, the node need not hold the sender's key.
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
  // if the sender cannot pay even the minimum gas, leave out the fees here: the pool will reject it with an error
  // that names the costs
  const call = callOf(api, { ...args, ...NO_FEES, ...(canPay && fees), nonce: undefined });
  if (!call.ok) return failed(call.error);
  const estimate = await api.estimateGas(call.value, height, [], {});
  if (!estimate.ok) return failed(rpcErrorOf(estimate.error));
  return estimate.value.kind === 'gas' ? { from, gas: estimate.value.gas, data, fees } : failure(estimate.value);
}

/** The error for fees that exclude each other, in geth's order. */
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

/** The error for arguments that cannot form a transaction. */
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
 * Builds the transaction of checked arguments. The fields determine the type: 4 with authorizations, 0 or 1 with a
 * gas price, else 2. If they leave it open, the client's `type` decides (geth and hardhat ignore it).
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

/** The fees of the arguments, with defaults from the base fee (geth `setFeeDefaults`). */
function feesOf(args: SendingArguments, api: EthereumApi): Fees {
  const isQuoted = api.dev?.quotes.gasPrice !== undefined;
  const gasPrice = args.gasPrice ?? (wantsGasPrice(args, isQuoted) ? suggestedGasPrice(api) : undefined);
  if (gasPrice !== undefined) return { gasPrice };
  const maxPriorityFeePerGas = args.maxPriorityFeePerGas ?? least(suggestedTip(api), args.maxFeePerGas);
  const maxFeePerGas = args.maxFeePerGas ?? maxPriorityFeePerGas + 2n * api.quotedBaseFee();
  return { gasPrice, maxFeePerGas, maxPriorityFeePerGas };
}

/**
 * True if the transaction should have a gas price although none is given: the client wants type 0 or 1 and gives no
 * other fee. `isQuoted`: `miner_setGasPrice` has set a price (dev mode), so it also applies if no type is given.
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
