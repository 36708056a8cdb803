/** Rows of commands that call one method of the application. They load its codecs; `command-rows.ts` loads none. */
import { type DescMethodUnary, type MessageInitShape } from '@bufbuild/protobuf';
import { argumentNames, readArguments } from '../values/argument-fields.js';
import { ask, askPages, type More } from './command-rows.js';
import type { CommandRow } from './command-table.js';
import { evmUnary, type QueryInput, type Request, unary } from './unary.js';

/** Parts that not every row has. */
interface Parts<Method extends DescMethodUnary> extends More {
  /** Makes the request where its fields are not the arguments in their order. */
  readonly request?: Request<Method>;
}

/** Makes a row of a method of the application; the arguments are the first fields of its request. */
type QueryRow = <Method extends DescMethodUnary>(
  line: string,
  doc: string,
  method: Method,
  parts?: Parts<Method>,
) => CommandRow;

/** A command below `query` that calls one method, and prints its answer as the SDK's generated commands do. */
export const query: QueryRow = (line, doc, method, { request = fieldsOf(line, method), ...more } = {}) =>
  ask(line, doc, unary(method, request), more);

/** `query` for an answer in pages, of which the paging flags name one. */
export const paged: QueryRow = (line, doc, method, { request = fieldsOf(line, method, pageOf), ...more } = {}) =>
  askPages(line, doc, unary(method, request), more);

/** `query` for the modules of the EVM and of IBC, whose commands print every field on one line. */
export const evmQuery: QueryRow = (line, doc, method, { request = fieldsOf(line, method), ...more } = {}) =>
  ask(line, doc, evmUnary(method, request), more);

/** `evmQuery` for an answer in pages, of which the paging flags name one. */
export const evmPaged: QueryRow = (line, doc, method, { request = fieldsOf(line, method, pageOf), ...more } = {}) =>
  askPages(line, doc, evmUnary(method, request), more);

/** `evmPaged` whose page without flags is the first one; its total is counted on request only. */
export const evmFirstPage: QueryRow = (
  line,
  doc,
  method,
  { request = fieldsOf(line, method, firstPage), ...more } = {},
) => askPages(line, doc, evmUnary(method, request), more);

/** Makes the request of a method from the arguments of a line, and a page. */
export function fieldsOf<Method extends DescMethodUnary>(
  line: string,
  { input: schema }: Method,
  page: (input: QueryInput) => object = () => ({}),
): Request<Method> {
  const names = argumentNames(line);
  return async (input) => {
    const fields: object = { ...(await readArguments(schema, names, input)), ...page(input) };
    // the descriptor of the request has named these fields and their types
    return fields as MessageInitShape<Method['input']>;
  };
}

const pageOf = ({ pagination }: QueryInput): object => pagination;

const DEFAULT_LIMIT = 100n;
const firstPage = ({ pagination }: QueryInput): object => ({
  pagination: { limit: DEFAULT_LIMIT, ...pagination.pagination },
});
