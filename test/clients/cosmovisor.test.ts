/**
 * Real cosmovisor v1.5.0 runs a node, switches to the version of a plan at its height, and exits on its signal.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chronicled, PROGRAM } from '../support/command.js';
import { afterwards, temporaryFolder } from '../support/temporary.js';
import { CLIENTS, isInstalled } from './clients.js';

const MS_MAX = 120_000;
/** Characters of output that a failure shows. */
const SHOWN = 6_000;

/** A program for cosmovisor: the node of this build with extra environment variables. */
function makeProgram(home: string, place: string, env: Readonly<Record<string, string>>): void {
  const folder = join(home, 'cosmovisor', place, 'bin');
  mkdirSync(folder, { recursive: true });
  const lines = Object.entries(env).map(([name, value]) => `export ${name}='${value}'\n`);
  const path = join(folder, 'chronicled');
  writeFileSync(path, `#!/bin/sh\n${lines.join('')}exec '${process.execPath}' '${PROGRAM}' "$@"\n`);
  chmodSync(path, 0o755);
}

/** A free port. Cosmovisor calls `status`, which must know the port before the node runs. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

describe.skipIf(!isInstalled('cosmovisor', 'cosmovisor/cosmovisor'))('cosmovisor', () => {
  it(
    'runs `pre-upgrade` at the height of a plan, and starts the next version',
    async () => {
      const home = temporaryFolder();
      const node = `tcp://127.0.0.1:${await freePort()}`;
      const env = { CHRONICLED_HOME: home, CHRONICLED_NODE: node };
      // cosmovisor requires the folder before the first start.
      mkdirSync(join(home, 'data'));
      makeProgram(home, 'genesis', env);
      makeProgram(home, 'upgrades/v2', { ...env, CHRONICLED_APP_VERSION: 'v2' });
      const daemon = ['run', 'dev', '--port-base', '0', '--rpc.laddr', node, '--block-time', '0.5', '-q'];
      const child = spawn(join(CLIENTS, 'cosmovisor', 'cosmovisor'), daemon, {
        env: {
          ...process.env,
          DAEMON_HOME: home,
          DAEMON_NAME: 'chronicled',
          DAEMON_POLL_INTERVAL: '100ms',
          UNSAFE_SKIP_BACKUP: 'true',
        },
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part: Buffer) => (output = (output + part.toString()).slice(-SHOWN)));
      const exited = new Promise((resolve) => child.once('exit', resolve));
      afterwards(() => void child.kill('SIGKILL'));
      const asked = async (...words: readonly string[]): Promise<string> => {
        for (;;) {
          const { code, stdout } = await chronicled([...words, '--node', node]);
          if (code === 0) return stdout;
          if (child.exitCode !== null) throw new Error(`cosmovisor ended: ${output}`);
        }
      };
      await asked('status');
      await asked('upgrade', 'schedule', 'v2', '--height', '+10', '-y', '-b', 'block');
      const applied = JSON.parse(await asked('query', 'upgrade', 'applied', 'v2'));
      expect(Number(applied.header.height)).toBeGreaterThan(10);
      expect(readlinkSync(join(home, 'cosmovisor', 'current'))).toContain('upgrades/v2');
      expect(output).toContain('v2 would work');
      child.kill('SIGTERM');
      await exited;
    },
    MS_MAX,
  );
});
