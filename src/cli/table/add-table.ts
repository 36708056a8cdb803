import { type Command, Option } from 'commander';
import type { CommandRow, OptionRow, OptionSet, Topic } from './command-table.js';
import { valuesOfClientFile } from './client-file.js';
import { commandContext } from './command-context.js';
import type { CliPorts } from '../context.js';
import { Flags } from './flags.js';
import { optionSet } from './option-sets.js';
import { acceptEverywhere } from '../line/peer-flags.js';
import { addressesByPortBase } from './port-base.js';

const SET_TITLES: Readonly<Record<OptionSet, string>> = {
  prefix: 'Options:',
  output: 'Output:',
  node: 'Node:',
  height: 'Node:',
  eth: 'Node:',
  page: 'Page:',
  keyring: 'Keyring:',
  tx: 'Transaction:',
};

/** Adds the topics to the program, each below its parent. */
export function addTopics(program: Command, topics: readonly Topic[]): void {
  for (const { path, doc, aliases } of topics)
    childOf(program, path)
      .description(doc)
      .aliases([...aliases]);
}

/** Adds commands to the program, each below the topic of its path. Throws when two have the same path. */
export function addCommands(program: Command, ports: CliPorts, commands: readonly CommandRow[]): void {
  for (const row of commands) addRow(newChild(program, row.path), row, ports);
}

/** Lets a topic without commands show its help. */
export function helpOfEmptyTopics(program: Command, topics: readonly Topic[]): void {
  for (const { path } of topics) {
    const group = childOf(program, path);
    if (group.commands.length === 0) group.action(() => group.help());
  }
}

/** The command at a path: the existing one, or a new one below its parent. */
export function childOf(program: Command, path: string): Command {
  return path
    .split(' ')
    .reduce((at, word) => at.commands.find((command) => command.name() === word) ?? at.command(word), program);
}

/** A new command at a path, below its parent; commander throws when the parent has a command of this name. */
function newChild(program: Command, path: string): Command {
  const end = path.lastIndexOf(' ');
  return (end < 0 ? program : childOf(program, path.slice(0, end))).command(path.slice(end + 1));
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
      // A command's own option replaces a shared option of the same name; two sets may also share an option.
      if (taken.has(made.long)) continue;
      taken.add(made.long);
      if (made.short !== undefined && taken.has(made.short))
        command.addOption(optionOf({ ...option, flag: option.flag.replace(/^\S+, /, '') }).helpGroup(SET_TITLES[set]));
      else command.addOption(made);
    }
  }
  const asksEthereumOnly = row.sets.includes('eth') && !row.sets.includes('node');
  acceptEverywhere(command, asksEthereumOnly ? ['--node'] : []);
  command.action(async function (this: Command) {
    const flags = flagsOf(this, ports);
    await row.run(commandContext(ports, flags), this.args, flags);
  });
}

/** The flags of a command: typed ones, then client.toml, then defaults. */
function flagsOf(command: Command, ports: CliPorts): Flags {
  const valueOf = (option: Option): unknown => command.getOptionValue(option.attributeName());
  const isTyped = (option: Option): boolean => command.getOptionValueSource(option.attributeName()) === 'cli';
  const typed = new Set(command.options.filter(isTyped).map((option) => option.name()));
  const textOf = (attribute: string): string | undefined => {
    const value: unknown = command.getOptionValue(attribute);
    return typeof value === 'string' ? value : undefined;
  };
  const open = command.options
    .filter((option) => !isTyped(option))
    .map((option) => ({ name: option.name(), choices: option.argChoices }));
  const filed = valuesOfClientFile(ports, textOf('home'), open);
  const placed = addressesByPortBase(textOf('portBase'), ports.env);
  const values = command.options.map((option): [string, unknown] => {
    const name = option.name();
    const byBase = typed.has(name) ? undefined : placed.get(name);
    const value = byBase ?? filed.get(name) ?? valueOf(option);
    return [name, option.negate ? value === false : value];
  });
  return new Flags(Object.fromEntries(values), typed);
}

/** Converts an option row to a commander option. */
export function optionOf({ flag, doc, default: fallback, choices, required }: OptionRow): Option {
  const option = new Option(flag, doc);
  if (choices !== undefined) option.choices(choices);
  if (fallback !== undefined) option.default(fallback, fallback === '' ? undefined : fallback);
  return required === true ? option.makeOptionMandatory() : option;
}
