import { type DescField, fromBinary, isMessage, type Registry } from '@bufbuild/protobuf';
import { isReflectMessage, reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { complete } from '../../codec/complete-message.js';
import { NIL_POINTER, RecoveredPanic } from '../../module/sdk-error.js';
import type { SigningFacts } from '../signing-facts.js';
import { typeNameOf } from '../../codec/any.js';

/**
 * Throws RecoveredPanic where the application has it for a message whose `Any` is absent, as that of a new validator
 * without a key: before go-amino writes a message, the SDK asks each `Any` of it for its value (cosmos-sdk v0.53
 * `codec/amino.go` jsonMarshalAnys, gogoproto v1.7 `types/any/compat.go`). `unpacked`: what an `Any` holds is known.
 */
export function requireParts(messages: readonly Any[], facts: SigningFacts, unpacked: boolean): void {
  if (!facts.absentPartsPanic) return;
  if (messages.some((message) => holdsAbsent(message, facts.types, unpacked))) throw new RecoveredPanic(NIL_POINTER);
}

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

/** The SDK has no code for deprecated fields, such as the client of an upgrade. */
const isRead = (field: DescField): boolean =>
  field.fieldKind === 'message' && field.message.typeName === AnySchema.typeName && !field.deprecated;

function partsOf(message: ReflectMessage, field: DescField): readonly ReflectMessage[] {
  if (field.fieldKind === 'list') return [...message.get(field)].filter((item) => isReflectMessage(item));
  return field.fieldKind === 'message' && message.isSet(field) ? [message.get(field)] : [];
}
