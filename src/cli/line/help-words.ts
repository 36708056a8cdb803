import type { Command } from 'commander';
import { nearest } from '../../core/text/nearest.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';

/**
 * Converts `help dev mine` to `dev mine --help` (cobra v1.10 `command.go` InitDefaultHelpCmd); returns any other
 * command line unchanged.
 */
export function withoutHelpWord(argv: readonly string[]): readonly string[] {
  const [first, ...topic] = argv;
  return first === 'help' ? [...topic, '--help'] : argv;
}

/** Throws a usage error for `help` with an unknown command, instead of showing the help of its group. */
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
