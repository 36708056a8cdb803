import type { Command } from 'commander';
import { argumentsOf, type CommandArguments } from '../../config/command-arguments.js';
import type { DaemonOptions } from '../../config/daemon-options.js';
import type { ConfigProblem } from '../../config/option-spec.js';
import { STREAM_OF } from '../../core/log-events.js';
import { valuesOfClientFile } from './client-file.js';
import type { CliPorts } from '../context.js';
import { type DaemonRow, MOMENT } from './daemon-rows.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';

const POSITIVE = /^[1-9][0-9]{0,17}$/;
const WHOLE_NUMBERS = ['from', 'to', 'limit', 'blocks'] as const;

/** The resolved options of a daemon command, and its own arguments. */
interface ResolvedCommand {
  readonly options: DaemonOptions;
  readonly args: CommandArguments;
}

/**
 * Resolves the options of a daemon command from the command line and the other configuration sources. Throws
 * CommandError for an invalid value.
 */
export async function resolveOptions(ports: CliPorts, row: DaemonRow, command: Command): Promise<ResolvedCommand> {
  const flags = new Map([...typedOptions(command), ...(row.fixed ?? [])]);
  takeWords(row, flags, command.args);
  if (row.name === 'init') await takeInit(ports, flags);
  // `prune` does not use the interval, so it may be omitted, as in the Go node.
  if (row.name === 'prune' && !flags.has('pruning-interval')) flags.set('pruning-interval', '10');
  checkTexts(flags);
  const result = ports.config.resolve(row.name, flags);
  if (!result.ok) throw configError(result.problem);
  const problem = await ports.config.check(result.options);
  if (problem !== undefined) throw configError(problem);
  return { options: result.options, args: argumentsOf(row.name, flags) };
}

/** Typed options and commander's defaults, by key. */
function typedOptions(command: Command): Map<string, string> {
  const typed = command.options.map((option): readonly [string, unknown] => [
    option.name(),
    command.getOptionValue(option.attributeName()),
  ]);
  return new Map(
    typed.filter(([, value]) => value !== undefined).map(([key, value]): [string, string] => [key, String(value)]),
  );
}

/** Stores the arguments under their option keys. The file `-` means standard input, the default. */
function takeWords({ name, args = [] }: DaemonRow, flags: Map<string, string>, words: readonly string[]): void {
  for (const [index, { word, key = word.slice(1, -1) }] of args.entries()) {
    const value = words[index];
    if (value === undefined || (word === '[file]' && value === '-')) continue;
    if (key === 'height' && !POSITIVE.test(value))
      throw new CommandError(EXIT.usage, `${JSON.stringify(value)} is not a height`);
    if (key === 'format' && !/^[0-9]{1,9}$/.test(value))
      throw new CommandError(EXIT.usage, `${JSON.stringify(value)} is not a format`);
    flags.set(key, value);
  }
  const file = flags.get('output');
  if (name !== 'snapshots dump' || file === undefined) return;
  // for other commands `--output` is a format
  flags.set('output-document', file);
  flags.delete('output');
}

/**
 * Adds the inputs of `init`: the chain id of client.toml, the denom of `--default-denom`, and the mnemonic for
 * `--recover`.
 */
async function takeInit(ports: CliPorts, flags: Map<string, string>): Promise<void> {
  if (!flags.has('chain-id'))
    for (const [key, value] of valuesOfClientFile(ports, flags.get('home'), [{ name: 'chain-id', choices: undefined }]))
      flags.set(key, value);
  const denom = flags.get('default-denom');
  if (denom !== undefined && !flags.has('denom')) flags.set('denom', denom);
  if (flags.has('recover')) flags.set('recover', await mnemonicOf(ports));
}

/** Validates moments, event types, hashes, heights and numbers. Throws CommandError. */
function checkTexts(flags: ReadonlyMap<string, string>): void {
  const refuse = (key: string, isGood: (value: string) => boolean, say: (shown: string) => string): void => {
    const value = flags.get(key);
    if (value !== undefined && !isGood(value)) throw new CommandError(EXIT.usage, say(JSON.stringify(value)));
  };
  for (const key of ['moment-a', 'moment-b', 'at'])
    refuse(
      key,
      (moment) => /^(latest|@?[0-9]{1,18})$/.test(moment),
      (shown) => `${shown} is no ${MOMENT}`,
    );
  const isUnknown = (type: string): boolean => !Object.hasOwn(STREAM_OF, type);
  const unknown = flags.get('type')?.split(',').find(isUnknown);
  if (unknown !== undefined)
    throw new CommandError(
      EXIT.usage,
      `--type: ${JSON.stringify(unknown)} is none of ${Object.keys(STREAM_OF).join(', ')}`,
    );
  refuse(
    'tx',
    (hash) => /^(0x)?[0-9a-fA-F]{64}$/.test(hash),
    (shown) => `--tx: ${shown} is not a hash of 32 bytes`,
  );
  refuse(
    'height',
    (height) => height === '-1' || POSITIVE.test(height),
    (shown) => `--height: ${shown} is not a height`,
  );
  for (const key of WHOLE_NUMBERS)
    refuse(
      key,
      (number) => /^[0-9]{1,15}$/.test(number),
      (shown) => `--${key}: ${shown} is not a whole number`,
    );
}

/** Reads the mnemonic of `init --recover`. Throws a usage error for an invalid one. */
async function mnemonicOf({ readLine }: CliPorts): Promise<string> {
  const words = (await readLine('Mnemonic of the validator: ', true))?.trim() ?? '';
  const { isMnemonic } = await import('../../core/keys/mnemonic.js');
  if (!isMnemonic(words))
    throw new CommandError(EXIT.usage, 'init --recover: not the words of a BIP-39 mnemonic with a correct checksum');
  return words;
}

function configError({ code, message }: ConfigProblem): CommandError {
  return new CommandError(EXIT.config, `${code}: ${message}`);
}
