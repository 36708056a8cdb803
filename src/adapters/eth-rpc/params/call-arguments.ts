/**
 * Arguments of calls and of transactions to be sent (geth v1.17 `TransactionArgs` in
 * `internal/ethapi/transaction_args.go`).
 */
import { isObject } from '../envelope.js';
import {
  accessList,
  address,
  authorizations,
  data,
  blobHashes,
  fieldsOf,
  quantity,
  quantity64,
  schemaOf,
  type ValuesOf,
} from './fields.js';
import { type Param, bad, kindOf, required } from './param.js';

export const TRANSACTION_FIELDS = {
  from: address,
  to: address,
  gas: quantity64,
  gasPrice: quantity,
  maxFeePerGas: quantity,
  maxPriorityFeePerGas: quantity,
  value: quantity,
  nonce: quantity64,
  // `data` and `input` are two names of one value; `input` wins in calls
  data,
  input: data,
  accessList,
  chainId: quantity,
  // calls see the hashes of blobs; the chain has no blobs, so that nothing with them can be sent
  blobVersionedHashes: blobHashes,
  maxFeePerBlobGas: quantity,
  // EIP-7702 delegations; undefined where the request has no list
  authorizationList: authorizations,
};

const FIELDS = fieldsOf('TransactionArgs', TRANSACTION_FIELDS);

export type TransactionArguments = ValuesOf<typeof FIELDS>;

export const TRANSACTION = schemaOf('Transaction', FIELDS);

/** Unknown fields are ignored. */
export const transactionArguments: Param<TransactionArguments> = required('transaction', TRANSACTION, (value) =>
  isObject(value)
    ? FIELDS.read(value)
    : bad(`json: cannot unmarshal ${kindOf(value)} into Go value of type ethapi.TransactionArgs`),
);
