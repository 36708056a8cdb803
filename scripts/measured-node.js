/** Runs the built command in its own process and measures the cost of each step. Linux only. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { residentParts } from './memory-parts.js';

const MAIN = process.env['CHRONICLED_BENCH_MAIN'] ?? fileURLToPath(new URL('../dist/node/main.js', import.meta.url));
const HOLDS = new URL('loop-holds.js', import.meta.url).href;
const MIB = 2 ** 20;

/**
 * Starts `dev` on a home with manual mining; `CHRONICLED_BENCH_EXEC_ARGV` has flags of Node.js. Pending promises of
 * the node are rejected when the process exits. @param {string} home @param {readonly string[]} [flags] of the
 * command
 */
export async function startMeasured(home, flags = []) {
  const ready = `${home}.ready`;
  rmSync(ready, { force: true });
  const own = ['dev', '--home', home, '--mining', 'manual', '--port-base', '0', '--ready-file', ready, '--quiet'];
  const child = fork(MAIN, [...own, ...flags], {
    execArgv: ['--import', HOLDS, ...(process.env['CHRONICLED_BENCH_EXEC_ARGV']?.split(' ') ?? [])],
  });
  const exited = once(child, 'exit');
  const endToo = () => child.kill('SIGKILL');
  process.once('exit', endToo);
  exited.then(() => process.off('exit', endToo));
  const died = exited.then(([code, signal]) => {
    throw new Error(`the node ended with ${signal ?? code}`);
  });
  died.catch(() => undefined);
  const alive = (work) => Promise.race([work, died]);
  while (!existsSync(ready)) await alive(delay(10));
  const { endpoints } = JSON.parse(readFileSync(ready, 'utf8'));

  /** @param {string} url @param {string} method @param {unknown} params */
  async function call(url, method, params) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await alive(fetch(url, { method: 'POST', body, headers }));
    const { result, error } = await alive(response.json());
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  let before = { cpu: 0 };
  return {
    endpoints,
    alive,
    ethereum: (method, ...params) => call(endpoints.eth_http, method, params),
    comet: (method, params) => call(endpoints.comet, method, params),
    /** Ends the process. @param {'SIGKILL' | 'SIGTERM'} signal */
    async end(signal) {
      child.kill(signal);
      await exited;
    },
    /**
     * Cost of a step: elapsed milliseconds, CPU milliseconds of all threads since the last step, longest hold of the
     * main thread in milliseconds, and memory in MiB. @param {() => Promise<unknown>} work
     */
    async step(work) {
      const begun = performance.now();
      const told = await work();
      const taken = performance.now() - begun;
      const answered = once(child, 'message');
      child.send('usage');
      const [now] = await alive(answered);
      const cpu = now.cpu - before.cpu;
      before = now;
      return { ...now, told, taken, cpu, tables: residentParts(child.pid).tables / MIB };
    },
  };
}
