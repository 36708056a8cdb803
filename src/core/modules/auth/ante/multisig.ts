/**
 * Signatures of multisig keys, which may be nested (cosmos-sdk v0.53 `x/auth/tx/sigs.go`,
 * `crypto/keys/multisig/multisig.go`, `crypto/types/compact_bit_array.go`).
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type CompactBitArray,
  MultiSignatureSchema,
} from '../../../proto/cosmos/crypto/multisig/v1beta1/multisig_pb.js';
import { SignMode } from '../../../proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import type { ModeInfo } from '../../../proto/cosmos/tx/v1beta1/tx_pb.js';
import type { PublicKey, SinglePublicKey, ThresholdPublicKey } from '../../../sdk/signing/public-key.js';
import { plainError, RecoveredPanic } from '../../../sdk/module/sdk-error.js';

/** A signature with its sign mode, or those of the members of a multisig. */
export type SignatureData = SingleSignature | ThresholdSignature;

export interface SingleSignature {
  readonly kind: 'single';
  readonly mode: SignMode;
  readonly signature: Uint8Array;
}

export interface ThresholdSignature {
  readonly kind: 'multi';
  /** A bit per member; the members with set bits signed, in the order of `parts`. */
  readonly bits: CompactBitArray | undefined;
  /** Member signatures; undefined for one without a mode. */
  readonly parts: readonly (SignatureData | undefined)[];
}

/** Decodes a signature by its mode. Throws SdkError for malformed bytes. */
export function signatureDataOf(modeInfo: ModeInfo, signature: Uint8Array): SignatureData {
  switch (modeInfo.sum.case) {
    case 'single':
      return { kind: 'single', mode: modeInfo.sum.value.mode, signature };
    case 'multi': {
      const { bitarray, modeInfos } = modeInfo.sum.value;
      const signatures = partsOf(signature);
      if (modeInfos.length > signatures.length) throw outOfRange(signatures.length, signatures.length);
      const parts = signatures.map((part, index) => {
        const mode = modeInfos[index];
        return mode === undefined ? undefined : signatureDataOf(mode, part);
      });
      return { kind: 'multi', bits: bitarray, parts };
    }
    case undefined:
      throw new RecoveredPanic('unexpected ModeInfo data type <nil>');
  }
}

function partsOf(signature: Uint8Array): readonly Uint8Array[] {
  try {
    const { signatures, $unknown } = fromBinary(MultiSignatureSchema, signature);
    if ($unknown === undefined) return signatures;
  } catch {
    throw plainError('unexpected EOF');
  }
  // These bytes are not signed, so they must not contain other data.
  throw plainError('rejecting unrecognized fields found in MultiSignature');
}

/** All nested signatures, followed by the encoded multisignature of each level (SDK `signatureDataToBz`). */
export function signatureParts(data: SignatureData | undefined): readonly Uint8Array[] {
  if (data === undefined) throw plainError('got empty SignatureData');
  if (data.kind === 'single') return [data.signature];
  const signatures = data.parts.flatMap(signatureParts);
  return [...signatures, toBinary(MultiSignatureSchema, create(MultiSignatureSchema, { signatures: [...signatures] }))];
}

/** True when all signatures use amino JSON. */
export function onlyAmino(data: SignatureData | undefined): boolean {
  if (data?.kind === 'single') return data.mode === SignMode.LEGACY_AMINO_JSON;
  return data !== undefined && data.parts.every(onlyAmino);
}

/** A member that signed: its key index and signature. */
export interface SignedMember {
  readonly index: number;
  readonly key: PublicKey;
  readonly data: SignatureData | undefined;
}

/** Members with set bits, in key order. Throws SdkError when bits, keys and signatures disagree. */
export function signedMembers(
  { keys }: ThresholdPublicKey,
  { bits, parts }: ThresholdSignature,
): readonly SignedMember[] {
  const members: SignedMember[] = [];
  for (let index = 0; index < sizeOf(bits); index += 1) {
    if (!isSet(bits, index)) continue;
    const key = keys[index];
    if (key === undefined) throw outOfRange(index, keys.length);
    if (members.length >= parts.length) throw outOfRange(parts.length, parts.length);
    members.push({ index, key, data: parts[members.length] });
  }
  return members;
}

/** Verifies the signature of one key over the transaction in a sign mode. */
export type IsSigned = (mode: SignMode, key: SinglePublicKey, signature: Uint8Array) => boolean;

/** The SDK's error for an invalid signature; undefined for a valid one. */
export function signatureFault(isSigned: IsSigned, key: PublicKey, data: SignatureData): string | undefined {
  if (data.kind === 'multi')
    return key.kind === 'multisig' ? thresholdFault(isSigned, key, data) : `expected <nil>, got ${GO_KEYS[key.kind]}`;
  const valid = key.kind !== 'multisig' && isSigned(data.mode, key, data.signature);
  return valid ? undefined : 'unable to verify single signer signature';
}

const GO_KEYS: Readonly<Record<SinglePublicKey['kind'], string>> = {
  eth_secp256k1: '*ethsecp256k1.PubKey',
  secp256k1: '*secp256k1.PubKey',
  ed25519: '*ed25519.PubKey',
};

function thresholdFault(isSigned: IsSigned, key: ThresholdPublicKey, data: ThresholdSignature): string | undefined {
  const { keys, threshold } = key;
  const { bits, parts } = data;
  if (sizeOf(bits) !== keys.length) return `bit array size is incorrect, expecting: ${keys.length}`;
  if (parts.length < threshold || parts.length > keys.length) return `signature size is incorrect ${parts.length}`;
  const set = keys.filter((_, index) => isSet(bits, index)).length;
  if (set < threshold) return `not enough signatures set, have ${set}, expected ${threshold}`;
  for (const [place, member] of signedMembers(key, data).entries()) {
    const fault = memberFault(isSigned, member, place);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function memberFault(isSigned: IsSigned, { index, key, data }: SignedMember, place: number): string | undefined {
  if (data === undefined) return `improper signature data type for index ${place}`;
  if (data.kind === 'multi')
    return key.kind === 'multisig' ? thresholdFault(isSigned, key, data) : `unable to parse pubkey of index ${index}`;
  const valid = key.kind !== 'multisig' && isSigned(data.mode, key, data.signature);
  return valid ? undefined : `unable to verify signature at index ${index}`;
}

/** Number of bits: the last byte has `extraBitsStored` of them, or 8 when that is 0. */
function sizeOf(bits: CompactBitArray | undefined): number {
  if (bits === undefined) return 0;
  const { elems, extraBitsStored } = bits;
  return extraBitsStored === 0 ? elems.length * 8 : (elems.length - 1) * 8 + extraBitsStored;
}

/** Reads a bit; throws SdkError for a bit beyond the bytes, which a wrong bit count makes possible. */
function isSet(bits: CompactBitArray | undefined, index: number): boolean {
  if (bits === undefined || index >= sizeOf(bits)) return false;
  const byte = bits.elems[index >> 3];
  if (byte === undefined) throw outOfRange(index >> 3, bits.elems.length);
  return ((byte >> (7 - (index & 7))) & 1) === 1;
}

const outOfRange = (index: number, length: number): RecoveredPanic =>
  new RecoveredPanic(`runtime error: index out of range [${index}] with length ${length}`);
