/** Clients in other languages, unmodified, against a node: web3.py and go-ethereum's client. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Token } from '../contracts/index.js';
import { startDaemonProcess } from '../support/daemon.js';
import { watchedFace } from '../support/watched-face.js';
import { CLIENTS, isInstalled, projectOf, run } from './clients.js';

const MS_MAX = 300_000;

describe.skipIf(!isInstalled('web3.py', 'py/bin/python3'))('web3.py', () => {
  it(
    'sends, deploys, reads, filters, subscribes and decodes errors',
    async () => {
      const { endpoints } = await startDaemonProcess({ args: ['--ephemeral'] });
      const { code, output } = await run(
        join(CLIENTS, 'py', 'bin', 'python3'),
        [
          'check.py',
          await watchedFace(endpoints.eth_http ?? ''),
          await watchedFace(endpoints.eth_ws ?? ''),
          JSON.stringify(Token),
        ],
        { cwd: projectOf('python', 'contracts') },
      );
      expect(output).toContain('web3.py: all as expected');
      expect(code).toBe(0);
    },
    MS_MAX,
  );
});

describe.skipIf(!isInstalled("go-ethereum's client", 'go/go.sum'))("go-ethereum's client", () => {
  it(
    'sends, reads, calls and subscribes',
    async () => {
      const { endpoints } = await startDaemonProcess({ args: ['--ephemeral'] });
      const cwd = projectOf('go', 'contracts');
      rmSync(join(cwd, 'contracts'), { recursive: true });
      for (const name of ['go.mod', 'go.sum']) cpSync(join(CLIENTS, 'go', name), join(cwd, name));
      const { code, output } = await run(
        'go',
        [
          'run',
          '-mod=mod',
          'main.go',
          await watchedFace(endpoints.eth_http ?? ''),
          await watchedFace(endpoints.eth_ws ?? ''),
        ],
        { cwd },
      );
      expect(output).toContain('go-ethereum: all as expected');
      expect(code).toBe(0);
    },
    MS_MAX,
  );
});
