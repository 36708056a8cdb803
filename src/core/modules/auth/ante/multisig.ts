import { fromBinary } from '@bufbuild/protobuf';
import {
  type CompactBitArray,
  MultiSignatureSchema,
} from '../../../proto/cosmos/crypto/multisig/v1beta1/multisig_pb.js';
import type { ModeInfo } from '../../../proto/cosmos/tx/v1beta1/tx_pb.js';
import type { SinglePublicKey, ThresholdPublicKey } from '../../../sdk/public-key.js';

/** Signatures of the members in the signature of a threshold key; empty for bytes that hold anything else. */
export function partsOf(signature: Uint8Array): readonly Uint8Array[] {
  try {
    const { signatures, $unknown } = fromBinary(MultiSignatureSchema, signature);
    // SDK `decodeMultisignatures`: these bytes are not signed, so they must not hold other data
    return $unknown === undefined ? signatures : [];
  } catch {
    return [];
  }
}

/** Members whose bits are set, in order of the keys. */
export function signedKeys({ keys }: ThresholdPublicKey, modeInfo: ModeInfo | undefined): readonly SinglePublicKey[] {
  const bits = modeInfo?.sum.case === 'multi' ? modeInfo.sum.value.bitarray : undefined;
  return bits === undefined ? [] : keys.filter((_, index) => isSet(bits, index));
}

/**
 * Members with their mode and signature, if at least the threshold signed and bits, modes and signatures agree (SDK
 * `VerifyMultisignature`); undefined otherwise.
 */
export function memberSignatures(
  key: ThresholdPublicKey,
  modeInfo: ModeInfo | undefined,
  signature: Uint8Array,
):
  | readonly { readonly key: SinglePublicKey; readonly modeInfo: ModeInfo; readonly signature: Uint8Array }[]
  | undefined {
  if (modeInfo?.sum.case !== 'multi') return undefined;
  const { bitarray, modeInfos } = modeInfo.sum.value;
  const parts = partsOf(signature);
  const signed = signedKeys(key, modeInfo);
  if (bitarray === undefined || sizeOf(bitarray) !== key.keys.length) return undefined;
  if (signed.length < key.threshold || parts.length !== signed.length || modeInfos.length !== signed.length)
    return undefined;
  return signed.flatMap((member, index) => {
    const [mode, part] = [modeInfos[index], parts[index]];
    return mode === undefined || part === undefined ? [] : [{ key: member, modeInfo: mode, signature: part }];
  });
}

/** Number of bits in a compact array: the last byte holds `extraBitsStored` of them, or all when that is 0. */
function sizeOf({ elems, extraBitsStored }: CompactBitArray): number {
  return extraBitsStored === 0 ? elems.length * 8 : (elems.length - 1) * 8 + extraBitsStored;
}

function isSet({ elems }: CompactBitArray, index: number): boolean {
  return (((elems[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1;
}
