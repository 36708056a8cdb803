import type { Command, Help, HelpConfiguration } from 'commander';

/** Widest column of names in lists of commands, and beside options, whose environment variables are long. */
const COMMANDS = 30;
const OPTIONS = 24;
const INDENT = '  ';
/** Two blanks before a name, and two behind it. */
const MARGINS = 4;
const LEAST_DESCRIPTION = 20;

/**
 * Help texts that a terminal of 80 columns shows whole: clap, the parser of anvil, moves descriptions of long names
 * to lines of their own, too (`clap_builder/src/output/help_template.rs`). The words `[options]` are left out of
 * lists of commands, because all commands have some.
 */
export const HELP_LAYOUT: HelpConfiguration = {
  padWidth: (command, help) => Math.min(hasOptions(command) ? OPTIONS : COMMANDS, longestName(command, help)),
  minWidthToWrap: LEAST_DESCRIPTION,
  subcommandTerm: (command) => [command.name(), ...command.aliases().slice(0, 1)].join('|') + argumentsOf(command),
  formatItem: (name, width, description, help) => item(name, width, description, help),
};

function hasOptions(command: Command): boolean {
  return command.options.some(({ long }) => long !== '--version');
}

function longestName(command: Command, help: Help): number {
  return Math.max(
    help.longestOptionTermLength(command, help),
    help.longestSubcommandTermLength(command, help),
    help.longestArgumentTermLength(command, help),
  );
}

function argumentsOf(command: Command): string {
  return command.registeredArguments
    .map((argument) => {
      const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
      return argument.required ? ` <${word}>` : ` [${word}]`;
    })
    .join('');
}

function item(name: string, width: number, description: string, help: Help): string {
  const line = help.helpWidth ?? 80;
  const column = INDENT + ' '.repeat(width) + INDENT;
  const room = Math.max(line - width - MARGINS, LEAST_DESCRIPTION);
  const words = help.boxWrap(description, room).replaceAll('\n', `\n${column}`);
  if (name.length <= width) return `${INDENT}${name.padEnd(width)}${INDENT}${words}`.trimEnd();
  const names = help.boxWrap(name, line - INDENT.length).replaceAll('\n', `\n${INDENT}${INDENT}`);
  return `${INDENT}${names}\n${column}${words}`.trimEnd();
}
