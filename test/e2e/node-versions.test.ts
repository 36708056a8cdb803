/** Other releases of Node.js: the installed package runs there too. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { chronicled } from '../support/command.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { call, getJson, latestHeight } from './comet-client.js';
import { signedSend } from './load.js';
import { ResumingSubscriber } from './resuming-subscriber.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest: { readonly files: readonly string[] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** The content of the package, with the lockfile of the clone. */
const PACKAGE = [...manifest.files, 'package.json', 'package-lock.json', '.npmrc'];
const DOWNLOAD_MS_MAX = 120_000;

interface Release {
  readonly version: string;
  /** True when uWebSockets.js has a binary for it; otherwise the node:http transport serves. */
  readonly native: boolean;
}

/** The package with its dependencies, which are the same for each release: none runs a script at its installation. */
let installed: string;

beforeAll(async () => {
  installed = temporaryFolder();
  await run(process.execPath, ['scripts/pack-native.js', `${process.platform}-${process.arch}`]);
  for (const name of PACKAGE.filter((each) => existsSync(join(root, each))))
    cpSync(join(root, name), join(installed, name), { recursive: true });
  const { ok, output } = await run('npm', ['ci', '--omit=dev', '--ignore-scripts'], { cwd: installed });
  expect(ok, output).toBe(true);
}, DOWNLOAD_MS_MAX);

describe.each<Release>([
  { version: '22', native: true },
  { version: '24', native: false },
  { version: '26', native: false },
])('Node $version', ({ version, native }) => {
  it(
    'starts the installed package, commits, pushes and continues',
    { timeout: 2 * DOWNLOAD_MS_MAX },
    async ({ skip }) => {
      const found = await run('npx', ['-y', '-p', `node@${version}`, 'node', '-p', 'process.execPath']);
      const node = found.output.trim().split('\n').at(-1) ?? '';
      if (!found.ok) {
        process.stdout.write(
          `Node ${version} cannot be had from the registry; its smoke test is skipped: ${found.output.slice(0, 200)}\n`,
        );
        skip(`Node ${version} cannot be had from the registry`);
      }
      const program = join(installed, 'dist', 'node', 'main.js');
      const first = await startDaemonProcess({ launch: [node], program });
      const sent = await call<{ readonly height: string; readonly tx_result: { readonly code: number } }>(
        first.endpoints.comet,
        'broadcast_tx_commit',
        { tx: signedSend(0, 0n).tx },
      );
      expect(sent.tx_result.code).toBe(0);
      const headers = (await fetch(`${first.endpoints.comet}/health`)).headers;
      expect(headers.has('uwebsockets'), `served by ${headers.get('uwebsockets') ?? 'node:http'}`).toBe(
        native && process.platform !== 'win32',
      );
      await pushed(first, sent.height);
      expect((await first.kill('SIGTERM')).code, first.stderr()).toBe(0);

      const second = await startDaemonProcess({ launch: [node], program, home: first.home });
      expect(await latestHeight(second.endpoints.comet)).toBeGreaterThanOrEqual(Number(sent.height));
      expect(await getJson(second.endpoints.comet, `/block?height=${sent.height}`)).toHaveProperty('result');
      expect((await second.kill('SIGTERM')).code).toBe(0);
      // The release that runs these tests reads the data of the other one, and computes the same.
      expect((await chronicled(['log', 'verify', '--execute', '--home', first.home])).code).toBe(0);
    },
  );
});

/** Resolves when a websocket client has been told of the block at `height`. */
async function pushed(daemon: DaemonProcess, height: string): Promise<void> {
  const subscriber = new ResumingSubscriber("tm.event='NewBlock'", /"header":\{[^{]*\{[^}]*\}[^}]*?"height":"(\d+)"/);
  subscriber.connect(daemon.endpoints.comet);
  expect((await subscriber.through(height)).slice(0, Number(height))).toEqual(
    Array.from({ length: Number(height) }, (_, index) => String(index + 1)),
  );
  subscriber.close();
}

interface Output {
  readonly ok: boolean;
  readonly output: string;
}

function run(program: string, args: readonly string[], options: { readonly cwd?: string } = {}): Promise<Output> {
  return new Promise((resolve) => {
    execFile(program, args, { ...options, timeout: DOWNLOAD_MS_MAX }, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: error === null ? stdout : `${stderr}${stdout}` }),
    );
  });
}
