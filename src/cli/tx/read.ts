import type { Tx } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import type { OptionRow } from '../table/command-table.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { parseTransaction } from '../values/tx-json.js';

/** Reads a file, or standard input for `-`. */
export async function readText({ ports }: CommandContext, path: string): Promise<string> {
  if (path === '-') return ports.files.readInput();
  const text = ports.files.read(path);
  if (text === undefined) throw new CommandError(EXIT.notFound, `cannot read ${path}`);
  return text;
}

/** Reads a transaction in JSON from a file. */
export async function readTransaction(context: CommandContext, path: string): Promise<Tx> {
  return parseTransaction(await readText(context, path), path);
}

/** Reads transactions from a file, one per line. */
export async function readTransactions(context: CommandContext, path: string): Promise<readonly Tx[]> {
  return (await readText(context, path))
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => parseTransaction(line, `${path}:${index + 1}`));
}

/** The option that `writeLines` reads. */
export const OUTPUT_DOCUMENT: OptionRow = {
  flag: '--output-document <file>',
  doc: 'write to a file in place of standard output',
};

/** Prints lines, or writes them to `--output-document`. */
export function writeLines({ ports }: CommandContext, flags: Flags, lines: readonly string[]): void {
  const text = lines.map((line) => `${line}\n`).join('');
  const path = flags.text('output-document');
  if (path === undefined) ports.stdout(text);
  else ports.files.write(path, text);
}
