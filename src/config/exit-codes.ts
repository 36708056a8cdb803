/** Exit codes of the command line; `docs/OPERATING.md` has a table of them. */
export const EXIT = {
  ok: 0,
  failed: 1,
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
