/** Addresses of a validator: operator (an account) and consensus key. */
import { create, fromBinary } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { invariant } from '../../errors.js';
import type { Crypto } from '../../ports/crypto.js';
import { PubKeySchema as Ed25519Schema } from '../../proto/cosmos/crypto/ed25519/keys_pb.js';
import { PubKeySchema as Secp256k1Schema } from '../../proto/cosmos/crypto/secp256k1/keys_pb.js';
import { PublicKeySchema, type PublicKey } from '../../proto/tendermint/crypto/keys_pb.js';
import { KEY_TYPES } from '../../sdk/signing/account-key.js';
import { addressRefusal, encodeAddress, parseAddress, requireAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';

export type Chain = Pick<Context, 'chain'>;

/** Formats an operator address, like `cosmosvaloper1...`. */
export function operatorText({ chain }: Chain, operator: Uint8Array): string {
  return encodeAddress(`${chain.bech32Prefix}valoper`, operator);
}

/** Formats a consensus address, like `cosmosvalcons1...`. */
export function consensusText({ chain }: Chain, consensus: Uint8Array): string {
  return encodeAddress(`${chain.bech32Prefix}valcons`, consensus);
}

/** Formats an account address, like `cosmos1...`. */
export function accountText({ chain }: Chain, account: Uint8Array): string {
  return encodeAddress(chain.bech32Prefix, account);
}

/** Decodes an operator address that this chain wrote into its state. */
export function storedOperator({ chain }: Chain, text: string): Uint8Array {
  const operator = parseAddress(`${chain.bech32Prefix}valoper`, text);
  invariant(operator !== undefined, 'the state holds a malformed address of an operator');
  return operator;
}

/** Decodes an account address that this chain wrote into its state. */
export function storedAccount({ chain }: Chain, text: string): Uint8Array {
  const account = parseAddress(chain.bech32Prefix, text);
  invariant(account !== undefined, 'the state holds a malformed address of an account');
  return account;
}

/** Decodes an operator address in a message; SDK error 7 with prefix `what` for a malformed one. */
export function requireOperator({ chain }: Chain, text: string, what = 'invalid validator address'): Uint8Array {
  return requireAddress(`${chain.bech32Prefix}valoper`, text, what);
}

/** Decodes an account address in a message; SDK error 7 for a malformed one. */
export function requireDelegator({ chain }: Chain, text: string): Uint8Array {
  return requireAddress(chain.bech32Prefix, text, 'invalid delegator address');
}

/** Address of the account that signs for an operator. Throws SdkError for a malformed operator address. */
export function signerOfOperator(text: string, bech32Prefix: string): string {
  const operator = parseAddress(`${bech32Prefix}valoper`, text);
  if (operator === undefined) throw addressRefusal(`${bech32Prefix}valoper`, text);
  return encodeAddress(bech32Prefix, operator);
}

/** A consensus key; `kind` is its name in the consensus parameters. */
export type ConsensusKey = { readonly kind: 'ed25519' | 'secp256k1'; readonly key: Uint8Array };

/** Decodes a validator's key; undefined for other key types and malformed bytes. */
export function consensusKeyOf({ typeUrl, value }: Any): ConsensusKey | undefined {
  try {
    if (typeUrl === KEY_TYPES.ed25519.typeUrl) {
      const { key } = fromBinary(Ed25519Schema, value);
      return key.length === 32 ? { kind: 'ed25519', key } : undefined;
    }
    if (typeUrl !== KEY_TYPES.secp256k1.typeUrl) return undefined;
    const { key } = fromBinary(Secp256k1Schema, value);
    return key.length === 33 ? { kind: 'secp256k1', key } : undefined;
  } catch {
    return undefined;
  }
}

/** Address of a consensus key: 20 bytes (CometBFT spec, core/data_structures, Address). */
export function consensusAddress(crypto: Crypto, { kind, key }: ConsensusKey): Uint8Array {
  return kind === 'ed25519' ? crypto.sha256(key).slice(0, 20) : crypto.ripemd160(crypto.sha256(key));
}

/** Converts the key to CometBFT's message. */
export function cometKey({ kind, key }: ConsensusKey): PublicKey {
  return create(PublicKeySchema, { sum: { case: kind, value: key } });
}
