/** Command rows that call one query method. This file imports codecs; `command-rows.ts` does not. */
import { type DescMethodUnary, type MessageInitShape } from '@bufbuild/protobuf';
import { argumentNames, readArguments } from '../values/argument-fields.js';
import { ask, askPages, type More } from './command-rows.js';
import type { CommandRow } from './command-table.js';
import { evmUnary, type QueryInput, type Request, unary } from './unary.js';

/** Optional parts of a row. */
interface Parts<Method extends DescMethodUnary> extends More {
  /** Creates the request; by default the arguments are its fields in order. */
  readonly request?: Request<Method>;
}

/** Creates a command row for a query method; the arguments are the first fields of its request. */
type QueryRow = <Method extends DescMethodUnary>(
  line: string,
  doc: string,
  method: Method,
  parts?: Parts<Method>,
) => CommandRow;

/** Creates a command below `query` that prints a method's answer as the SDK's autocli commands do. */
export const query: QueryRow = (line, doc, method, { request = fieldsOf(line, method), ...more } = {}) =>
  ask(line, doc, unary(method, request), more);

/** `query` with paging flags. */
export const paged: QueryRow = (line, doc, method, { request = fieldsOf(line, method, pageOf), ...more } = {}) =>
  askPages(line, doc, unary(method, request), more);

/** `query` for EVM and IBC modules, whose commands print every field (also empty ones) on one line. */
export const evmQuery: QueryRow = (line, doc, method, { request = fieldsOf(line, method), ...more } = {}) =>
  ask(line, doc, evmUnary(method, request), more);

/** `evmQuery` with paging flags. */
export const evmPaged: QueryRow = (line, doc, method, { request = fieldsOf(line, method, pageOf), ...more } = {}) =>
  askPages(line, doc, evmUnary(method, request), more);

/** `evmPaged` that requests the first page if there are no paging flags; the total is counted only on request. */
export const evmFirstPage: QueryRow = (
  line,
  doc,
  method,
  { request = fieldsOf(line, method, firstPage), ...more } = {},
) => askPages(line, doc, evmUnary(method, request), more);

/** Creates a function that builds a method's request from the arguments of `line` and a page. */
export function fieldsOf<Method extends DescMethodUnary>(
  line: string,
  { input: schema }: Method,
  page: (input: QueryInput) => object = () => ({}),
): Request<Method> {
  const names = argumentNames(line);
  return async (input) => {
    const fields: object = { ...(await readArguments(schema, names, input)), ...page(input) };
    // the request's descriptor determined these fields and types
    return fields as MessageInitShape<Method['input']>;
  };
}

const pageOf = ({ pagination }: QueryInput): object => pagination;

const DEFAULT_LIMIT = 100n;
const firstPage = ({ pagination }: QueryInput): object => ({
  pagination: { limit: DEFAULT_LIMIT, ...pagination.pagination },
});
