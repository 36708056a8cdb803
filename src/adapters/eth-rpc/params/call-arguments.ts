/** Arguments of calls and transactions (geth v1.17 `TransactionArgs` in `internal/ethapi/transaction_args.go`). */
import {
  accessList,
  address,
  authorizations,
  data,
  blobHashes,
  fieldsOf,
  objectParam,
  quantity,
  quantity64,
  type ValuesOf,
} from './fields.js';
import type { Param } from './param.js';

export const TRANSACTION_FIELDS = {
  from: address,
  to: address,
  gas: quantity64,
  gasPrice: quantity,
  maxFeePerGas: quantity,
  maxPriorityFeePerGas: quantity,
  value: quantity,
  nonce: quantity64,
  // `data` and `input` are the same value; `input` takes precedence in calls
  data,
  input: data,
  accessList,
  chainId: quantity,
  // calls can read blob hashes, but the chain has no blobs, so a transaction with them is rejected
  blobVersionedHashes: blobHashes,
  maxFeePerBlobGas: quantity,
  // EIP-7702 authorizations; undefined if the request has no list
  authorizationList: authorizations,
};

const FIELDS = fieldsOf('TransactionArgs', TRANSACTION_FIELDS, 'ethapi.TransactionArgs');

export type TransactionArguments = ValuesOf<typeof FIELDS>;

/** The transaction parameter; unknown members are ignored. */
export const transactionArguments: Param<TransactionArguments> = objectParam('transaction', 'Transaction', FIELDS);

export const TRANSACTION = transactionArguments.schema;
