/**
 * The container image without a container. The test follows the Dockerfile's instructions in folders (it uses the
 * packages of the checkout instead of installing them) and runs its command with its variables and health check.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPTIONS } from '../../src/config/options.js';
import { startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { stagesOf, textsOf, wordsOfJson } from './dockerfile.js';
import { root, run } from './installed-package.js';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const stages = stagesOf(read('Dockerfile'));
const [building = [], running = []] = stages;
const compose = read('compose.yaml');
const allowed = read('.dockerignore')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1));
const variables = new Map(
  textsOf(running, 'ENV').map((text) => [text.split('=')[0] ?? '', text.slice(text.indexOf('=') + 1)]),
);
const exposed = (textsOf(running, 'EXPOSE')[0] ?? '').split(' ');
/** Values of a list below a key of compose.yaml. */
const listOf = (key: string): readonly string[] =>
  [...(new RegExp(`^ +${key}:\\n((?: +- .*\\n)+)`, 'm').exec(compose)?.[1] ?? '').matchAll(/- (.*)\n/g)].map(
    ([, value = '']) => value,
  );

describe('the Dockerfile', () => {
  test('has two stages of the same Node.js release, and runs without privileges', () => {
    expect(stages.map(([from]) => from?.text.replace(/ AS .*/, ''))).toEqual(['node:22-slim', 'node:22-slim']);
    expect(textsOf(running, 'USER')).toEqual(['node']);
  });

  test('copies files that exist and are in its build context', () => {
    const copied = stages
      .flatMap((stage) => textsOf(stage, 'COPY'))
      .filter((text) => !text.startsWith('--from'))
      .flatMap((text) => text.split(' ').slice(0, -1));
    expect(copied.length).toBeGreaterThan(5);
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(copied.toSorted()).toEqual([...new Set(allowed), 'package.json'].toSorted());
  });

  test('sets variables that are options, and exposes their ports', () => {
    const ofGlibc = ['MALLOC_MMAP_THRESHOLD_', 'MALLOC_ARENA_MAX'];
    const known = new Set([...OPTIONS.map(({ env }) => env), 'NODE_ENV', ...ofGlibc]);
    expect([...variables.keys()].filter((name) => !known.has(name))).toEqual([]);
    const ports = [...variables].flatMap(([, value]) => /:(\d+)$/.exec(value)?.[1] ?? []);
    expect(ports.toSorted()).toEqual(exposed.toSorted());
  });
});

describe('compose.yaml', () => {
  test('publishes the exposed ports on loopback under the same numbers', () => {
    expect(listOf('ports').toSorted()).toEqual(exposed.map((port) => `127.0.0.1:${port}:${port}`).toSorted());
  });

  test('mounts the volume of the image, and sets a variable that is an option', () => {
    expect(listOf('volumes')).toEqual([`chain:${textsOf(running, 'VOLUME')[0]}`]);
    expect(variables.get('CHRONICLED_HOME')).toBe(textsOf(running, 'VOLUME')[0]);
    const named = [...compose.matchAll(/CHRONICLED_\w+/g)].map(([name]) => name);
    expect(named.filter((name) => !OPTIONS.some(({ env }) => env === name))).toEqual([]);
    expect(compose).toMatch(/^ {2}chronicled:$/m);
  });
});

describe('the image', () => {
  let folder: string;

  beforeAll(async () => {
    const built = await follow(building, temporaryFolder(), '');
    folder = await follow(running, temporaryFolder(), built);
  });

  test('starts a node; its health check succeeds, and fails after the node has stopped', async () => {
    const [command = '', ...entry] = wordsOfJson(textsOf(running, 'ENTRYPOINT')[0] ?? '');
    expect([command, wordsOfJson(textsOf(running, 'CMD')[0] ?? '')]).toEqual(['node', ['dev']]);
    const [program = ''] = entry;
    // Ports chosen by the system instead of the image's, which may be in use here.
    const env = Object.fromEntries(
      [...variables]
        .filter(([name]) => name !== 'CHRONICLED_HOME')
        .map(([name, value]) => [name, value.replace(/:\d+$/, ':0')]),
    );
    const daemon = await startDaemonProcess({ program: join(folder, program), env });
    const [, ...check] = wordsOfJson(textsOf(running, 'HEALTHCHECK')[0] ?? '');
    const health = (): Promise<{ readonly code: number }> =>
      run(
        process.execPath,
        check.map((word) => word.replace('http://127.0.0.1:26660', daemon.endpoints.metrics)),
      );
    expect(check.join(' ')).toContain(
      `:${/:(\d+)$/.exec(variables.get('CHRONICLED_METRICS_ADDRESS') ?? '')?.[1]}/health`,
    );
    expect((await health()).code).toBe(0);
    // The image has the native transport of its own Node.js; this folder has that of the Node.js that built it.
    const { headers } = await fetch(`${daemon.endpoints.comet}/health`);
    expect(headers.has('uwebsockets')).toBe(existsSync(join(folder, 'dist', 'cache', 'uWebSockets.js')));
    expect(existsSync(join(folder, 'dist', 'cache', 'uWebSockets.js'))).toBe(true);
    expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect((await health()).code).toBe(1);
  });
});

/**
 * Follows a stage's instructions below a folder; resolves with its working directory. `built` is the folder of the
 * previous stage.
 */
async function follow(
  stage: readonly { readonly name: string; readonly text: string }[],
  image: string,
  built: string,
): Promise<string> {
  let directory = image;
  for (const { name, text } of stage) {
    if (name === 'WORKDIR') {
      directory = join(image, text);
      mkdirSync(directory, { recursive: true });
    } else if (name === 'COPY') {
      const words = text.replace('--from=build /package/', '').split(' ');
      const from = text.startsWith('--from=build') ? built : root;
      const target = words.at(-1) ?? '';
      for (const source of words.slice(0, -1)) {
        const path = join(directory, target.endsWith('/') ? join(target, source.split('/').at(-1) ?? '') : target);
        mkdirSync(dirname(path), { recursive: true });
        if (source === 'node_modules') symlinkSync(join(root, 'node_modules'), path);
        else cpSync(join(from, source), path, { recursive: true });
      }
    } else if (name === 'RUN') await runStep(text, directory);
  }
  return directory;
}

async function runStep(command: string, directory: string): Promise<void> {
  if (command === 'npm ci --ignore-scripts') {
    symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
    return;
  }
  // Pruning would prune the checkout, and creating the home's folder needs root.
  if (command === 'npm prune --omit=dev --ignore-scripts' || command === 'mkdir /data && chown node:node /data') return;
  const [program = '', ...words] = command.split(' ');
  const { code, stderr } = await run(program, words, { cwd: directory });
  expect(code, stderr).toBe(0);
}
