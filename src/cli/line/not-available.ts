import type { Command } from 'commander';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';

/** Tools of Go nodes that this build does not have, under their names on the command line. */
const TOOLS: readonly string[] = ['testnet', 'index-eth-tx'];

/**
 * Adds the commands of missing tools: each prints that it is not available and ends with its own exit code, whatever
 * follows it.
 */
export function addNotAvailable(program: Command): void {
  for (const name of TOOLS) add(program, name);
}

function add(program: Command, name: string): void {
  program
    .command(name)
    .description('not available yet')
    .argument('[words...]')
    .allowUnknownOption()
    .allowExcessArguments()
    .helpGroup('Not available yet:')
    .action(() => {
      throw new CommandError(EXIT.notAvailable, `${name}: not available yet`);
    });
}
