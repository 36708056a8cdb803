/** Object parameters, defined by a table of fields from which decoder and schema are derived. */
import type { SignedAuthorization } from '../../../core/ethereum/transaction.js';
import type { EvmAccessListItem } from '../../../core/evm/transaction.js';
import { DEFAULT_LIMITS } from '../../../core/limits/limits.js';
import { isObject } from '../../../core/text/json-object.js';
import { ADDRESS, HASH, decodeAddress, decodeData, decodeQuantity } from './hex.js';
import { LOOSE_QUANTITY, looseNumber } from './numbers.js';
import {
  type Decoded,
  type Param,
  type Place,
  type Refusal,
  bad,
  decodeEach,
  good,
  required,
  wrongKind,
} from './param.js';
import * as schema from '../schema.js';

/** A field of an object. It may be absent or null. */
export interface Field<out Value> {
  /** Go type name, for error texts. */
  readonly type: string;
  /** Schema of the usual values; `decode` accepts at least these. */
  readonly schema: schema.Schema;
  decode(value: unknown, place: Place): Decoded<Value>;
}

/** The fields of an object by name. */
export type FieldTable = Readonly<Record<string, Field<unknown>>>;

/** The decoded values of a field table; undefined for absent or null fields. */
type ValuesOfTable<Table extends FieldTable> = {
  readonly [Name in keyof Table]: (Table[Name] extends Field<infer Value> ? Value : never) | undefined;
};

/** A decoder of objects. */
export interface Fields<out Values> {
  /** Schemas of the fields by name. */
  readonly schemas: Readonly<Record<string, schema.Schema>>;
  /**
   * Decodes the fields in table order; fails with the first error. Ignores other members. `place`: where the object
   * is, for the error if the value is not an object.
   */
  read(value: unknown, place?: Place): Decoded<Values>;
}

export type ValuesOf<Read> = Read extends Fields<infer Values> ? Values : never;

/** Creates a decoder. `typeName`: Go name that precedes field names in error texts; `goType`: the full Go type. */
export function fieldsOf<const Table extends FieldTable>(
  typeName: string,
  table: Table,
  goType = typeName,
): Fields<ValuesOfTable<Table>> {
  const rows = Object.entries(table).map(([name, field]) => {
    const place: Place = { type: field.type, field: `${typeName}.${name}` };
    return { name, field, place };
  });
  const absent = Object.fromEntries(rows.map(({ name }) => [name, undefined]));
  return {
    schemas: Object.fromEntries(rows.map(({ name, field }) => [name, field.schema])),
    read(object, objectPlace = { type: goType }) {
      if (!isObject(object)) return wrongKind(object, objectPlace.type, objectPlace.field);
      // create all members first: V8 is slow if each object has another shape
      const values: Record<string, unknown> = { ...absent };
      for (const { name, field, place } of rows) {
        const value = object[name] ?? null;
        if (value === null) continue;
        const decoded = field.decode(value, place);
        if (!decoded.ok) return decoded;
        values[name] = decoded.value;
      }
      // each value was decoded by its field
      return good(values as ValuesOfTable<Table>);
    },
  };
}

/** Schema of an object with these fields. */
export function schemaOf(title: string, { schemas }: Fields<unknown>): schema.Schema {
  return { title, ...schema.objectOf(schemas, []) };
}

/** Creates a parameter that is an object with these fields. */
export function objectParam<Values>(label: string, title: string, fields: Fields<Values>): Param<Values> {
  return required(label, schemaOf(title, fields), (value) => fields.read(value));
}

/** Converts a parameter to a field; its errors do not name the field. */
export function fieldOf<Value>(param: Param<Value>): Field<Value> {
  return { type: '', schema: param.schema, decode: (value) => param.decode(value) };
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
  decode: (value, place) => decodeData(value, place, 32),
};

/** A whole number in hex, as a JSON number, or as decimal text. */
export const looseQuantity: Field<bigint> = {
  type: 'number',
  schema: LOOSE_QUANTITY,
  decode(value, { field = '' }) {
    const number = looseNumber(value);
    return number === undefined ? bad(`${field} is not a number`) : good(number);
  },
};

