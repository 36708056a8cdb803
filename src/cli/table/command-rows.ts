import type { CommandBody, CommandRow, OptionRow, OptionSet } from './command-table.js';

/** Optional parts of a command row. */
export type More = Pick<CommandRow, 'aliases' | 'options' | 'output'>;

const ASKS: readonly OptionSet[] = ['output', 'node', 'height', 'keyring'];
const SENDS: readonly OptionSet[] = ['tx', 'output', 'node', 'keyring'];

const SIGNER: OptionRow = { flag: '--from <key>', doc: 'key that signs, by name or address', required: true };

/** The option of commands that use a home. */
export const HOME: OptionRow = { flag: '--home <dir>', doc: 'home directory' };

/** Options of a command that proposes a message (cosmos-sdk v0.53 `x/gov/client/cli/util.go`). */
const PROPOSAL: readonly OptionRow[] = [
  SIGNER,
  { flag: '--title <text>', doc: 'title of the proposal' },
  { flag: '--summary <text>', doc: 'summary of the proposal' },
  { flag: '--deposit <coins>', doc: 'first deposit of the proposal' },
  { flag: '--metadata <text>', doc: 'metadata of the proposal' },
  { flag: '--no-proposal', doc: 'send the message itself; the signer is the authority' },
];

/** Creates a command row. `line`: words and arguments as a user types them, such as `keys rename <old> <new>`. */
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

/** Creates a command below `keys`; `line` omits that word. */
export function keyCommand(line: string, doc: string, run: CommandBody, more?: More): CommandRow {
  return command(`keys ${line}`, doc, ['prefix', 'output', 'keyring'], run, more);
}

/** Creates a command below `query`; `line` omits that word. */
export function ask(line: string, doc: string, run: CommandBody, more?: More): CommandRow {
  return command(`query ${line}`, doc, ASKS, run, more);
}

/** Creates a command below `query` with paging flags. */
export function askPages(line: string, doc: string, run: CommandBody, more?: More): CommandRow {
  return command(`query ${line}`, doc, [...ASKS, 'page'], run, more);
}

/** Creates a command below `tx` with JSON output; `line` omits that word. */
export function send(line: string, doc: string, run: CommandBody, more?: More): CommandRow {
  return command(`tx ${line}`, doc, SENDS, run, { output: 'json', ...more });
}

/** Creates a command below `tx` that requires `--from`. */
export function signed(line: string, doc: string, run: CommandBody, more?: More): CommandRow {
  return send(line, doc, run, { ...more, options: [SIGNER, ...(more?.options ?? [])] });
}

/** Creates a command below `tx` that submits a message as a governance proposal. */
export function propose(line: string, doc: string, run: CommandBody, more?: More): CommandRow {
  return send(line, doc, run, { ...more, options: [...PROPOSAL, ...(more?.options ?? [])] });
}
