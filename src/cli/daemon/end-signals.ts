import { constants } from 'node:os';

/** Signals by which users and supervisors stop a process. */
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type EndSignal = (typeof END_SIGNALS)[number];

/** Exit code base for signals: 128 plus the signal number, as in shells and Node.js. */
export const SIGNALLED = 128;

/** Calls `heard` with each termination signal; returns the function that removes the handler. */
export function onEndSignals(heard: (signal: EndSignal) => void): () => void {
  for (const signal of END_SIGNALS) process.on(signal, heard);
  return () => {
    for (const signal of END_SIGNALS) process.off(signal, heard);
  };
}

/** Runs a command and exits normally on a termination signal, so that exit handlers remove temporary folders. */
export async function exitingOnSignals<Value>(run: () => Promise<Value>): Promise<Value> {
  const ignore = onEndSignals((signal) => process.exit(SIGNALLED + constants.signals[signal]));
  try {
    return await run();
  } finally {
    ignore();
  }
}
