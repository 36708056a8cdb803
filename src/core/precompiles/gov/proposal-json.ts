import type { JsonValue } from '@bufbuild/protobuf';
import { AnySchema, type Any } from '@bufbuild/protobuf/wkt';
import type { Context } from '../../sdk/context.js';
import { isJson } from '../../sdk/genesis-section.js';
import { messageFromJson } from '../../sdk/message-from-json.js';
import { plainError } from '../../sdk/sdk-error.js';
import { parseJson } from '../../bytes/json-text.js';
import { text } from '../../bytes/bytes.js';

/** A proposal as a contract writes it: without its deposit and its proposer. */
export interface WrittenProposal {
  readonly messages: Any[];
  readonly metadata: string;
  readonly title: string;
  readonly summary: string;
  readonly expedited: boolean;
}

/** Reads the JSON of a proposal (cosmos/evm v0.6 `precompiles/gov/types.go`); messages have their type as `@type`. */
export function readProposal({ router }: Context, bytes: Uint8Array): WrittenProposal {
  const json = parse(bytes);
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw plainError('json: cannot unmarshal value: invalid proposal JSON');
  const textOf = (name: string): string => {
    const value = json[name] ?? '';
    if (typeof value !== 'string') throw plainError(`json: cannot unmarshal field ${name}: invalid proposal JSON`);
    return value;
  };
  const messages = json['messages'] ?? [];
  if (!Array.isArray(messages)) throw plainError('json: cannot unmarshal field messages: invalid proposal JSON');
  return {
    messages: messages.map((message, index) => {
      try {
        return messageFromJson(AnySchema, message, router.types);
      } catch {
        throw plainError(`unable to read the message: message ${index}`);
      }
    }),
    metadata: textOf('metadata'),
    title: textOf('title'),
    summary: textOf('summary'),
    expedited: json['expedited'] === true,
  };
}

function parse(bytes: Uint8Array): JsonValue {
  try {
    const json: unknown = parseJson(text(bytes));
    if (isJson(json)) return json;
  } catch {
    // the refusal below
  }
  throw plainError('invalid character in JSON: invalid proposal JSON');
}
