/**
 * Signatures of threshold keys, which may be members of one another (cosmos-sdk v0.53 `x/auth/tx/sigs.go`,
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

/** A signature with the mode of each key that signed. */
export type SignatureData = SingleSignature | ThresholdSignature;

export interface SingleSignature {
  readonly kind: 'single';
  readonly mode: SignMode;
  readonly signature: Uint8Array;
}

export interface ThresholdSignature {
  readonly kind: 'multi';
  /** A bit for each member; those that are set signed, in order of `parts`. */
  readonly bits: CompactBitArray | undefined;
  /** Undefined for a signature without a mode. */
  readonly parts: readonly (SignatureData | undefined)[];
}

/** Reads a signature by its mode. Throws SdkError for bytes that are none. */
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
  // these bytes are not signed, so they must not hold other data
  throw plainError('rejecting unrecognized fields found in MultiSignature');
}

/** All signatures inside of a signature, then those of each threshold as one (SDK `signatureDataToBz`). */
export function signatureParts(data: SignatureData | undefined): readonly Uint8Array[] {
  if (data === undefined) throw plainError('got empty SignatureData');
  if (data.kind === 'single') return [data.signature];
  const signatures = data.parts.flatMap(signatureParts);
  return [...signatures, toBinary(MultiSignatureSchema, create(MultiSignatureSchema, { signatures: [...signatures] }))];
}

/** True when every signature is of amino JSON. */
export function onlyAmino(data: SignatureData | undefined): boolean {
  if (data?.kind === 'single') return data.mode === SignMode.LEGACY_AMINO_JSON;
  return data !== undefined && data.parts.every(onlyAmino);
}

/** A member that signed, with its place among the keys and its signature. */
export interface SignedMember {
  readonly index: number;
  readonly key: PublicKey;
  readonly data: SignatureData | undefined;
}

/** Members whose bits are set, in order of the keys. Throws SdkError where bits, keys and signatures disagree. */
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

/** Verifies the signature of one key over the transaction in a mode. */
export type IsSigned = (mode: SignMode, key: SinglePublicKey, signature: Uint8Array) => boolean;

/** The SDK's reason why a signature is not valid; undefined for a valid one. */
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

/** Number of bits: the last byte holds `extraBitsStored` of them, or all when that is 0. */
function sizeOf(bits: CompactBitArray | undefined): number {
  if (bits === undefined) return 0;
  const { elems, extraBitsStored } = bits;
  return extraBitsStored === 0 ? elems.length * 8 : (elems.length - 1) * 8 + extraBitsStored;
}

/** Throws SdkError for a bit beyond the bytes, which a false number of bits makes possible. */
function isSet(bits: CompactBitArray | undefined, index: number): boolean {
  if (bits === undefined || index >= sizeOf(bits)) return false;
  const byte = bits.elems[index >> 3];
  if (byte === undefined) throw outOfRange(index >> 3, bits.elems.length);
  return ((byte >> (7 - (index & 7))) & 1) === 1;
}

const outOfRange = (index: number, length: number): RecoveredPanic =>
  new RecoveredPanic(`runtime error: index out of range [${index}] with length ${length}`);
