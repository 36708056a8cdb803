/**
 * Arguments of calls and of transactions to be sent (geth v1.17 `TransactionArgs` in
 * `internal/ethapi/transaction_args.go`).
 */
import type { SignedAuthorization } from '../../../core/ethereum/transaction.js';
import type { EvmAccessListItem } from '../../../core/evm/engine.js';
import { isObject } from '../envelope.js';
import { FieldReader } from './fields.js';
import { type Param, bad, good, kindOf, required } from './param.js';

export interface TransactionArguments {
  readonly from: Uint8Array | undefined;
  readonly to: Uint8Array | undefined;
  readonly gas: bigint | undefined;
  readonly gasPrice: bigint | undefined;
  readonly maxFeePerGas: bigint | undefined;
  readonly maxPriorityFeePerGas: bigint | undefined;
  readonly value: bigint | undefined;
  readonly nonce: bigint | undefined;
  /** `data` and `input` are two names of one value; `input` wins in calls. */
  readonly data: Uint8Array | undefined;
  readonly input: Uint8Array | undefined;
  readonly accessList: readonly EvmAccessListItem[] | undefined;
  readonly chainId: bigint | undefined;
  /** The request has blob fields (type 3). */
  readonly hasBlobs: boolean;
  /** EIP-7702 delegations. */
  readonly authorizations: readonly SignedAuthorization[];
}

/** Unknown fields are ignored. */
export const transactionArguments: Param<TransactionArguments> = required('transaction', (value) => {
  if (!isObject(value))
    return bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type ethapi.TransactionArgs`);
  const fields = new FieldReader(value, 'TransactionArgs');
  const decoded: TransactionArguments = {
    from: fields.address('from'),
    to: fields.address('to'),
    gas: fields.quantity64('gas'),
    gasPrice: fields.quantity('gasPrice'),
    maxFeePerGas: fields.quantity('maxFeePerGas'),
    maxPriorityFeePerGas: fields.quantity('maxPriorityFeePerGas'),
    value: fields.quantity('value'),
    nonce: fields.quantity64('nonce'),
    data: fields.data('data'),
    input: fields.data('input'),
    accessList: fields.accessList('accessList'),
    chainId: fields.quantity('chainId'),
    hasBlobs: isFilled(value['blobVersionedHashes']) || isFilled(value['blobs']),
    authorizations: fields.authorizations('authorizationList') ?? [],
  };
  return fields.error === undefined ? good(decoded) : bad(fields.error);
});

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
