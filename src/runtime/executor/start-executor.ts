import { Worker } from 'node:worker_threads';
import { workerEntry } from '../host/package-root.js';

/**
 * Largest size of the young generation of the thread's heap, MB. V8 by default uses up to 48 and returns nothing: over
 * 1,000 blocks half of that saves 11 MB of resident memory and costs no time.
 */
const YOUNG_MB = 24;

/**
 * Starts the executor's thread. It loads its modules while the main thread loads its own, so a daemon starts it first.
 * Listeners are added later; an error before that must not end the process.
 */
export function startExecutorThread(): Worker {
  // Flags of the process are not passed to the thread: `--input-type`, loaders and similar flags are meant for other
  // modules.
  const thread = new Worker(workerEntry('executor'), {
    name: 'executor',
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  thread.on('error', () => undefined);
  return thread;
}
