/** The command line: a client of the consensus RPC, and the entry to the daemon's commands. */
export { type Cli, createCli } from './cli.js';
export type { CliPorts } from './context.js';
export { CommandError, EXIT, type ExitCode } from './exit-codes.js';
