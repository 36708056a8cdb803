/**
 * Arguments of calls and of transactions to be sent (geth v1.17 `TransactionArgs` in
 * `internal/ethapi/transaction_args.go`).
 */
import type { SignedAuthorization } from '../../../core/ethereum/transaction.js';
import type { EvmAccessListItem } from '../../../core/evm/engine.js';
import { isObject } from '../envelope.js';
import {
  accessList,
  address,
  authorizations,
  data,
  blobHashes,
  quantity,
  quantity64,
  readFields,
  schemaOf,
} from './fields.js';
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
  /** Calls see the hashes of blobs; the chain has no blobs, so that nothing with them can be sent. */
  readonly blobHashes: readonly Uint8Array[] | undefined;
  readonly maxFeePerBlobGas: bigint | undefined;
  /** EIP-7702 delegations; undefined where the request has no list. */
  readonly authorizations: readonly SignedAuthorization[] | undefined;
}

export const TRANSACTION_FIELDS = {
  from: address,
  to: address,
  gas: quantity64,
  gasPrice: quantity,
  maxFeePerGas: quantity,
  maxPriorityFeePerGas: quantity,
  value: quantity,
  nonce: quantity64,
  data,
  input: data,
  accessList,
  chainId: quantity,
  blobVersionedHashes: blobHashes,
  maxFeePerBlobGas: quantity,
  authorizationList: authorizations,
};

export const TRANSACTION = schemaOf('Transaction', TRANSACTION_FIELDS);

/** Unknown fields are ignored. */
export const transactionArguments: Param<TransactionArguments> = required('transaction', TRANSACTION, (value) => {
  if (!isObject(value))
    return bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type ethapi.TransactionArgs`);
  const fields = readFields(value, 'TransactionArgs', TRANSACTION_FIELDS);
  if (!fields.ok) return fields;
  const { authorizationList, blobVersionedHashes, ...others } = fields.value;
  return good({ ...others, blobHashes: blobVersionedHashes, authorizations: authorizationList });
});
