/** Objects by tables of their fields, from which both their decoder and their schema are made. */
import type { SignedAuthorization } from '../../../core/ethereum/transaction.js';
import type { EvmAccessListItem } from '../../../core/evm/engine.js';
import { DEFAULT_LIMITS } from '../../../core/limits.js';
import { isObject } from '../envelope.js';
import { ADDRESS, HASH, type Place, decodeAddress, decodeData, decodeFixed, decodeQuantity } from './hex.js';
import { LOOSE_QUANTITY, looseNumber } from './numbers.js';
import { type Decoded, bad, good, kindOf } from './param.js';
import * as schema from '../schema.js';

/** A field of an object. Every field may be absent or null. */
export interface Field<out Value> {
  /** Go's name of the type in error texts. */
  readonly type: string;
  /** `decode` takes every value that fits. */
  readonly schema: schema.Schema;
  decode(value: unknown, place: Place): Decoded<Value>;
}

/** A table of the fields of an object by their names. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values that the fields of a table decode; undefined for each that is absent or null. */
export type ValuesOf<Table extends Fields> = {
  readonly [Name in keyof Table]: (Table[Name] extends Field<infer Value> ? Value : never) | undefined;
};

/** The schema of an object with these fields. */
export function schemaOf(title: string, table: Fields): schema.Schema {
  return { title, ...schema.objectOf(schemasOf(table), []) };
}

/** The schemas of the fields by their names. */
export function schemasOf(table: Fields): Readonly<Record<string, schema.Schema>> {
  return Object.fromEntries(Object.entries(table).map(([name, field]) => [name, field.schema]));
}

/**
 * Reads the fields in the order of the table; the first bad one is the error. Other members are ignored. `typeName` is
 * Go's name of the object in error texts.
 */
export function readFields<const Table extends Fields>(
  object: Readonly<Record<string, unknown>>,
  typeName: string,
  table: Table,
): Decoded<ValuesOf<Table>> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(table)) {
    const value = object[name] ?? null;
    if (value === null) continue;
    const decoded = field.decode(value, { type: field.type, field: `${typeName}.${name}` });
    if (!decoded.ok) return decoded;
    values[name] = decoded.value;
  }
  // each value was decoded by the field of its name
  return good(values as ValuesOf<Table>);
}

export const address: Field<Uint8Array> = { type: ADDRESS, schema: schema.ADDRESS, decode: decodeAddress };
export const quantity: Field<bigint> = {
  type: 'hexutil.Big',
  schema: schema.QUANTITY,
  decode: (value, place) => decodeQuantity(value, 256, place),
};
export const quantity64: Field<bigint> = {
  type: 'hexutil.Uint64',
  schema: schema.QUANTITY_64,
  decode: (value, place) => decodeQuantity(value, 64, place),
};
export const data: Field<Uint8Array> = { type: 'hexutil.Bytes', schema: schema.DATA, decode: decodeData };
export const hash: Field<Uint8Array> = {
  type: HASH,
  schema: schema.HASH,
  decode: (value, place) => decodeFixed(value, 32, place),
};

/** A whole number of any spelling: hex, a decimal number or its text. */
export const looseQuantity: Field<bigint> = {
  type: 'number',
  schema: LOOSE_QUANTITY,
  decode(value, { field = '' }) {
    const number = looseNumber(value);
    return number === undefined ? bad(`${field} is not a number`) : good(number);
  },
};

/** A list whose items are decoded one by one. */
export function listField<Item>(
  type: string,
  items: schema.Schema,
  decode: (item: unknown) => Decoded<Item>,
): Field<readonly Item[]> {
  return {
    type,
    schema: schema.listOf(items),
    decode(value, { field = '' }) {
      if (!Array.isArray(value))
        return bad(`json: cannot unmarshal ${kindOf(value)} into Go struct field ${field} of type ${type}`);
      const decoded: Item[] = [];
      for (const item of value) {
        const one = decode(item);
        if (!one.ok) return one;
        decoded.push(one.value);
      }
      return good(decoded);
    },
  };
}

/** EIP-4844 versioned hashes of the arguments of a transaction. */
export const blobHashes = listField('[]common.Hash', schema.HASH, (item) =>
  decodeFixed(item, 32, { type: HASH, field: 'TransactionArgs.blobVersionedHashes' }),
);

const ACCESS_LIST_ITEM: schema.Schema = {
  title: 'AccessListItem',
  ...schema.objectOf({ address: schema.ADDRESS, storageKeys: schema.listOf(schema.HASH) }),
};

export const accessList = listField('types.AccessList', ACCESS_LIST_ITEM, decodeAccessListItem);

function decodeAccessListItem(item: unknown): Decoded<EvmAccessListItem> {
  const { address: rawAddress, storageKeys: rawKeys } =
    typeof item === 'object' && item !== null ? { address: undefined, storageKeys: undefined, ...item } : {};
  const account = decodeAddress(rawAddress, { type: ADDRESS, field: 'TransactionArgs.accessList.address' });
  if (!account.ok) return account;
  const storageKeys: Uint8Array[] = [];
  for (const rawKey of Array.isArray(rawKeys) ? rawKeys : []) {
    const key = decodeFixed(rawKey, 32, { type: HASH, field: 'TransactionArgs.accessList.storageKeys' });
    if (!key.ok) return key;
    storageKeys.push(key.value);
  }
  return good({ address: account.value, storageKeys });
}

/** geth's `hexutil.U256`, whose errors name the type inside of it (`common/hexutil/json.go`). */
const quantity256: Field<bigint> = { ...quantity, type: '*uint256.Int' };

/** geth's `SetCodeAuthorization` (`core/types/gen_authorization.go`), and `v` in place of `yParity`. */
const AUTHORIZATION = {
  chainId: quantity256,
  address,
  nonce: quantity64,
  yParity: quantity64,
  v: quantity64,
  r: quantity256,
  s: quantity256,
};

const listedAuthorizations = listField(
  '[]types.SetCodeAuthorization',
  schemaOf('Authorization', AUTHORIZATION),
  decodeAuthorization,
);

/** EIP-7702 authorizations, as many as the limit allows. */
export const authorizations: Field<readonly SignedAuthorization[]> = {
  ...listedAuthorizations,
  schema: { ...listedAuthorizations.schema, maxItems: DEFAULT_LIMITS.ethCallAuthorizations },
  decode(value, place) {
    const most = DEFAULT_LIMITS.ethCallAuthorizations;
    return Array.isArray(value) && value.length > most
      ? bad(`limit ethCallAuthorizations (${most}) exceeded`)
      : listedAuthorizations.decode(value, place);
  },
};

/** Decodes an authorization; absent numbers are zero, as in Go. */
function decodeAuthorization(item: unknown): Decoded<SignedAuthorization> {
  if (!isObject(item))
    return bad(
      `json: cannot unmarshal ${kindOf(item)} into Go struct field TransactionArgs.authorizationList of type types.SetCodeAuthorization`,
    );
  const read = readFields(item, 'TransactionArgs.authorizationList', AUTHORIZATION);
  if (!read.ok) return read;
  const {
    chainId = 0n,
    address: target = new Uint8Array(20),
    nonce = 0n,
    yParity,
    v = 0n,
    r = 0n,
    s = 0n,
  } = read.value;
  return good({ chainId, address: target, nonce, yParity: Number(yParity ?? v), r, s });
}
