/** JSON-RPC over POST: envelope, batches and answers (CometBFT v0.38 `rpc/jsonrpc/server/http_json_handler.go`). */
import type { Limits } from '../../core/limits/limits.js';
import { type RpcError, invalidParams, invalidRequest, parseError, rpcErrorOf } from './errors.js';
import type { ArgumentSource, CallResult } from './method.js';
import { goEscape, goJson, type JsonLimits, splitJson, type SplitResult } from '../raw-json.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';

/** A parsed request; `rawParams` is JSON text, undefined if the member is absent. */
export interface RpcRequest {
  /** JSON text of the id for the response; undefined for a notification, which is not executed. */
  readonly id: string | undefined;
  readonly method: string;
  readonly rawParams: string | undefined;
}

/** Go's name of the request type, a part of CometBFT's error texts. */
const REQUEST_TYPE =
  'struct { JSONRPC string "json:\\"jsonrpc\\""; ID interface {} "json:\\"id,omitempty\\""; Method string "json:\\"method\\""; Params json.RawMessage "json:\\"params\\"" }';

const ID_TOO_LONG = invalidRequest(`id too long: limit idCharacters (${FIXED_LIMITS.idCharacters}) exceeded`);

export type Envelope =
  | { readonly ok: true; readonly request: RpcRequest }
  | { readonly ok: false; readonly error: RpcError };

/**
 * Parses a request object. Member names are case-insensitive, and the `jsonrpc` member is not checked, as in
 * CometBFT.
 */
export function readRequest(text: string, limits: JsonLimits): Envelope {
  return requestOf(splitJson(text, limits), limits);
}

function requestOf(split: SplitResult, limits: JsonLimits): Envelope {
  if (!split.ok) return { ok: false, error: parseError(split.error) };
  if (split.value.kind === 'null') return { ok: true, request: { id: undefined, method: '', rawParams: undefined } };
  if (split.value.kind !== 'object')
    return {
      ok: false,
      error: parseError(`json: cannot unmarshal ${split.value.kind} into Go value of type ${REQUEST_TYPE}`),
    };
  let id: string | undefined;
  let method = '';
  let rawParams: string | undefined;
  for (const [name, raw] of split.value.members) {
    switch (name.toLowerCase()) {
      case 'id': {
        // a response, and every event of a subscription, repeats the id
        if (raw.length > FIXED_LIMITS.idCharacters) return { ok: false, error: ID_TOO_LONG };
        const read = readId(raw, limits);
        if (!read.ok) return { ok: false, error: parseError(read.error) };
        id = read.id;
        break;
      }
      case 'method': {
        const value = splitJson(raw, limits);
        if (value.ok && value.value.kind === 'string') method = value.value.value;
        else if (value.ok && value.value.kind !== 'null') {
          return {
            ok: false,
            error: parseError(`json: cannot unmarshal ${value.value.kind} into Go struct field .method of type string`),
          };
        }
        break;
      }
      case 'params':
        rawParams = raw;
        break;
      default:
        break;
    }
  }
  return { ok: true, request: { id, method, rawParams } };
}

/**
 * Reads the id. A string is echoed as written; a number is truncated toward zero as in CometBFT, but keeps all
 * digits.
 */
function readId(
  raw: string,
  limits: JsonLimits,
): { readonly ok: true; readonly id: string | undefined } | { readonly ok: false; readonly error: string } {
  const split = splitJson(raw, limits);
  const kind = split.ok ? split.value.kind : 'null';
  if (kind === 'null') return { ok: true, id: undefined };
  if (kind === 'string') return { ok: true, id: goEscape(raw) };
  if (kind === 'number') return { ok: true, id: /^-?[0-9]{1,40}$/.test(raw) ? raw : truncated(raw) };
  const shown = { object: ['map[]', 'map[string]interface {}'], array: ['[]', '[]interface {}'], bool: [raw, 'bool'] }[
    kind
  ];
  return { ok: false, error: `json-rpc ID (${shown[0]}) is of unknown type (${shown[1]})` };
}

function truncated(raw: string): string {
  const value = Math.trunc(Number(raw));
  return Number.isFinite(value) ? BigInt(value).toString() : '0';
}

