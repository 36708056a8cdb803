import { create, toBinary } from '@bufbuild/protobuf';
import { CompactBitArraySchema, MultiSignatureSchema } from '../proto/cosmos/crypto/multisig/v1beta1/multisig_pb.js';
import { type ModeInfo, ModeInfoSchema } from '../proto/cosmos/tx/v1beta1/tx_pb.js';
import { equal } from '../bytes/bytes.js';
import type { SimpleKey, ThresholdKey } from '../sdk/signing/account-key.js';
import { SIGN_MODES, type SigningMode } from './tx-signing.js';

/** Signature of one member of a multisig key. */
export interface MemberSignature {
  readonly key: SimpleKey;
  readonly mode: SigningMode;
  readonly signature: Uint8Array;
}

/** Index of a key among the members; undefined when it is not a member. */
export function memberIndex({ keys }: ThresholdKey, key: SimpleKey): number | undefined {
  const index = keys.findIndex((member) => member.kind === key.kind && equal(member.key, key.key));
  return index < 0 ? undefined : index;
}

/** Combines members' signatures in key order, with the bit array of those members; ignores other signatures. */
export function combineSignatures(
  key: ThresholdKey,
  signatures: readonly MemberSignature[],
): { readonly modeInfo: ModeInfo; readonly signature: Uint8Array } {
  const byMember = new Map(
    signatures.flatMap((one): readonly (readonly [number, MemberSignature])[] => {
      const index = memberIndex(key, one.key);
      return index === undefined ? [] : [[index, one]];
    }),
  );
  const signed = [...byMember.entries()].toSorted(([a], [b]) => a - b);
  const elems = new Uint8Array(Math.ceil(key.keys.length / 8));
  for (const [index] of signed) elems[index >> 3] = (elems[index >> 3] ?? 0) | (0x80 >> (index & 7));
  const modeInfo = create(ModeInfoSchema, {
    sum: {
      case: 'multi',
      value: {
        bitarray: create(CompactBitArraySchema, { extraBitsStored: key.keys.length % 8, elems }),
        modeInfos: signed.map(([, { mode }]) =>
          create(ModeInfoSchema, { sum: { case: 'single', value: { mode: SIGN_MODES[mode] } } }),
        ),
      },
    },
  });
  const signature = toBinary(
    MultiSignatureSchema,
    create(MultiSignatureSchema, { signatures: signed.map(([, one]) => one.signature) }),
  );
  return { modeInfo, signature };
}
