import { type DescField, getOption } from '@bufbuild/protobuf';
import { isReflectMessage, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { signer } from '../../proto/cosmos/msg/v1/msg_pb.js';

/** A signer as a message names it. `field`: the one that holds its address; the text is undefined in one of bytes. */
export interface SignerText {
  readonly field: DescField;
  readonly text: string | undefined;
}

/**
 * The signers of a message, in order, by the option `cosmos.msg.v1.signer` of its type, which names fields of addresses
 * or of parts that have the option themselves (cosmossdk.io/x/tx v0.14 `signing/context.go`).
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
