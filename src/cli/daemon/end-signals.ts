import { constants } from 'node:os';

/** Signals with which users and supervisors end a command. */
const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type EndSignal = (typeof END_SIGNALS)[number];

/** Shells and Node.js add a signal's number to this for an exit code. */
export const SIGNALLED = 128;

/** Calls `heard` with each signal that would end the process; returns a function that ends this. */
export function onEndSignals(heard: (signal: EndSignal) => void): () => void {
  for (const signal of END_SIGNALS) process.on(signal, heard);
  return () => {
    for (const signal of END_SIGNALS) process.off(signal, heard);
  };
}

/** Runs a command whose temporary folders are removed when a signal ends it, because it ends by an exit then. */
export async function exitingOnSignals<Value>(run: () => Promise<Value>): Promise<Value> {
  const ignore = onEndSignals((signal) => process.exit(SIGNALLED + constants.signals[signal]));
  try {
    return await run();
  } finally {
    ignore();
  }
}
