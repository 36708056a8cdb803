/** Runs every command in docs/interfaces/cli.md as it is written there. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { chronicled } from '../support/command.js';
import { startDaemonProcess } from '../support/daemon.js';
import { removeFolder, temporaryFolder } from '../support/temporary.js';

const PAGE = readFileSync(fileURLToPath(new URL('../../docs/interfaces/cli.md', import.meta.url)), 'utf8');

interface Line {
  readonly args: readonly string[];
  /** File in the folder that receives standard output. */
  readonly into: string | undefined;
}

const lines: readonly Line[] = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.trim().split('\n'))
  .map((text) => {
    const [, command = '', into] = /^chronicled (.*?)(?: > (\S+))?$/.exec(text) ?? [];
    return { args: [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? ''), into };
  });

test('docs/interfaces/cli.md has more than 40 commands', () => expect(lines.length).toBeGreaterThan(40));

test('each command of docs/interfaces/cli.md exits with 0', async () => {
  const folder = temporaryFolder();
  const daemon = await startDaemonProcess({ args: ['--ephemeral'] });
  const env = {
    CHRONICLED_NODE: daemon.endpoints.comet.replace(/^http/, 'tcp'),
    CHRONICLED_ETH_NODE: daemon.endpoints.eth_http ?? '',
    CHRONICLED_HOME: folder,
  };
  for (const { args, into } of lines) {
    const { code, stdout, stderr } = await chronicled(args, { cwd: folder, env });
    expect(code, `chronicled ${args.join(' ')}: ${stderr}`).toBe(0);
    if (into !== undefined) writeFileSync(join(folder, into), stdout);
  }
  removeFolder(folder);
}, 300_000);