/** The argument source of a POST call. Absent params mean defaults (CometBFT panics). */
export function paramsSource(
  rawParams: string | undefined,
  names: readonly string[],
  limits: JsonLimits,
): { readonly ok: true; readonly source: ArgumentSource } | { readonly ok: false; readonly error: RpcError } {
  const reject = (reason: string): { readonly ok: false; readonly error: RpcError } => ({
    ok: false,
    error: invalidParams(`error converting json params to arguments: ${reason}`),
  });
  const split = rawParams === undefined ? undefined : splitJson(rawParams, limits);
  if (split === undefined) return { ok: true, source: () => undefined };
  if (!split.ok) return reject(split.error);
  const params = split.value;
  switch (params.kind) {
    case 'null':
      return { ok: true, source: () => undefined };
    case 'object': {
      const members = new Map(params.members);
      return { ok: true, source: (name) => json(members.get(name)) };
    }
    case 'array':
      if (params.elements.length !== names.length) {
        const shown = params.elements
          .slice(0, FIXED_LIMITS.shownArguments)
          .map((element) => `[${new TextEncoder().encode(element.slice(0, FIXED_LIMITS.shownArguments)).join(' ')}]`)
          .join(' ');
        return reject(
          `expected ${names.length} parameters ([${names.join(' ')}]), got ${params.elements.length} ([${shown.slice(0, FIXED_LIMITS.shownArguments)}])`,
        );
      }
      return { ok: true, source: (_name, index) => json(params.elements[index]) };
    case 'string':
    case 'number':
    case 'bool':
      return reject(
        `unknown type for JSON params: json: cannot unmarshal ${params.kind} into Go value of type []json.RawMessage. Expected map or array`,
      );
  }
}

function json(text: string | undefined): { readonly form: 'json'; readonly text: string } | undefined {
  return text === undefined ? undefined : { form: 'json', text };
}

/** Formats a response object; an unreadable request gets a response without id. */
export function answerText(id: string | undefined, result: CallResult): string {
  const head = id === undefined ? '{"jsonrpc":"2.0",' : `{"jsonrpc":"2.0","id":${id},`;
  return result.ok ? `${head}"result":${result.result}}` : `${head}"error":${goJson(result.error)}}`;
}

export interface BodyAnswer {
  readonly status: number;
  readonly body: string;
  readonly cacheable: boolean;
}

export type CallRaw = (
  method: string,
  rawParams: string | undefined,
  client?: string,
) => Promise<CallResult & { readonly cacheable: boolean }>;

type BodyLimits = JsonLimits & Pick<Limits, 'batchRequests' | 'cometBatchResponseBytes' | 'cometBytesPerTurn'>;

/** Answers a POST body. `turn` lets the event loop run between the calls of a batch. */
export async function answerBody(
  body: string,
  limits: BodyLimits,
  call: CallRaw,
  turn: () => Promise<void>,
): Promise<BodyAnswer> {
  const refuse = (status: number, error: RpcError): BodyAnswer => ({
    status,
    body: answerText(undefined, { ok: false, error }),
    cacheable: false,
  });
  const split = splitJson(body, limits);
  const texts = split.ok && split.value.kind === 'array' ? split.value.elements : undefined;
  if (texts !== undefined && texts.length > limits.batchRequests) {
    return refuse(
      200,
      invalidRequest(`batch request exceeds maximum (${limits.batchRequests}) allowed number of requests`),
    );
  }
  const requests: RpcRequest[] = [];
  for (const envelope of texts?.map((text) => readRequest(text, limits)) ?? [requestOf(split, limits)]) {
    // CometBFT decodes an invalid batch again as a single request and reports that error
    if (!envelope.ok)
      return refuse(
        500,
        texts === undefined || envelope.error === ID_TOO_LONG
          ? envelope.error
          : parseError(`json: cannot unmarshal array into Go value of type ${REQUEST_TYPE}`),
      );
    requests.push(envelope.request);
  }
  const answers: string[] = [];
  const { cometBatchResponseBytes: maximum } = limits;
  const tooLarge = rpcErrorOf({ code: 'limit-exceeded', limit: 'cometBatchResponseBytes', maximum });
  let cacheable = true;
  let [characters, inTurn] = [0, 0];
  for (const request of requests) {
    if (request.id === undefined) continue;
    if (inTurn > limits.cometBytesPerTurn) {
      await turn();
      inTurn = 0;
    }
    const result =
      characters > maximum ? ({ ok: false, error: tooLarge } as const) : await call(request.method, request.rawParams);
    cacheable &&= result.ok && result.cacheable;
    const text = answerText(request.id, result);
    answers.push(text);
    characters += text.length;
    inTurn += text.length;
  }
  const [only] = answers;
  return {
    status: 200,
    body: answers.length === 1 && only !== undefined ? only : answers.length === 0 ? '' : `[${answers.join(',')}]`,
    cacheable: cacheable && answers.length > 0,
  };
}
