import type { Command } from 'commander';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';

/** Commands of Go nodes that this build does not have. */
const TOOLS: readonly string[] = ['testnet', 'index-eth-tx'];

/** Adds the missing commands: each fails with "not available yet" and its own exit code, whatever its arguments. */
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
