/** Reads the fields of an object one by one and keeps the first error. */
import type { SignedAuthorization } from '../../../core/ethereum/transaction.js';
import type { EvmAccessListItem } from '../../../core/evm/engine.js';
import { DEFAULT_LIMITS } from '../../../core/limits.js';
import { isObject } from '../envelope.js';
import { ADDRESS, HASH, type Place, decodeAddress, decodeData, decodeFixed, decodeQuantity } from './hex.js';
import { type Decoded, bad, good, kindOf } from './param.js';

export class FieldReader {
  #error: string | undefined;

  /** `typeName`: Go's name of the object in error texts. */
  constructor(
    private readonly object: Readonly<Record<string, unknown>>,
    private readonly typeName: string,
  ) {}

  get error(): string | undefined {
    return this.#error;
  }

  #read<Value>(
    name: string,
    type: string,
    decode: (value: unknown, place: Place) => Decoded<Value>,
  ): Value | undefined {
    const value = this.object[name] ?? null;
    if (value === null || this.#error !== undefined) return undefined;
    const decoded = decode(value, { type, field: `${this.typeName}.${name}` });
    if (decoded.ok) return decoded.value;
    this.#error = decoded.message;
    return undefined;
  }

  address(name: string): Uint8Array | undefined {
    return this.#read(name, ADDRESS, decodeAddress);
  }

  quantity(name: string): bigint | undefined {
    return this.#read(name, 'hexutil.Big', (value, place) => decodeQuantity(value, 256, place));
  }

  quantity64(name: string): bigint | undefined {
    return this.#read(name, 'hexutil.Uint64', (value, place) => decodeQuantity(value, 64, place));
  }

  data(name: string): Uint8Array | undefined {
    return this.#read(name, 'hexutil.Bytes', decodeData);
  }

  hash(name: string): Uint8Array | undefined {
    return this.#read(name, HASH, (value, place) => decodeFixed(value, 32, place));
  }

  accessList(name: string): readonly EvmAccessListItem[] | undefined {
    return this.#read(name, 'types.AccessList', (value, place) => decodeList(value, place, decodeAccessListItem));
  }

  authorizations(name: string): readonly SignedAuthorization[] | undefined {
    return this.#read(name, '[]types.SetCodeAuthorization', (value, place) => {
      const most = DEFAULT_LIMITS.ethCallAuthorizations;
      return Array.isArray(value) && value.length > most
        ? bad(`limit ethCallAuthorizations (${most}) exceeded`)
        : decodeList(value, place, decodeAuthorization);
    });
  }
}

function decodeList<Item>(
  value: unknown,
  { field = '', type }: Place,
  decode: (item: unknown) => Decoded<Item>,
): Decoded<readonly Item[]> {
  if (!Array.isArray(value))
    return bad(`json: cannot unmarshal ${kindOf(value)} into Go struct field ${field} of type ${type}`);
  const items: Item[] = [];
  for (const item of value) {
    const decoded = decode(item);
    if (!decoded.ok) return decoded;
    items.push(decoded.value);
  }
  return good(items);
}

/** Decodes an authorization; absent numbers are zero, as in Go. */
function decodeAuthorization(item: unknown): Decoded<SignedAuthorization> {
  if (!isObject(item))
    return bad(`json: cannot unmarshal ${kindOf(item)} into Go value of type types.SetCodeAuthorization`);
  const fields = new FieldReader(item, 'SetCodeAuthorization');
  const authorization: SignedAuthorization = {
    chainId: fields.quantity('chainId') ?? 0n,
    address: fields.address('address') ?? new Uint8Array(20),
    nonce: fields.quantity64('nonce') ?? 0n,
    yParity: Number(fields.quantity64('yParity') ?? fields.quantity64('v') ?? 0n),
    r: fields.quantity('r') ?? 0n,
    s: fields.quantity('s') ?? 0n,
  };
  return fields.error === undefined ? good(authorization) : bad(fields.error);
}

function decodeAccessListItem(item: unknown): Decoded<EvmAccessListItem> {
  const { address: rawAddress, storageKeys: rawKeys } =
    typeof item === 'object' && item !== null ? { address: undefined, storageKeys: undefined, ...item } : {};
  const address = decodeAddress(rawAddress, { type: ADDRESS, field: 'AccessTuple.address' });
  if (!address.ok) return address;
  const storageKeys: Uint8Array[] = [];
  for (const rawKey of Array.isArray(rawKeys) ? rawKeys : []) {
    const key = decodeFixed(rawKey, 32, { type: HASH, field: 'AccessTuple.storageKeys' });
    if (!key.ok) return key;
    storageKeys.push(key.value);
  }
  return { ok: true, value: { address: address.value, storageKeys } };
}
