/**
 * Parses JSON-RPC messages as geth does (v1.17 `rpc/json.go`): calls, notifications, batches, and invalid messages.
 */
import { exceededJsonBound, type JsonBounds } from '../../core/text/json-parts.js';
import { FIXED_LIMITS, type Limits } from '../../core/limits/limits.js';
import { EMPTY_BATCH, INVALID_REQUEST, PARSE_ERROR, type RpcError, invalidRequest } from './errors.js';
import { isObject } from '../../core/text/json-object.js';
import { onFirstCall } from '../../core/on-first-call.js';
import { splitJson } from '../raw-json.js';
import { parseJson } from '../../core/text/json-text.js';

/** One message of a body. `id`: JSON text that the response echoes. */
export type Message =
  | { readonly kind: 'call'; readonly id: string; readonly method: string; readonly params: unknown }
  /** A call without id: it is executed but not answered. */
  | { readonly kind: 'notification'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'invalid'; readonly id: string; readonly error: RpcError };

/** A valid call or notification. */
export type ValidMessage = Exclude<Message, { kind: 'invalid' }>;

export type Incoming =
  | { readonly kind: 'single'; readonly message: Message }
  | { readonly kind: 'batch'; readonly messages: readonly Message[] }
  /** A batch with too many messages; `id` is that of its first call. */
  | { readonly kind: 'oversized'; readonly id: string }
  /** Invalid JSON, JSON above a limit, or an empty batch: one error without id. */
  | { readonly kind: 'refused'; readonly error: RpcError };

const EXCESS = {
  jsonParts: 'too many objects, arrays and members',
  jsonValues: 'too many values',
  jsonSpaceBytes: 'too much white space',
} as const;
/**
 * Matches an id that `JSON.stringify` would write differently: a number with a point or an exponent, or an escaped
 * string.
 */
const UNUSUAL_ID = /"id"\s*:\s*(?:-0|-?\d+[.eE]|"[^"\\]*\\)/u;
const TOO_LONG: Message = {
  kind: 'invalid',
  id: 'null',
  error: invalidRequest(`id too long: limit idCharacters (${FIXED_LIMITS.idCharacters}) exceeded`),
};

/** The error for a body that exceeds a JSON limit. */
export function excessOf(exceeded: keyof JsonBounds, limits: JsonBounds): RpcError {
  if (exceeded === 'jsonDepth') return PARSE_ERROR;
  return invalidRequest(`${EXCESS[exceeded]}: limit ${exceeded} (${limits[exceeded]}) exceeded`);
}

/** Parses the text of a body or frame. */
export function readMessages(text: string, limits: JsonBounds & Pick<Limits, 'ethBatchRequests'>): Incoming {
  const exceeded = exceededJsonBound(text, limits);
  if (exceeded !== undefined) return { kind: 'refused', error: excessOf(exceeded, limits) };
  let parsed: unknown;
  try {
    parsed = parseJson(text);
  } catch {
    return { kind: 'refused', error: PARSE_ERROR };
  }
  const isUsual = onFirstCall(() => !UNUSUAL_ID.test(text));
  if (!Array.isArray(parsed)) return { kind: 'single', message: readMessage(parsed, () => text, isUsual) };
  const values: readonly unknown[] = parsed;
  if (values.length === 0) return { kind: 'refused', error: EMPTY_BATCH };
  let texts: readonly string[] | undefined;
  const textOf = (index: number): string => (texts ??= elementsOf(text))[index] ?? 'null';
  const messages = values
    .slice(0, limits.ethBatchRequests)
    .map((value, index) => readMessage(value, () => textOf(index), isUsual));
  if (values.length <= limits.ethBatchRequests) return { kind: 'batch', messages };
  const first = messages.find(({ kind }) => kind === 'call');
  return { kind: 'oversized', id: first?.kind === 'call' ? first.id : 'null' };
}

/**
 * Parses one message. `jsonrpc` may be absent, for very old clients, but must not be another version. `isUsual`
 * returns true if the body has no id of the form `UNUSUAL_ID`.
 */
function readMessage(value: unknown, text: () => string, isUsual: () => boolean): Message {
  if (!isObject(value)) return { kind: 'invalid', id: 'null', error: INVALID_REQUEST };
  // its text in JSON is at least as long
  if (typeof value['id'] === 'string' && value['id'].length > FIXED_LIMITS.idCharacters) return TOO_LONG;
  const id = 'id' in value ? idText(value['id'], text, isUsual) : undefined;
  if (id !== undefined && id.length > FIXED_LIMITS.idCharacters) return TOO_LONG;
  const { jsonrpc, method, params } = value;
  const isCall =
    (jsonrpc === undefined || jsonrpc === '2.0') && typeof method === 'string' && method !== '' && id !== 'invalid';
  if (!isCall)
    return { kind: 'invalid', id: id === undefined || id === 'invalid' ? 'null' : id, error: INVALID_REQUEST };
  if (method.length > FIXED_LIMITS.methodCharacters) {
    return {
      kind: 'invalid',
      id: id ?? 'null',
      error: invalidRequest(`method name too long: ${method.length} > ${FIXED_LIMITS.methodCharacters}`),
    };
  }
  return id === undefined ? { kind: 'notification', method, params } : { kind: 'call', id, method, params };
}

/** The id exactly as in the request, as geth echoes it; null for objects and arrays. */
function idText(id: unknown, text: () => string, isUsual: () => boolean): string {
  if (id !== null && typeof id === 'object') return 'invalid';
  if (isUsual() && (typeof id !== 'number' || Number.isSafeInteger(id))) return JSON.stringify(id);
  const split = splitJson(text(), UNBOUNDED);
  const members = split.ok && split.value.kind === 'object' ? split.value.members : [];
  return members.findLast(([name]) => name === 'id')?.[1] ?? 'null';
}

/** No limits: they were applied to the whole body already. */
const UNBOUNDED = { jsonDepth: Infinity, jsonParts: Infinity };

function elementsOf(text: string): readonly string[] {
  const split = splitJson(text, UNBOUNDED);
  return split.ok && split.value.kind === 'array' ? split.value.elements : [];
}
