/** Proto JSON as the SDK's command line prints it for transactions, blocks, and EVM and IBC queries. */
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

/** Bytes fields that are null if empty, as in Go; other empty bytes are an empty string. */
const NULL_IN_GO: ReadonlySet<string> = new Set(['next_key', 'proof', 'empty_child']);

const toJson = createToJson(NAMED_TYPES, {
  bytes: ({ name }) => (NULL_IN_GO.has(name) ? 'null' : '""'),
  nullMessages: true,
});

/**
 * Converts a message: all fields in declaration order, missing messages as null, an `Any` as its message with `@type`
 * first.
 */
export function protoJson<Schema extends DescMessage>(schema: Schema, message: MessageShape<Schema>): JsonValue {
  return JSON.parse(toJson(schema, toBinary(schema, message)));
}

/** Converts an `Any` to its message with `@type` first; an unknown type keeps its value in base64. */
export function anyJson(typeUrl: string, value: Uint8Array): JsonObject {
  return JSON.parse(toJson(AnySchema, toBinary(AnySchema, create(AnySchema, { typeUrl, value }))));
}
