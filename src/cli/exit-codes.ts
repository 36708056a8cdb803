/** Exit codes of the command line; `docs/OPERATING.md` has a table of them. */
export const EXIT = {
  ok: 0,
  other: 1,
  usage: 2,
  config: 3,
  portInUse: 4,
  homeLocked: 5,
  logCorrupt: 6,
  haltedForUpgrade: 7,
  unreachable: 8,
  rejected: 9,
  notFound: 10,
  notAvailable: 11,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

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
