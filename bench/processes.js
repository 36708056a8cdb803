/** A suite in several processes: what V8 makes of the same code differs from one to the next by a tenth or more. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { middle } from './turns.js';

/**
 * The medians of the figures, and how far the quarters of the processes are from them.
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
