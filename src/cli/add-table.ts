import { type Command, Option } from 'commander';
import type { CommandRow, CommandTable, OptionRow, OptionSet } from './command-table.js';
import { valuesOfClientFile } from './client-file.js';
import { commandContext } from './command-context.js';
import type { CliPorts } from './context.js';
import { Flags } from './flags.js';
import { optionSet } from './option-sets.js';
import { takeEverywhere } from './peer-flags.js';
import { addressesByPortBase } from './port-base.js';

const SET_TITLES: Readonly<Record<OptionSet, string>> = {
  output: 'Output:',
  node: 'Node:',
  height: 'Node:',
  eth: 'Node:',
  page: 'Page:',
  keyring: 'Keyring:',
  tx: 'Transaction:',
};

/**
 * Adds the commands of a table to the program, each below the words of its path. The bodies of the commands are loaded
 * when they run.
 */
export function addTable(program: Command, ports: CliPorts, table: CommandTable): void {
  const groups = new Map<string, Command>([['', program]]);
  for (const { path, doc, aliases = [] } of table.groups)
    groups.set(
      path,
      childOf(groups, program, path)
        .description(doc)
        .aliases([...aliases]),
    );
  for (const row of table.commands) addRow(childOf(groups, program, row.path), row, ports);
  // a group without commands shows what it is
  for (const group of groups.values())
    if (group !== program && group.commands.length === 0) group.action(() => group.help());
}

/** The command at a path: the existing one, or a new one below its parent. */
function childOf(groups: ReadonlyMap<string, Command>, program: Command, path: string): Command {
  const words = path.split(' ');
  const word = words.at(-1) ?? '';
  const parent = words
    .slice(0, -1)
    .reduce<Command>(
      (at, one) => at.commands.find((command) => command.name() === one) ?? at,
      groups.get('') ?? program,
    );
  return parent.commands.find((command) => command.name() === word) ?? parent.command(word);
}

function addRow(command: Command, row: CommandRow, ports: CliPorts): void {
  command
    .description(row.doc)
    .aliases([...(row.aliases ?? [])])
    .allowExcessArguments(false);
  if (row.args !== undefined) command.arguments(row.args);
  for (const option of row.options ?? []) command.addOption(optionOf(option));
  const taken = new Set(command.options.flatMap(({ short, long }) => [short, long]));
  for (const set of row.sets) {
    for (const option of optionSet(set, ports.env, row.output ?? 'text')) {
      const made = optionOf(option).helpGroup(SET_TITLES[set]);
      // A command's own option replaces the shared option of the same name, which may be in two sets.
      if (taken.has(made.long)) continue;
      taken.add(made.long);
      if (made.short !== undefined && taken.has(made.short))
        command.addOption(optionOf({ ...option, flag: option.flag.replace(/^\S+, /, '') }).helpGroup(SET_TITLES[set]));
      else command.addOption(made);
    }
  }
  const asksEthereumOnly = row.sets.includes('eth') && !row.sets.includes('node');
  takeEverywhere(command, asksEthereumOnly ? ['--node'] : []);
  command.action(async function (this: Command) {
    const flags = flagsOf(this, ports);
    const body = await row.load();
    await body(commandContext(ports, flags), this.args, flags);
  });
}

/** The flags of a command: those that were given, those of client.toml, and the defaults. */
function flagsOf(command: Command, ports: CliPorts): Flags {
  const valueOf = (option: Option): unknown => command.getOptionValue(option.attributeName());
  const isTyped = (option: Option): boolean => command.getOptionValueSource(option.attributeName()) === 'cli';
  const typed = new Set(command.options.filter(isTyped).map((option) => option.name()));
  const home: unknown = command.getOptionValue('home');
  const open = command.options
    .filter((option) => !isTyped(option))
    .map((option) => ({ name: option.name(), choices: option.argChoices }));
  const filed = valuesOfClientFile(ports, typeof home === 'string' ? home : undefined, open);
  const placed = addressesByPortBase(typedText(command, 'portBase'), ports.env);
  const values = command.options.map((option): [string, unknown] => {
    const name = option.name();
    const byBase = typed.has(name) ? undefined : placed.get(name);
    const value = byBase ?? filed.get(name) ?? valueOf(option);
    return [name, option.negate ? value === false : value];
  });
  return new Flags(Object.fromEntries(values), typed);
}

function typedText(command: Command, attribute: string): string | undefined {
  const value: unknown = command.getOptionValue(attribute);
  return typeof value === 'string' ? value : undefined;
}

function optionOf({ flag, doc, default: fallback, choices, required }: OptionRow): Option {
  const option = new Option(flag, doc);
  if (choices !== undefined) option.choices(choices);
  if (fallback !== undefined) option.default(fallback, fallback === '' ? undefined : fallback);
  return required === true ? option.makeOptionMandatory() : option;
}
