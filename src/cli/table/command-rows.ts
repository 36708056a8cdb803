import type { CommandBody, CommandRow, OptionRow, OptionSet } from './command-table.js';

/** Parts that not every command has. */
export type More = Pick<CommandRow, 'aliases' | 'options' | 'output'>;

const ASKS: readonly OptionSet[] = ['output', 'node', 'height', 'keyring'];
const SENDS: readonly OptionSet[] = ['tx', 'output', 'node', 'keyring'];

const SIGNER: OptionRow = { flag: '--from <key>', doc: 'key that signs, by name or address', required: true };

/** The option of commands that read a home. */
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

/** A command below `keys`, whose word the line leaves out. */
export function keyCommand(line: string, doc: string, run: CommandBody, more?: More): CommandRow {
  return command(`keys ${line}`, doc, ['prefix', 'output', 'keyring'], run, more);
}

/** A command below `query`, whose word the line leaves out. */
export function ask(line: string, doc: string, run: CommandBody, more?: More): CommandRow {
  return command(`query ${line}`, doc, ASKS, run, more);
}

/** A command below `query` whose answer comes in pages. */
export function askPages(line: string, doc: string, run: CommandBody, more?: More): CommandRow {
  return command(`query ${line}`, doc, [...ASKS, 'page'], run, more);
}

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
