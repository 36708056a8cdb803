import type { Command } from 'commander';
import { CommandError, EXIT } from './exit-codes.js';

/** Modules of other Cosmos chains that this build does not have, under their names on the command line. */
const TRANSACTIONS: readonly string[] = ['ibc'];
const TOOLS: readonly string[] = ['snapshots', 'testnet', 'index-eth-tx'];

/**
 * Adds the commands of missing modules: each prints that it is not available and ends with its own exit code, whatever
 * follows it.
 */
export function addNotAvailable(program: Command): void {
  const parent = (name: string): Command => program.commands.find((command) => command.name() === name) ?? program;
  for (const [at, names] of [
    [parent('tx'), TRANSACTIONS],
    [program, TOOLS],
  ] as const) {
    for (const name of names) add(at, name);
  }
}

function add(parent: Command, name: string): void {
  const path = parent.parent === null ? name : `${parent.name()} ${name}`;
  parent
    .command(name)
    .description('not available yet')
    .argument('[words...]')
    .allowUnknownOption()
    .allowExcessArguments()
    .helpGroup('Not available yet:')
    .action(() => {
      throw new CommandError(EXIT.notAvailable, `${path}: not available yet`);
    });
}
