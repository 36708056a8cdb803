/** Code, storage and parameters in cosmos/evm v0.6's encodings of store `evm` (`x/vm/types/key.go`). */
import { create } from '@bufbuild/protobuf';
import { concat, equal } from '../../bytes/bytes.js';
import type { Context } from '../../sdk/module/context.js';
import { unmetered } from '../../sdk/module/gas.js';
import { Records } from '../../state/records.js';
import {
  AccessControlSchema,
  AccessControlTypeSchema,
  ParamsSchema,
  type Params,
} from '../../proto/cosmos/evm/vm/v1/evm_pb.js';
import { messageCodec } from '../../state/params-record.js';

export const STORE = 'evm';
const CODE_PREFIX = Uint8Array.of(1);
export const STORAGE_PREFIX = Uint8Array.of(2);
export const PARAMS_KEY = Uint8Array.of(3);
/** Store and key of the parameters. */
export const EVM_PARAMS = { store: STORE, key: PARAMS_KEY } as const;
export const CODE_HASH_PREFIX = Uint8Array.of(4);

/** Address in the key of a code hash or storage slot; undefined for other keys of the store. */
export function addressOfKey(key: Uint8Array): Uint8Array | undefined {
  return key[0] === STORAGE_PREFIX[0] || key[0] === CODE_HASH_PREFIX[0] ? key.slice(1, 21) : undefined;
}

/** Key of code by its keccak256 (32 bytes). */
export const codeKey = (hash: Uint8Array): Uint8Array => concat(CODE_PREFIX, hash);
/** Prefix of all slots of a contract. */
export const storageOf = (address: Uint8Array): Uint8Array => concat(STORAGE_PREFIX, address);
/** Key of a slot (32 bytes) of a contract (20 bytes). */
export const storageKey = (address: Uint8Array, slot: Uint8Array): Uint8Array => concat(STORAGE_PREFIX, address, slot);
/** Key of the code hash of a contract. */
export const codeHashKey = (address: Uint8Array): Uint8Array => concat(CODE_HASH_PREFIX, address);

/** keccak256 of no bytes. */
export const EMPTY_CODE_HASH = Uint8Array.of(
  0xc5,
  0xd2,
  0x46,
  0x01,
  0x86,
  0xf7,
  0x23,
  0x3c,
  0x92,
  0x7e,
  0x7d,
  0xb2,
  0xdc,
  0xc7,
  0x03,
  0xc0,
  0xe5,
  0x00,
  0xb6,
  0x53,
  0xca,
  0x82,
  0x27,
  0x3b,
  0x7b,
  0xfa,
  0xd8,
  0x04,
  0x5d,
  0x85,
  0xa4,
  0x70,
);

type Readable = Pick<Context, 'store'>;

const records = new Records(STORE, messageCodec(ParamsSchema));

/** Parameters, read without gas: the ante rules read them before a transaction's meter starts. */
export function getParams({ store }: Readable): Params {
  return records.get({ store: unmetered(store) }, PARAMS_KEY) ?? create(ParamsSchema);
}

/** Stores the parameters with sorted precompiles; writes access control even when it is empty. */
export function setParams(context: Context, params: Params): void {
  const stored = create(ParamsSchema, {
    ...params,
    activeStaticPrecompiles: params.activeStaticPrecompiles.toSorted(),
    accessControl: create(AccessControlSchema, {
      create: params.accessControl?.create ?? create(AccessControlTypeSchema),
      call: params.accessControl?.call ?? create(AccessControlTypeSchema),
    }),
  });
  records.set(context, PARAMS_KEY, stored);
}

/** Code hash of an account; that of no code for other addresses. */
export function getCodeHash(context: Readable, address: Uint8Array): Uint8Array {
  return context.store.get(STORE, codeHashKey(address)) ?? EMPTY_CODE_HASH;
}

/** Code by keccak256 hash; undefined when it is not stored. */
export function getCode(context: Readable, hash: Uint8Array): Uint8Array | undefined {
  return context.store.get(STORE, codeKey(hash));
}

/** Value of a slot, 32 bytes; undefined for zero. A Go node stores it without leading zeros. */
export function getStorage(context: Readable, address: Uint8Array, slot: Uint8Array): Uint8Array | undefined {
  const value = context.store.get(STORE, storageKey(address, slot));
  if (value === undefined || value.length === 32) return value;
  const word = new Uint8Array(32);
  word.set(value, 32 - value.length);
  return word;
}

/** True for the hash of no code, or an empty array. */
export function isEmptyCodeHash(hash: Uint8Array): boolean {
  return hash === EMPTY_CODE_HASH || hash.length === 0 || equal(hash, EMPTY_CODE_HASH);
}
