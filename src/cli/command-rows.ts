import type { DescMethodUnary } from '@bufbuild/protobuf';
import type { CommandBody, CommandRow, OptionRow, OptionSet } from './command-table.js';
import { evmUnary, type QueryInput, type Request, unary } from './unary.js';

/** Parts that not every command has. */
type More = Pick<CommandRow, 'aliases' | 'options' | 'output'>;

const ASKS: readonly OptionSet[] = ['output', 'node', 'height', 'keyring'];
const SENDS: readonly OptionSet[] = ['tx', 'output', 'node', 'keyring'];

const SIGNER: OptionRow = { flag: '--from <key>', doc: 'key that signs, by name or address', required: true };

/** Options of a command that proposes a message (cosmos-sdk v0.53 `x/gov/client/cli/util.go`). */
export const PROPOSAL: readonly OptionRow[] = [
  SIGNER,
  { flag: '--title <text>', doc: 'title of the proposal' },
  { flag: '--summary <text>', doc: 'summary of the proposal' },
  { flag: '--deposit <coins>', doc: 'first deposit of the proposal' },
  { flag: '--metadata <text>', doc: 'metadata of the proposal' },
  { flag: '--no-proposal', doc: 'send the message itself; the signer is the authority' },
];

/** A command with its words and arguments as a user types them: `keys rename <old> <new>`. */
export function command(
  line: string,
  doc: string,
  sets: readonly OptionSet[],
  run: CommandBody,
  more: More = {},
): CommandRow {
  const [, path = line, args] = /^(.*?) ([<[].*)$/.exec(line) ?? [];
  return { path, ...(args === undefined ? {} : { args }), doc, sets, run, ...more };
}

/** A command below `query`, whose word the line leaves out. */
export function ask(line: string, doc: string, run: CommandBody, more?: More): CommandRow {
  return command(`query ${line}`, doc, ASKS, run, more);
}

/** A command below `query` whose answer comes in pages. */
export function askPages(line: string, doc: string, run: CommandBody, more?: More): CommandRow {
  return command(`query ${line}`, doc, [...ASKS, 'page'], run, more);
}

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

/** A command below `tx`, whose word the line leaves out: its answer is JSON. */
export function send(line: string, doc: string, run: CommandBody, more?: More): CommandRow {
  return command(`tx ${line}`, doc, SENDS, run, { output: 'json', ...more });
}

/** A command below `tx` that needs `--from`. */
export function signed(line: string, doc: string, run: CommandBody, more?: More): CommandRow {
  return send(line, doc, run, { ...more, options: [SIGNER, ...(more?.options ?? [])] });
}

/** A command below `tx` that proposes a message of a module to governance. */
export function propose(line: string, doc: string, run: CommandBody, more?: More): CommandRow {
  return send(line, doc, run, { ...more, options: [...PROPOSAL, ...(more?.options ?? [])] });
}
