import { Worker } from 'node:worker_threads';
import { workerEntry } from '../package-root.js';

/**
 * Most that short-lived objects of the thread may take, MB. V8 alone takes up to 48 and gives nothing back: measured over
 * 1,000 blocks, half of that saves 11 MB of resident memory and costs no time.
 */
const YOUNG_MB = 24;

/**
 * Starts the executor's thread. It loads its modules while the main thread loads its own, so a daemon does this first.
 * Whoever uses the thread listens to it later; an error before that must not end the process.
 */
export function startExecutorThread(): Worker {
  // Flags of the process are not the thread's: `--input-type`, loaders and the like are meant for somebody else's modules.
  const thread = new Worker(workerEntry('executor'), {
    name: 'executor',
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  thread.on('error', () => undefined);
  return thread;
}
