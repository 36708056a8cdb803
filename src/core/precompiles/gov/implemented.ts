/** Checks the types of a proposal's messages (cosmos-sdk v0.53 `codec/types/interface_registry.go` UnpackAny). */
import { fromBinary, type Message } from '@bufbuild/protobuf';
import { isReflectMessage, reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import type { Context } from '../../sdk/module/context.js';
import { missedInterface } from '../../sdk/codec/interface-types.js';

type Router = Context['router'];

/** Go type of any message in error texts. */
const MESSAGE = '*interface { ProtoMessage(); Reset(); String() string }';
const refusal = (typeUrl: string, missed: string): string =>
  `no concrete type registered for type URL ${typeUrl} against interface ${missed}`;

/** Error text for an `Any` that is no known message, or whose content does not decode; undefined when it is valid. */
export function unacceptedType(router: Router, message: Any): string | undefined {
  if (!router.knows(message.typeUrl)) return refusal(message.typeUrl, MESSAGE);
  const schema = router.types.getMessage(message.typeUrl.slice(1));
  return schema && unacceptedInside(router, reflect(schema, fromBinary(schema, message.value)));
}

function unacceptedInside(router: Router, message: ReflectMessage): string | undefined {
  for (const field of message.fields) {
    if (field.fieldKind !== 'message' && !(field.fieldKind === 'list' && field.listKind === 'message')) continue;
    if (!message.isSet(field)) continue;
    const values: readonly unknown[] = field.fieldKind === 'message' ? [message.get(field)] : [...message.get(field)];
    for (const value of values) {
      if (!isReflectMessage(value)) continue;
      if (value.desc.typeName !== AnySchema.typeName) {
        const found = unacceptedInside(router, value);
        if (found !== undefined) return found;
        continue;
      }
      const { message: any } = value;
      if (!isAny(any)) continue;
      const schema = router.types.getMessage(any.typeUrl.slice(1));
      if (schema === undefined) continue;
      const missed = missedInterface(field, schema, router.knows(any.typeUrl));
      if (missed !== undefined) return refusal(any.typeUrl, missed);
      const found = unacceptedInside(router, reflect(schema, fromBinary(schema, any.value)));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

const isAny = (message: Message): message is Any => message.$typeName === AnySchema.typeName;
