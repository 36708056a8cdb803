/** Public keys of validators, by consensus address (cosmos-sdk v0.53 `x/slashing/keeper/keeper.go`). */
import { toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import type { Context } from '../../sdk/module/context.js';
import { consensusAddressOf, type Validator } from '../staking/validator.js';
import { publicKeyKey, STORE } from './keys.js';

/** Stores a validator's public key by consensus address. */
export function addPublicKey({ store, crypto }: Context, validator: Validator): void {
  store.set(STORE, publicKeyKey(consensusAddressOf(crypto, validator)), toBinary(AnySchema, validator.consensusKey));
}

/** True when the public key of a consensus address is stored. */
export function hasPublicKey({ store }: Context, consensus: Uint8Array): boolean {
  return store.get(STORE, publicKeyKey(consensus)) !== undefined;
}

/** Deletes the public key of a consensus address. */
export function deletePublicKey({ store }: Context, consensus: Uint8Array): void {
  store.delete(STORE, publicKeyKey(consensus));
}