/** A field with a list of items. */
export function listField<Item>(
  type: string,
  items: schema.Schema,
  decode: (item: unknown) => Decoded<Item>,
): Field<readonly Item[]> {
  return {
    type,
    schema: schema.listOf(items),
    decode: (value, { field }) => (Array.isArray(value) ? decodeEach(value, decode) : wrongKind(value, type, field)),
  };
}

/** EIP-4844 versioned hashes. */
export const blobHashes = listField('[]common.Hash', schema.HASH, (item) =>
  decodeData(item, { type: HASH, field: 'TransactionArgs.blobVersionedHashes' }, 32),
);

/**
 * The error for a missing member, as in geth's generated decoders (`core/types/gen_access_tuple.go`,
 * `gen_authorization.go`).
 */
function missing(member: string, type: string): Refusal {
  return bad(`missing required field '${member}' for ${type}`);
}

/** Storage keys of an access list entry. */
const storageKeys = listField('[]common.Hash', schema.HASH, (key) =>
  decodeData(key, { type: HASH, field: 'TransactionArgs.accessList.storageKeys' }, 32),
);

const ACCESS_TUPLE = fieldsOf('TransactionArgs.accessList', { address, storageKeys });

const ACCESS_LIST_ITEM: schema.Schema = {
  title: 'AccessListItem',
  ...schema.objectOf({ address: schema.ADDRESS, storageKeys: schema.listOf(schema.HASH) }),
};

export const accessList = listField('types.AccessList', ACCESS_LIST_ITEM, decodeAccessListItem);

function decodeAccessListItem(item: unknown): Decoded<EvmAccessListItem> {
  const read = ACCESS_TUPLE.read(item, { type: 'types.AccessTuple', field: 'TransactionArgs.accessList' });
  if (!read.ok) return read;
  const { address: account, storageKeys: keys } = read.value;
  if (account === undefined) return missing('address', 'AccessTuple');
  return keys === undefined ? missing('storageKeys', 'AccessTuple') : good({ address: account, storageKeys: keys });
}

/** geth's `hexutil.U256`, whose errors name the inner type (`common/hexutil/json.go`). */
const quantity256: Field<bigint> = { ...quantity, type: '*uint256.Int' };

/** geth's `SetCodeAuthorization` (`core/types/gen_authorization.go`); `v` is accepted instead of `yParity`. */
const AUTHORIZATION = fieldsOf('TransactionArgs.authorizationList', {
  chainId: quantity256,
  address,
  nonce: quantity64,
  yParity: quantity64,
  v: quantity64,
  r: quantity256,
  s: quantity256,
});

export const AUTHORIZATION_SCHEMA: schema.Schema = {
  title: 'Authorization',
  ...schema.objectOf(AUTHORIZATION.schemas, ['chainId', 'address', 'nonce', 'yParity', 'r', 's']),
};

const listedAuthorizations = listField('[]types.SetCodeAuthorization', AUTHORIZATION_SCHEMA, decodeAuthorization);

/** EIP-7702 authorizations, up to a limit. */
export const authorizations: Field<readonly SignedAuthorization[]> = {
  ...listedAuthorizations,
  schema: { ...listedAuthorizations.schema, maxItems: DEFAULT_LIMITS.ethCallAuthorizations },
  decode(value, place) {
    const maximum = DEFAULT_LIMITS.ethCallAuthorizations;
    return Array.isArray(value) && value.length > maximum
      ? bad(`limit ethCallAuthorizations (${maximum}) exceeded`)
      : listedAuthorizations.decode(value, place);
  },
};

/** Decodes an authorization; all members are required. */
function decodeAuthorization(item: unknown): Decoded<SignedAuthorization> {
  const place = { type: 'types.SetCodeAuthorization', field: 'TransactionArgs.authorizationList' };
  const read = AUTHORIZATION.read(item, place);
  if (!read.ok) return read;
  const { chainId, address: target, nonce, yParity, v, r, s } = read.value;
  const parity = yParity ?? v;
  const type = 'SetCodeAuthorization';
  if (chainId === undefined) return missing('chainId', type);
  if (target === undefined) return missing('address', type);
  if (nonce === undefined) return missing('nonce', type);
  if (parity === undefined) return missing('yParity', type);
  if (r === undefined) return missing('r', type);
  return s === undefined
    ? missing('s', type)
    : good({ chainId, address: target, nonce, yParity: Number(parity), r, s });
}
