import { type DescField, fromBinary, isMessage, type Registry } from '@bufbuild/protobuf';
import { isReflectMessage, reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { typeNameOf } from '../../sdk/codec/any.js';
import { complete } from '../../sdk/codec/complete-message.js';
import { typedDataRules } from '../../sdk/signing/eip712/typed-data-rules.js';
import { NIL_POINTER, RecoveredPanic } from '../../sdk/module/sdk-error.js';

/** Typed data of cosmos/evm v0.6 (`ethereum/eip712`). */
export const typedData = typedDataRules.with({
  /** Accepts transactions with a timeout and unknown fields, which the signature does not cover. */
  isShown: () => true,
  /**
   * A message with an absent `Any` (such as a new validator without a key) panics: the SDK calls a method on each
   * `Any` before go-amino writes the message (cosmos-sdk v0.53 `codec/amino.go` jsonMarshalAnys, gogoproto v1.7
   * `types/any/compat.go`).
   */
  requireParts: (messages, types, unpacked) => {
    if (messages.some((message) => holdsAbsent(message, types, unpacked))) throw new RecoveredPanic(NIL_POINTER);
  },
});

function holdsAbsent({ typeUrl, value }: Any, types: Registry, unpacked: boolean): boolean {
  const schema = types.getMessage(typeNameOf({ typeUrl }));
  if (schema === undefined) return false;
  return hasAbsent(reflect(schema, complete(schema, fromBinary(schema, value))), types, unpacked);
}

function hasAbsent(message: ReflectMessage, types: Registry, unpacked: boolean): boolean {
  return message.fields.some((field) => {
    if (isRead(field) && !message.isSet(field)) return true;
    return partsOf(message, field).some((part) => {
      if (!isMessage(part.message, AnySchema)) return hasAbsent(part, types, unpacked);
      return unpacked && holdsAbsent(part.message, types, unpacked);
    });
  });
}

/** The SDK has no code for deprecated fields, such as an upgrade plan's client state. */
const isRead = (field: DescField): boolean =>
  field.fieldKind === 'message' && field.message.typeName === AnySchema.typeName && !field.deprecated;

function partsOf(message: ReflectMessage, field: DescField): readonly ReflectMessage[] {
  if (field.fieldKind === 'list') return [...message.get(field)].filter((item) => isReflectMessage(item));
  return field.fieldKind === 'message' && message.isSet(field) ? [message.get(field)] : [];
}
