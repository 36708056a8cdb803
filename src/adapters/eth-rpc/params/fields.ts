/** Reads the fields of an object in turn and keeps the first error. */
import type { EvmAccessListItem } from '../../../core/evm/engine.js';
import { ADDRESS, HASH, type Place, decodeAddress, decodeData, decodeFixed, decodeQuantity } from './hex.js';
import type { Decoded } from './param.js';

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

  #read<Value>(name: string, type: string, decode: (value: unknown, place: Place) => Decoded<Value>): Value | undefined {
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
    return this.#read(name, 'types.AccessList', (value, place) => {
      if (!Array.isArray(value)) return { ok: false, message: `json: cannot unmarshal value into Go struct field ${place.field ?? ''} of type ${place.type}` };
      const items: EvmAccessListItem[] = [];
      for (const item of value) {
        const decoded = decodeAccessListItem(item);
        if (!decoded.ok) return decoded;
        items.push(decoded.value);
      }
      return { ok: true, value: items };
    });
  }
}

function decodeAccessListItem(item: unknown): Decoded<EvmAccessListItem> {
  const { address: rawAddress, storageKeys: rawKeys } = typeof item === 'object' && item !== null ? { address: undefined, storageKeys: undefined, ...item } : {};
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
