/** Rows of commands that call one method of the application. They load its codecs; `command-rows.ts` loads none. */
import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { ask, askPages, type More } from './command-rows.js';
import type { CommandRow } from './command-table.js';
import { evmUnary, type QueryInput, type Request, unary } from './unary.js';
import { wholeNumber } from './whole-number.js';

/** Reads the argument at a place as the value of a field. */
type Reader<Value> = (input: QueryInput, index: number) => Value | Promise<Value>;

/** The fields of a request in the order of the arguments. */
type Fields<Message extends DescMessage> = {
  readonly [Name in Exclude<keyof MessageShape<Message>, '$typeName' | '$unknown'>]?: Reader<
    MessageShape<Message>[Name]
  >;
};

/** Makes a row of a method of the application; its request is empty unless fields or a function make it. */
type QueryRow = <Method extends DescMethodUnary>(
  line: string,
  doc: string,
  method: Method,
  request?: Fields<Method['input']> | Request<Method>,
  more?: More,
) => CommandRow;

/** The argument as typed. */
export const text: Reader<string> = (input, index) => input.text(index);
/** The argument as an address of the chain: a key's name, bech32 or 0x. */
export const account: Reader<string> = (input, index) => input.address(index);
/** The argument as a 0x address: a key's name, bech32 or 0x. */
export const hexAccount: Reader<string> = (input, index) => input.hexAddress(index);
/** The argument as the address of a validator's operator: that, or its account in any form. */
export const operator: Reader<string> = (input, index) => input.operator(index);

/** The argument as a whole number; `what` names it in refusals. */
export function number(what: string): Reader<bigint> {
  return (input, index) => wholeNumber(input.text(index), what);
}

/** A command below `query` that calls one method, and prints its answer as the SDK's generated commands do. */
export const query: QueryRow = (line, doc, method, request = {}, more) =>
  ask(line, doc, unary(method, requestOf(request)), more);

/** `query` for an answer in pages; fields get that of the paging flags. */
export const paged: QueryRow = (line, doc, method, request = {}, more) =>
  askPages(line, doc, unary(method, withPage(request)), more);

/** `query` for the modules of the EVM and of IBC, whose commands print every field on one line. */
export const evmQuery: QueryRow = (line, doc, method, request = {}, more) =>
  ask(line, doc, evmUnary(method, requestOf(request)), more);

/** `evmQuery` for an answer in pages; fields get that of the paging flags. */
export const evmPaged: QueryRow = (line, doc, method, request = {}, more) =>
  askPages(line, doc, evmUnary(method, withPage(request)), more);

function requestOf<Method extends DescMethodUnary>(
  request: Fields<Method['input']> | Request<Method>,
): Request<Method> {
  if (typeof request === 'function') return request;
  return async (input) => {
    const values: Record<string, unknown> = {};
    for (const [index, [name, read]] of Object.entries<Reader<unknown> | undefined>(request).entries())
      values[name] = await read?.(input, index);
    // the type of each reader was that of its field
    return values as MessageInitShape<Method['input']>;
  };
}

function withPage<Method extends DescMethodUnary>(request: Fields<Method['input']> | Request<Method>): Request<Method> {
  if (typeof request === 'function') return request;
  const make = requestOf<Method>(request);
  return async (input) => ({ ...(await make(input)), ...input.pagination });
}
