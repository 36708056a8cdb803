import { create, toBinary } from '@bufbuild/protobuf';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concat } from '../bytes/bytes.js';
import { KNOWN_TYPES } from '../sdk/codec/known-types.js';
import { aminoSignBytes } from '../sdk/signing/sign-amino.js';
import { directSignBytes } from '../sdk/signing/sign-doc.js';
import { NoTextualForm } from '../sdk/signing/textual/numbers.js';
import { textualSignBytes } from '../sdk/signing/textual/sign-bytes.js';
import type { Metadata } from '../proto/cosmos/bank/v1beta1/bank_pb.js';
import { LegacyAminoPubKeySchema } from '../proto/cosmos/crypto/multisig/keys_pb.js';
import { PubKeySchema } from '../proto/cosmos/crypto/secp256k1/keys_pb.js';
import { SignMode } from '../proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import * as pb from '../proto/cosmos/tx/v1beta1/tx_pb.js';
import { type AccountKey, KEY_TYPES, type SimpleKey } from '../sdk/signing/account-key.js';

export type SigningMode = 'direct' | 'amino-json' | 'textual';

/** Chain and signer's account; account fields are as before the transaction. */
export interface SigningContext {
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
  /** Metadata by base denom; required by mode textual. */
  readonly coinMetadata?: ReadonlyMap<string, Metadata>;
}

/** Signing account, which mode textual shows; for a multisig the multisig account. */
export interface SigningAccount {
  readonly address: string;
  readonly key: AccountKey;
}

export const SIGN_MODES: Readonly<Record<SigningMode, SignMode>> = {
  direct: SignMode.DIRECT,
  'amino-json': SignMode.LEGACY_AMINO_JSON,
  textual: SignMode.TEXTUAL,
};

/** Signing mode of a SignMode number; unknown numbers become direct. */
export function signingModeOf(mode: SignMode): SigningMode {
  if (mode === SignMode.TEXTUAL) return 'textual';
  return mode === SignMode.LEGACY_AMINO_JSON ? 'amino-json' : 'direct';
}

/** Packs a public key into an `Any`. All single kinds have one field. */
export function publicKeyAny(key: AccountKey): Any {
  const { typeUrl } = KEY_TYPES[key.kind];
  const value =
    key.kind === 'multisig'
      ? toBinary(
          LegacyAminoPubKeySchema,
          create(LegacyAminoPubKeySchema, { threshold: key.threshold, publicKeys: key.keys.map(publicKeyAny) }),
        )
      : toBinary(PubKeySchema, create(PubKeySchema, { key: key.key }));
  return create(AnySchema, { typeUrl, value });
}

/** SignerInfo of a key in one sign mode. */
export function signerInfoOf(key: AccountKey, mode: SigningMode, sequence: bigint): pb.SignerInfo {
  return create(pb.SignerInfoSchema, {
    publicKey: publicKeyAny(key),
    modeInfo: { sum: { case: 'single', value: { mode: SIGN_MODES[mode] } } },
    sequence,
  });
}

/**
 * Sign bytes of a transaction. Throws NoAminoForm for messages without an amino name; NoTextualForm for values that
 * cannot be shown, and in mode textual without `account` and metadata.
 */
export function signBytesOf(
  tx: Pick<pb.Tx, 'body' | 'authInfo'>,
  mode: SigningMode,
  { chainId, accountNumber, sequence, coinMetadata }: SigningContext,
  account?: SigningAccount,
): Uint8Array {
  const body = tx.body ?? create(pb.TxBodySchema);
  const authInfo: pb.AuthInfo = tx.authInfo ?? create(pb.AuthInfoSchema);
  if (mode === 'amino-json') return aminoSignBytes(body, authInfo, { chainId, accountNumber, sequence }, KNOWN_TYPES);
  const [bodyBytes, authInfoBytes] = [toBinary(pb.TxBodySchema, body), toBinary(pb.AuthInfoSchema, authInfo)];
  if (mode === 'direct') return directSignBytes(bodyBytes, authInfoBytes, chainId, accountNumber);
  if (account === undefined || coinMetadata === undefined)
    throw new NoTextualForm('the metadata of denoms is not known');
  return textualSignBytes(
    { body, authInfo, bodyBytes, authInfoBytes },
    {
      chainId,
      accountNumber,
      sequence,
      address: account.address,
      publicKey: publicKeyAny(account.key),
      types: KNOWN_TYPES,
      coinMetadata: (denom) => coinMetadata.get(denom),
    },
  );
}

/** Signs sign bytes: 65 bytes r || s || v over keccak256 for eth_secp256k1, 64 bytes over sha256 for secp256k1. */
export function signBytes(kind: AccountKey['kind'], bytes: Uint8Array, privateKey: Uint8Array): Uint8Array {
  if (kind === 'secp256k1') return secp256k1.sign(sha256(bytes), privateKey, { prehash: false });
  const recovered = secp256k1.sign(keccak_256(bytes), privateKey, { prehash: false, format: 'recovered' });
  return concat(recovered.subarray(1), recovered.subarray(0, 1));
}

/** True for a valid signature of the key over the bytes. */
export function isSignatureOf(key: SimpleKey, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (key.kind === 'ed25519' || signature.length < 64 || signature.length > 65) return false;
  const hash = key.kind === 'secp256k1' ? sha256(bytes) : keccak_256(bytes);
  return secp256k1.verify(signature.slice(0, 64), hash, key.key, { prehash: false, lowS: true });
}
