import { create, type DescMessage, type JsonValue, type MessageShape } from '@bufbuild/protobuf';
import { NAMED_TYPES } from '../../adapters/rest/json/named-types.js';
import { messageFromJson } from '../../core/sdk/codec/message-from-json.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';

/** Parses proto JSON. Throws a usage error that names the wrong member; `what` names the source. */
export function protoFromJson<Schema extends DescMessage>(
  schema: Schema,
  json: JsonValue,
  what: string,
): MessageShape<Schema> {
  try {
    return json === null ? create(schema) : messageFromJson(schema, json, NAMED_TYPES);
  } catch (error) {
    throw new CommandError(EXIT.usage, `${what}: ${error instanceof Error ? error.message : 'not a transaction'}`);
  }
}
