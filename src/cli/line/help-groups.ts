import type { Command } from 'commander';

const TOOLS = 'Keys, files and tools:';

/** Headings of the first help text, with the commands below each. */
const GROUPS: readonly (readonly [heading: string, commands: readonly string[]])[] = [
  ['Run a node:', ['dev', 'start', 'abci', 'init']],
  [
    'The chain of a home:',
    ['reset', 'rollback', 'backup', 'prune', 'export', 'snapshots', 'log', 'state', 'upgrade', 'pre-upgrade'],
  ],
  ['Ask a node and send transactions:', ['query', 'tx', 'status', 'trace', 'open', 'faucet']],
  [TOOLS, ['keys', 'config', 'genesis', 'comet', 'debug', 'completion', 'version']],
];

const FIRST_STEPS = `
First steps, in two terminals:
  chronicled
  chronicled faucet 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 5chr
  chronicled tx bank send dev0 dev1 1.5chr -y -b block
  chronicled query bank balances dev1

Every command has --help.
`;

/** Puts the commands of the program under headings, and shows a newcomer the first steps below them. */
export function groupCommands(program: Command): void {
  for (const [heading, names] of GROUPS)
    for (const command of program.commands) if (names.includes(command.name())) command.helpGroup(heading);
  program.commandsGroup(TOOLS).helpCommand(true);
  program.addHelpText('after', FIRST_STEPS);
}
