/** JSON of messages as the SDK's command line writes transactions, blocks and answers of the EVM and of IBC. */
import {
  create,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { createToJson } from './to-json.js';
import { NAMED_TYPES } from './named-types.js';

/** Bytes that Go has as null where they are empty; other empty bytes are an empty text. */
const NULL_IN_GO: ReadonlySet<string> = new Set(['next_key', 'proof', 'empty_child']);

const toJson = createToJson(NAMED_TYPES, {
  bytes: ({ name }) => (NULL_IN_GO.has(name) ? 'null' : '""'),
  nullMessages: true,
});

/** Every field in the order of declaration; absent messages are null, an `Any` is its message with `@type` first. */
export function protoJson<Schema extends DescMessage>(schema: Schema, message: MessageShape<Schema>): JsonValue {
  return JSON.parse(toJson(schema, toBinary(schema, message)));
}

/** JSON of an `Any`: its message with `@type` first; the value of an unknown type stays base64. */
export function anyJson(typeUrl: string, value: Uint8Array): JsonObject {
  return JSON.parse(toJson(AnySchema, toBinary(AnySchema, create(AnySchema, { typeUrl, value }))));
}
