import type { Command } from 'commander';
import { nearest } from '../../core/text/nearest.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';

/**
 * `help dev mine` as `dev mine --help`, which asks for the same (cobra v1.10 `command.go` InitDefaultHelpCmd); any
 * other command line as it is.
 */
export function withoutHelpWord(argv: readonly string[]): readonly string[] {
  const [first, ...topic] = argv;
  return first === 'help' ? [...topic, '--help'] : argv;
}

/** Throws a usage error for `help` with words that are no command, in place of the help of the group before them. */
export function refuseUnknownTopic(program: Command, [first, ...topic]: readonly string[]): void {
  if (first !== 'help') return;
  let command = program;
  for (const word of topic.filter((one) => !one.startsWith('-'))) {
    const child = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (child === undefined) throw unknownTopic(command, word);
    command = child;
  }
}

function unknownTopic(group: Command, word: string): CommandError {
  const hint = nearest(
    word,
    group.commands.map((one) => one.name()),
  );
  return new CommandError(
    EXIT.usage,
    `help: unknown command '${word}'${hint === undefined ? '' : `\n(Did you mean ${hint}?)`}`,
  );
}
