/** Rows of commands that call one method of the application. They load its codecs; `command-rows.ts` loads none. */
import type { DescMethodUnary } from '@bufbuild/protobuf';
import { ask, askPages, type More } from './command-rows.js';
import type { CommandRow } from './command-table.js';
import { evmUnary, type QueryInput, type Request, unary } from './unary.js';

/** Makes a row of a method of the application; its request is empty unless `request` makes it. */
type QueryRow = <Method extends DescMethodUnary>(
  line: string,
  doc: string,
  method: Method,
  request?: Request<Method>,
  more?: More,
) => CommandRow;

/** The request of a query without arguments but for its page. */
export const page = ({ pagination }: Pick<QueryInput, 'pagination'>): QueryInput['pagination'] => pagination;

/** A command below `query` that calls one method, and prints its answer as the SDK's generated commands do. */
export const query: QueryRow = (line, doc, method, request, more) => ask(line, doc, unary(method, request), more);

/** `query` for an answer in pages. */
export const paged: QueryRow = (line, doc, method, request, more) => askPages(line, doc, unary(method, request), more);

/** `query` for the modules of the EVM and of IBC, whose commands print every field on one line. */
export const evmQuery: QueryRow = (line, doc, method, request, more) => ask(line, doc, evmUnary(method, request), more);

/** `evmQuery` for an answer in pages. */
export const evmPaged: QueryRow = (line, doc, method, request, more) =>
  askPages(line, doc, evmUnary(method, request), more);
