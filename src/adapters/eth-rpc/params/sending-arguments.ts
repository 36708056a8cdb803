/** Arguments of transactions that the node fills, signs or sends. */
import { asObject } from '../../../core/text/json-object.js';
import { QUANTITY_64 } from '../schema.js';
import { TRANSACTION_FIELDS, type TransactionArguments } from './call-arguments.js';
import { type Field, fieldsOf, quantity64, schemaOf } from './fields.js';
import { type Param, good, required } from './param.js';

const BLOB_MEMBERS = ['maxFeePerBlobGas', 'blobVersionedHashes', 'blobs'] as const;

export interface SendingArguments extends TransactionArguments {
  /** The requested transaction type (EIP-2718). geth has no such argument, but some clients send it. */
  readonly type: bigint | undefined;
  /** True if a member of blob transactions is present, even if empty (geth `IsEIP4844`). */
  readonly namesBlobs: boolean;
}

/** Some clients send the type as a number. geth ignores the member, so both forms are accepted. */
const type: Field<bigint> = {
  type: quantity64.type,
  schema: QUANTITY_64,
  decode: (value, place) =>
    Number.isSafeInteger(value) && Number(value) >= 0 ? good(BigInt(Number(value))) : quantity64.decode(value, place),
};

const FIELDS = fieldsOf('TransactionArgs', { ...TRANSACTION_FIELDS, type }, 'ethapi.TransactionArgs');

export const sendingArguments: Param<SendingArguments> = required(
  'transaction',
  schemaOf('SentTransaction', FIELDS),
  (value) => {
    const fields = FIELDS.read(value);
    const namesBlobs = BLOB_MEMBERS.some((name) => (asObject(value)?.[name] ?? null) !== null);
    return fields.ok ? good({ ...fields.value, namesBlobs }) : fields;
  },
);
