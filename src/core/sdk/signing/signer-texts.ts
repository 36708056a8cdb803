import { type DescField, getOption } from '@bufbuild/protobuf';
import { isReflectMessage, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { signer } from '../../proto/cosmos/msg/v1/msg_pb.js';

/** A signer of a message. `field` contains its address; the text is undefined for a bytes field. */
export interface SignerText {
  readonly field: DescField;
  readonly text: string | undefined;
}

/**
 * Signers of a message, in order, from its type's option `cosmos.msg.v1.signer`, which names address fields or nested
 * messages that have the option themselves (cosmossdk.io/x/tx v0.14 `signing/context.go`).
 */
export function signerTexts(message: ReflectMessage): readonly SignerText[] {
  return getOption(message.desc, signer).flatMap((name) => {
    const field = message.desc.fields.find((one) => one.name === name);
    if (field === undefined) return [];
    const parts: readonly unknown[] = field.fieldKind === 'list' ? [...message.get(field)] : [message.get(field)];
    return parts.flatMap((part) => {
      if (isReflectMessage(part)) return signerTexts(part);
      return [{ field, text: typeof part === 'string' ? part : undefined }];
    });
  });
}
