import { Worker } from 'node:worker_threads';

/**
 * Starts the executor's thread. It loads its modules while the main thread loads its own, so a daemon does this first.
 * Whoever uses the thread listens to it later; an error before that must not end the process.
 */
export function startExecutorThread(): Worker {
  const thread = new Worker(new URL('./executor.js', import.meta.url), { name: 'executor' });
  thread.on('error', () => undefined);
  return thread;
}
