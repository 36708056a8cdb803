/**
 * Runs a suite in several processes: V8's optimised code differs between processes by a tenth or more of the time.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { middle } from './turns.js';

/**
 * Medians of the figures, and the spread between the quartiles of the processes.
 *
 * @param {string} suite
 * @param {number} count of processes, one after the other
 * @returns {Promise<import('./figures.js').Figure[]>}
 */
export async function inProcesses(suite, count) {
  const runs = [];
  for (let index = 0; index < count; index += 1) {
    const child = fork(fileURLToPath(new URL('run.js', import.meta.url)), ['--suite', suite], {
      execArgv: ['--expose-gc'],
    });
    const ended = once(child, 'exit');
    const [figures] = await Promise.race([once(child, 'message'), ended.then(() => [])]);
    await ended;
    if (figures === undefined) throw new Error(`a process of ${suite} failed`);
    runs.push(figures);
  }
  return runs[0].map((figure, at) => ({ ...figure, ...middle(runs.map((figures) => figures[at].value)) }));
}
