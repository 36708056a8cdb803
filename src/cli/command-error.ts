import type { ExitCode } from '../config/exit-codes.js';

/** Ends a command with an exit code and a message for standard error. Only the program's `run` catches it. */
export class CommandError extends Error {
  constructor(
    readonly exitCode: ExitCode,
    message: string,
  ) {
    super(message);
  }
}

/** The application refused a query or a simulation; the message is its log. */
export class RefusedByApplication extends CommandError {}
