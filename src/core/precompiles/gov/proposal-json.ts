import type { JsonValue } from '@bufbuild/protobuf';
import { AnySchema, type Any } from '@bufbuild/protobuf/wkt';
import type { Context } from '../../sdk/module/context.js';
import { isJson } from '../../sdk/module/genesis-section.js';
import { unacceptedType } from './implemented.js';
import { messageFromJson } from '../../sdk/codec/message-from-json.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import { jsonProblem } from '../../sdk/go/go-json-syntax.js';
import { parseJson } from '../../text/json-text.js';
import { text } from '../../bytes/bytes.js';

/** A proposal as a contract submits it, without deposit and proposer. */
export interface WrittenProposal {
  readonly messages: Any[];
  readonly metadata: string;
  readonly title: string;
  readonly summary: string;
  readonly expedited: boolean;
}

/** Go type of the decoded struct in error texts. */
const STRUCT = `struct { ${[
  ['Messages', '[]json.RawMessage'],
  ['Metadata', 'string'],
  ['Title', 'string'],
  ['Summary', 'string'],
  ['Expedited', 'bool'],
]
  .map(([name = '', type]) => String.raw`${name} ${type} "json:\"${name.toLowerCase()}\""`)
  .join('; ')} }`;
const MAP = 'map[string]*json.RawMessage';

/** Field names; Go matches them case-insensitively. */
const FIELDS = [
  { name: 'messages', pattern: /^messages$/iu, type: '[]json.RawMessage', kind: 'array' },
  { name: 'metadata', pattern: /^metadata$/iu, type: 'string', kind: 'string' },
  { name: 'title', pattern: /^title$/iu, type: 'string', kind: 'string' },
  { name: 'summary', pattern: /^summary$/iu, type: 'string', kind: 'string' },
  { name: 'expedited', pattern: /^expedited$/iu, type: 'bool', kind: 'bool' },
] as const;

/**
 * Parses the JSON of a proposal (cosmos/evm v0.6 `precompiles/gov/types.go`); each message has its type in `@type`.
 * Errors have the texts of Go's decoder (Go 1.24 `encoding/json` decode.go), except those within a message.
 */
export function readProposal({ router }: Context, bytes: Uint8Array): WrittenProposal {
  const json = parse(bytes);
  const found: Partial<Record<(typeof FIELDS)[number]['name'], JsonValue>> = {};
  if (kindOf(json) !== 'object' && json !== null)
    throw refusal(`cannot unmarshal ${kindOf(json)} into Go value of type ${STRUCT}`);
  for (const [key, value] of Object.entries(json ?? {})) {
    const field = FIELDS.find(({ pattern }) => pattern.test(key));
    if (field === undefined || value === null) continue;
    if (kindOf(value) !== field.kind)
      throw refusal(`cannot unmarshal ${kindOf(value)} into Go struct field .${field.name} of type ${field.type}`);
    found[field.name] = value;
  }
  const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
  const messages = Array.isArray(found.messages) ? found.messages : [];
  return {
    messages: messages.map((message, index) => readMessage(message, index, router)),
    metadata: textOf(found.metadata),
    title: textOf(found.title),
    summary: textOf(found.summary),
    expedited: found.expedited === true,
  };
}

function readMessage(message: JsonValue, index: number, router: Context['router']): Any {
  const { types } = router;
  const refused = (why: string) => plainError(`message ${index}: ${why}`);
  if (kindOf(message) !== 'object' && message !== null)
    throw refused(`json: cannot unmarshal ${kindOf(message)} into Go value of type ${MAP}`);
  const type =
    typeof message === 'object' && message !== null && !Array.isArray(message) ? message['@type'] : undefined;
  if (type === undefined || type === null) throw refused("Any JSON doesn't have '@type'");
  if (typeof type !== 'string') throw refused(`can't unmarshal Any's '@type': ${JSON.stringify(JSON.stringify(type))}`);
  if (!type.startsWith('/') || types.getMessage(type.slice(1)) === undefined)
    throw refused(`unable to resolve type URL ${type}`);
  const read = messageOf(message, router);
  if (read === undefined) throw refused('unable to read the message');
  const unaccepted = unacceptedType(router, read);
  if (unaccepted !== undefined) throw refused(unaccepted);
  return read;
}

function messageOf(message: JsonValue, { types }: Context['router']): Any | undefined {
  try {
    return messageFromJson(AnySchema, message, types);
  } catch {
    return undefined;
  }
}

const refusal = (why: string) => plainError(`invalid proposal JSON: json: ${why}`);

/** Go's name for the kind of a JSON value. */
function kindOf(value: JsonValue): 'null' | 'array' | 'object' | 'string' | 'number' | 'bool' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'object';
  if (typeof value === 'string') return 'string';
  return typeof value === 'number' ? 'number' : 'bool';
}

function parse(bytes: Uint8Array): JsonValue {
  const problem = jsonProblem(bytes);
  if (problem !== undefined) throw plainError(`invalid proposal JSON: ${problem}`);
  try {
    const json: unknown = parseJson(text(bytes));
    if (isJson(json)) return json;
  } catch {
    // Nested so deeply that the stack overflows; reported below.
  }
  throw plainError('invalid proposal JSON: exceeded max depth');
}
