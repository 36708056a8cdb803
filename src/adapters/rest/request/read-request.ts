/** Converts path, query and body of a request to the encoded request message. */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { hasMoreJsonParts } from '../../../core/text/json-parts.js';
import type { Limits } from '../../../core/limits/limits.js';
import type { Refusal } from '../../services/index.js';
import { badRequest } from '../errors.js';
import type { Match } from '../routes/routes.js';
import { appendTexts, fieldNamed, findField, readParameter } from './fields.js';
import type { AppendJson } from './from-json.js';
import { parseJson } from '../../../core/text/json-text.js';

export type Read = { readonly ok: true; readonly message: Uint8Array } | Refusal;

/** Query values by name. */
export type Query = ReadonlyMap<string, readonly string[]>;

const NO_QUERY: Query = new Map();

/** Parses a query; undefined for a broken escape. */
export function parseQuery(text: string): Query | undefined {
  if (text === '') return NO_QUERY;
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return undefined;
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const known = values.get(name);
    if (known === undefined) values.set(name, [value]);
    else known.push(value);
  }
  return values;
}

/**
 * Encodes a request. Body, path and query are appended in this order, so later ones override earlier ones, as in
 * grpc-gateway; the query is ignored if the body is the whole message. Errors have grpc-gateway's texts.
 */
export function readRequest(
  match: Match,
  query: Query,
  body: Uint8Array,
  appendJson: AppendJson,
  limits: Pick<Limits, 'jsonParts'>,
): Read {
  const { binding, method, parameters } = match.route;
  const { input } = method.desc;
  const writer = new BinaryWriter();
  if (binding.body !== '') {
    const problem = appendBody(writer, match, body, appendJson, limits);
    if (problem !== undefined) return badRequest(problem);
  }
  for (const parameter of parameters) {
    const problem = appendTexts(writer, parameter.path, [match.text(parameter)]);
    if (problem !== undefined) return badRequest(`type mismatch, parameter: ${parameter.name}, error: ${problem}`);
  }
  if (binding.body !== '*') {
    for (const [parameter, values] of query) {
      const [name, texts] = readParameter(parameter, values);
      const found = findField(input, name);
      if (found === undefined || parameters.some(({ path }) => path.field === found.field)) continue;
      const problem = appendTexts(writer, found, texts);
      if (problem !== undefined) return badRequest(problem);
    }
  }
  return { ok: true, message: writer.finish() };
}

/** Appends the body; an empty body is an empty message. */
function appendBody(
  writer: BinaryWriter,
  { route: { binding, method } }: Match,
  body: Uint8Array,
  appendJson: AppendJson,
  { jsonParts }: Pick<Limits, 'jsonParts'>,
): string | undefined {
  if (body.length === 0) return undefined;
  const text = new TextDecoder().decode(body);
  if (hasMoreJsonParts(text, jsonParts)) return `more than ${jsonParts} objects, lists and members (limit jsonParts)`;
  let json: unknown;
  try {
    json = parseJson(text);
  } catch (error) {
    return syntaxProblem(error);
  }
  const { input } = method.desc;
  if (binding.body === '*') return appendJson(writer, input, json);
  const field = fieldNamed(input, binding.body);
  if (field?.message === undefined) return undefined;
  writer.tag(field.number, WireType.LengthDelimited).fork();
  const problem = appendJson(writer, field.message, json);
  writer.join();
  return problem;
}

/** The error for invalid JSON, similar to Go's text, because V8's text differs between versions of Node. */
function syntaxProblem(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  if (/end of JSON|Unterminated/.test(text)) return 'unexpected EOF';
  const [, token] = /^Unexpected token '?(.)/.exec(text) ?? [];
  return token === undefined ? 'invalid JSON in the request body' : `invalid character '${token}' in the request body`;
}
