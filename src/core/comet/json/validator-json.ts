/** JSON of validators, their keys and updates (CometBFT v0.38 `types/validator.go`). */
import { create } from '@bufbuild/protobuf';
import { invariant } from '../../errors.js';
import { type ValidatorUpdate, ValidatorUpdateSchema } from '../../proto/tendermint/abci/types_pb.js';
import { type PublicKey, PublicKeySchema } from '../../proto/tendermint/crypto/keys_pb.js';
import { type Validator, ValidatorSchema } from '../../proto/tendermint/types/validator_pb.js';
import { fromBase64, toBase64 } from '../../bytes/base64.js';
import { fromHex, upperHex } from '../../bytes/hex.js';

export type PublicKeyJson = {
  readonly type: 'tendermint/PubKeyEd25519' | 'tendermint/PubKeySecp256k1';
  readonly value: string;
};

/** JSON of a validator update; the key has Go's form of a protobuf oneof, power 0 is omitted. */
export interface ValidatorUpdateJson {
  readonly pub_key: {
    readonly Sum:
      | { readonly type: 'tendermint.crypto.PublicKey_Ed25519'; readonly value: { readonly ed25519: string } }
      | { readonly type: 'tendermint.crypto.PublicKey_Secp256K1'; readonly value: { readonly secp256k1: string } };
  };
  readonly power?: string;
}

/** Writes a consensus key as its amino name and base64; throws for a key without a type. */
export function publicKeyToJson(publicKey: PublicKey | undefined): PublicKeyJson {
  const sum = publicKey?.sum;
  invariant(sum?.case !== undefined, 'a consensus key has a type');
  return {
    type: sum.case === 'ed25519' ? 'tendermint/PubKeyEd25519' : 'tendermint/PubKeySecp256k1',
    value: toBase64(sum.value),
  };
}

/** Inverse of `publicKeyToJson`. */
export function publicKeyFromJson(json: PublicKeyJson): PublicKey {
  const value = fromBase64(json.value);
  return create(PublicKeySchema, {
    sum: json.type === 'tendermint/PubKeyEd25519' ? { case: 'ed25519', value } : { case: 'secp256k1', value },
  });
}

export type ValidatorJson = ReturnType<typeof validatorToJson>;

/** Writes address (upper-case hex), key, voting power and proposer priority. */
export function validatorToJson(validator: Validator) {
  return {
    address: upperHex(validator.address),
    pub_key: publicKeyToJson(validator.pubKey),
    voting_power: String(validator.votingPower),
    proposer_priority: String(validator.proposerPriority),
  };
}

/** Inverse of `validatorToJson`. */
export function validatorFromJson(json: ValidatorJson): Validator {
  return create(ValidatorSchema, {
    address: fromHex(json.address),
    pubKey: publicKeyFromJson(json.pub_key),
    votingPower: BigInt(json.voting_power),
    proposerPriority: BigInt(json.proposer_priority),
  });
}

/**
 * Writes an update; the key has its Go type name, and power 0 (a removal) is omitted. Throws for a key without a
 * type.
 */
export function validatorUpdateToJson({ pubKey, power }: ValidatorUpdate): ValidatorUpdateJson {
  const sum = pubKey?.sum;
  invariant(sum?.case !== undefined, 'a consensus key has a type');
  return {
    pub_key: {
      Sum:
        sum.case === 'ed25519'
          ? { type: 'tendermint.crypto.PublicKey_Ed25519', value: { ed25519: toBase64(sum.value) } }
          : { type: 'tendermint.crypto.PublicKey_Secp256K1', value: { secp256k1: toBase64(sum.value) } },
    },
    ...(power !== 0n && { power: String(power) }),
  };
}

/** Inverse of `validatorUpdateToJson`; an absent power is 0. */
export function validatorUpdateFromJson(json: ValidatorUpdateJson): ValidatorUpdate {
  const { Sum } = json.pub_key;
  const pubKey = create(PublicKeySchema, {
    sum:
      Sum.type === 'tendermint.crypto.PublicKey_Ed25519'
        ? { case: 'ed25519', value: fromBase64(Sum.value.ed25519) }
        : { case: 'secp256k1', value: fromBase64(Sum.value.secp256k1) },
  });
  return create(ValidatorUpdateSchema, { pubKey, power: BigInt(json.power ?? '0') });
}
