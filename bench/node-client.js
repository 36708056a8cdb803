import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Starts bench/node-process.js and speaks its IPC. A given home is kept. @param {'manual' | 'instant'} mining
 * @param {string} [home] @param {string} [tree] the worktree of another build
 */
export async function startNodeProcess(mining, home, tree) {
  const extra = process.env['CHRONICLED_BENCH_EXEC_ARGV']?.split(' ') ?? [];
  const spawnedAt = performance.timeOrigin + performance.now();
  const child = fork(
    tree === undefined
      ? fileURLToPath(new URL('node-process.js', import.meta.url))
      : join(tree, 'bench/node-process.js'),
    home === undefined ? [mining] : [mining, home],
    { execArgv: ['--expose-gc', ...extra] },
  );
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a node ended with exit code ${code} before it was ready`);
  });
  const [{ ports }] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  const ask = async (request) => {
    const answered = once(child, 'message');
    child.send(request);
    const [answer] = await answered;
    return answer;
  };
  return {
    child,
    spawnedAt,
    url: `http://127.0.0.1:${ports.comet}`,
    ethereumUrl: `http://127.0.0.1:${ports.eth_http}`,
    mine: (blocks) => ask({ kind: 'mine', blocks }),
    snapshot: (folder) => ask({ kind: 'snapshot', folder }),
    usage: (collect = false) => ask({ kind: 'usage', collect }),
    async stop() {
      const ended = once(child, 'exit');
      child.send({ kind: 'stop' });
      await ended;
    },
  };
}
