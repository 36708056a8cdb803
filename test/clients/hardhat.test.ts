/** Hardhat 3 with its toolboxes, its network helpers and ignition, unmodified, against a node. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon.js';
import { watchedFace } from '../support/watched-face.js';
import { CLIENTS, isInstalled, projectOf, run } from './clients.js';

const MS_MAX = 300_000;

describe.skipIf(!isInstalled('hardhat', 'node_modules/hardhat/package.json'))('hardhat 3', () => {
  it.each(['hardhat-viem', 'hardhat-ethers'])(
    'compiles, tests and deploys: %s',
    async (project) => {
      const daemon = await startDaemonProcess({ args: ['--ephemeral'] });
      const { code, output } = await run('hardhat', ['test'], {
        cwd: projectOf(project, 'contracts'),
        env: {
          CHRONICLE: await watchedFace(daemon.endpoints.eth_http ?? ''),
          SOLC: join(CLIENTS, 'node_modules', 'solc', 'soljson.js'),
          HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
        },
      });
      expect(output).toMatch(/\b\d+ passing/);
      expect(output, output).not.toMatch(/\d+ failing/);
      expect(code, output).toBe(0);
    },
    MS_MAX,
  );
});
