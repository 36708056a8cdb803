import type { ExitCode } from '../config/exit-codes.js';

/** Ends a command with a message for standard error. Caught in one place, the program's `run`. */
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
