/**
 * Installs the package with `npm install chronicled` and uses the command, the library and its types on every
 * supported release of Node.js.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { getJson, latestHeight } from '../e2e/comet-client.js';
import { ResumingSubscriber } from '../e2e/resuming-subscriber.js';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess, type DaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { filesOf, installed, OF_EARLIER_BUILD, packed, root, run } from './installed-package.js';
import { nodeRelease } from './node-release.js';

const INSTALL_MS_MAX = 300_000;
const MB = 1_000_000;

/**
 * Starts a node, sends one Ethereum and one Cosmos transaction, and stops it. An open handle of the library would
 * keep the process alive.
 */
const SCRIPT = `
import { startNode } from 'chronicled';
const node = await startNode();
const [from, to] = node.accounts;
const hash = await node.ethereum.request({ method: 'eth_sendTransaction', params: [{ from: from.hex, to: to.hex, value: '0x1' }] });
const receipt = await node.receipt(hash);
const { block } = await node.comet.request({ method: 'block', params: { height: BigInt(receipt.blockNumber).toString() } });
const error = await node.ethereum.request({ method: 'eth_nothing' }).catch(({ name, code }) => ({ name, code }));
const never = node.receipt('0x' + '00'.repeat(32)).catch(({ message }) => message);
await node.stop();
await node.stop();
console.log(JSON.stringify({ status: receipt.status, txs: block.data.txs.length, error, never: await never }));
`;

/**
 * Whether a text holds a path in a folder. The bundler names a module by its path from the folder of the build, so that
 * the last three parts of the folder's path are enough. They are parts of a path where no letter comes before them: the
 * page `docs.cosmos.network/main/build` is not in the folder `work/main`.
 */
function namesFolder(text: string, folder: string): boolean {
  const end = folder
    .split('/')
    .filter((part) => part !== '')
    .slice(-3)
    .join('/');
  return text
    .split(`${end}/`)
    .slice(0, -1)
    .some((before) => !/[\w-]$/.test(before));
}

const CONSUMER = `
import { JsonRpcError, startNode, type ChronicleNode } from 'chronicled';
import { checkPromises, ethereumKey, indexerTarget, type Command, type ChainAction } from 'chronicled/testing';

export const commands: readonly Command<ChainAction>[] = [{ do: 'start' }, { do: 'cut' }, { do: 'mine' }];

export async function search(seen: readonly object[]): Promise<number> {
  const indexer = { start: () => undefined, stop: () => undefined, seen: () => seen.map((one) => ethereumKey(one) ?? '') };
  const target = await indexerTarget(startNode, () => indexer, { interest: 'newHeads' });
  // @ts-expect-error there is no such command
  commands.concat([{ do: 'explode' }]);
  return (await checkPromises(target, { runs: 1 })).runs;
}

export async function balance(options: { readonly home?: string }): Promise<bigint> {
  await using node: ChronicleNode = await startNode({ ...options, mining: { intervalMs: 100 }, accounts: { count: 1 } });
  const [account] = node.accounts;
  if (account === undefined) return 0n;
  const hex: \`0x\${string}\` = await node.ethereum.request({ method: 'eth_getBalance', params: [account.hex, 'latest'] });
  const other: unknown = await node.ethereum.request({ method: 'txpool_status' });
  // @ts-expect-error an address is not a number
  await node.ethereum.request({ method: 'eth_getBalance', params: [1, 'latest'] }).catch((error: unknown) => error instanceof JsonRpcError);
  return other === undefined ? 0n : BigInt(hex);
}
`;

let tarball: string;
let project: string;
/** Lines that npm prints at the installation besides its summary. */
let warnings: readonly string[];

beforeAll(async () => {
  tarball = await packed();
  ({ project, warnings } = await installed(tarball));
}, INSTALL_MS_MAX);

/** Bytes that a file takes on the disk. */
const blocksOf = ({ blocks }: { readonly blocks: number }): number => blocks * 512;

const inPackage = (): string => join(project, 'node_modules', 'chronicled');

describe('the tarball', () => {
  test('has the program, the engine, the types and the proto files, and nothing else', () => {
    const files = filesOf(inPackage());
    expect(files).toEqual(
      expect.arrayContaining([
        'package.json',
        'README.md',
        'LICENSE',
        'NOTICE',
        'SECURITY.md',
        'CHANGELOG.md',
        'engine/engine.wasm',
        'engine/engine.json',
        'engine/LICENSES.txt',
        'dist/node/main.js',
        'dist/index.js',
        'dist/index.d.ts',
        'dist/testing/index.js',
        'dist/testing/index.d.ts',
        'dist/runtime/workers/executor.cjs',
        'dist/runtime/workers/indexer.cjs',
        'dist/runtime/workers/pool.cjs',
        'dist/runtime/workers/recovery.cjs',
        'dist/LICENSES.txt',
        'dist/pages/app.html',
        'native/linux-x64.br',
      ]),
    );
    const other = files.filter(
      (file) =>
        !/^(dist\/.*\.(c?js|d\.ts)|dist\/pages\/\w+\.(html|css)|dist\/LICENSES\.txt|native\/[a-z0-9-]+\.br|engine\/(engine\.(wasm|json)|LICENSES\.txt)|proto\/.*\.proto|proto\/.*LICENSE.*|docs\/.*\.(md|ts|png)|scripts\/(network|record-chain|replay-simulations)\.js|(README|CHANGELOG|SECURITY|CONTRIBUTING)\.md|LICENSE|NOTICE|package\.json)$/.test(
          file,
        ),
    );
    expect(other).toEqual([]);
    expect(files).not.toContain(OF_EARLIER_BUILD);
    const kb = (path: string): string => (statSync(path).size / 1_000).toFixed(0);
    const all = files.reduce((bytes, file) => bytes + statSync(join(inPackage(), file)).size, 0);
    process.stdout.write(`package: ${kb(tarball)} kB packed, ${(all / MB).toFixed(1)} MB in ${files.length} files\n`);
  });

  test('has each file that its documents link to, and each script that the documents for users name', () => {
    const files = new Set(filesOf(inPackage()));
    const folders = new Set([...files].map((file) => dirname(file)));
    const named = [...files]
      .filter((file) => file.endsWith('.md') && !file.startsWith('proto/'))
      .flatMap((file) => {
        const text = readFileSync(join(inPackage(), file), 'utf8');
        const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to = '']) => join(dirname(file), to));
        const scripts = [...text.matchAll(/\bnode (scripts\/[\w-]+\.js)/g)].map(([, script = '']) => script);
        const ofCheckout = /^(CONTRIBUTING|docs\/(TESTING|RELIABILITY|benchmarks|decisions\/.*))\.md$/.test(file);
        return [...links, ...(ofCheckout ? [] : scripts)].map((to) => ({ file, to: to.replace(/\/$/, '') }));
      });
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ to }) => !files.has(to) && !folders.has(to))).toEqual([]);
  });

  test('is installed without a warning, and takes 60 MB at most', () => {
    expect(warnings).toEqual([]);
    const modules = join(project, 'node_modules');
    const used = filesOf(modules).reduce((bytes, file) => bytes + blocksOf(statSync(join(modules, file))), 0);
    process.stdout.write(`installed: ${(used / MB).toFixed(1)} MB on the disk\n`);
    expect(used).toBeLessThan(60 * MB);
  });

  test('depends on the packages that its bundle loads, and on no others', () => {
    const { dependencies }: { readonly dependencies: object } = JSON.parse(
      readFileSync(join(inPackage(), 'package.json'), 'utf8'),
    );
    const loaded = filesOf(join(inPackage(), 'dist', 'code')).flatMap((file) =>
      [
        ...readFileSync(join(inPackage(), 'dist', 'code', file), 'utf8').matchAll(
          /[rR]equire[\w$]*\(["'`]([^."'`][^"'`]*)["'`]\)/g,
        ),
      ].map(([, name = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? ''),
    );
    const packages = new Set(loaded.filter((name) => !name.startsWith('node:') && !isBuiltin(name)));
    // The peer of chronicled/testing, the transport that `native` holds, and what `ws` takes where it finds it.
    for (const name of ['fast-check', 'uWebSockets.js', 'bufferutil', 'utf-8-validate'])
      expect([name, packages.delete(name)]).toEqual([name, true]);
    expect([...packages].toSorted()).toEqual(Object.keys(dependencies).toSorted());
  });

  test('has no path of the machine that built it', () => {
    const text = (file: string): string => readFileSync(join(inPackage(), file), 'utf8');
    const named = filesOf(inPackage())
      // The code cache of an earlier start names the folder of the installation.
      .filter((file) => /\.(c?js|ts|json|md|txt)$/.test(file) && !file.startsWith('dist/cache/'))
      .filter(
        (file) =>
          [root, dirname(tarball)].some((folder) => namesFolder(text(file), folder)) || text(file).includes('/tmp/'),
      );
    expect(named).toEqual([]);
  });

  test('declares the whole public API to a strict compiler that knows no Node.js', async () => {
    const folder = join(project, 'typed');
    mkdirSync(folder);
    peers();
    writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          target: 'ES2022',
          module: 'NodeNext',
          types: [],
          skipLibCheck: false,
        },
        files: ['consumer.ts'],
      }),
    );
    const checked = await run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder]);
    expect(checked.stdout + checked.stderr).toBe('');
  });
});

/** Installs the packages that users of the examples have beside ours. */
function peers(): void {
  for (const name of ['vitest', 'viem', 'ws', 'fast-check', 'pure-rand']) {
    const path = join(project, 'node_modules', name);
    if (!existsSync(path)) symlinkSync(join(root, 'node_modules', name), path);
  }
}

test(
  'the examples of the documentation run in a project of their own',
  async () => {
    peers();
    for (const example of ['vitest', 'indexer'])
      cpSync(join(root, 'docs', 'examples', example), join(project, 'test', example), { recursive: true });
    const ran = await run(process.execPath, [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--root',
      project,
      '--reporter=json',
    ]);
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    const report = ran.stdout.slice(ran.stdout.indexOf('{"numTotal'));
    expect(JSON.parse(report)).toMatchObject({ numPassedTests: 5, numFailedTests: 0 });
  },
  INSTALL_MS_MAX,
);

interface Release {
  readonly version: string;
  /** True when uWebSockets.js has a binary for it; otherwise node:http serves. */
  readonly native: boolean;
}

describe.each<Release>([
  { version: '20', native: true },
  { version: '22', native: true },
  { version: '24', native: false },
  { version: '26', native: false },
])('Node $version', ({ version, native }) => {
  let node: string | undefined;
  const env = (): Record<string, string> => ({
    PATH: `${dirname(node ?? '')}${delimiter}${process.env['PATH'] ?? ''}`,
  });

  beforeAll(async () => {
    node = process.versions.node.startsWith(`${version}.`) ? process.execPath : await nodeRelease(version);
  }, INSTALL_MS_MAX);

  test('npx chronicled --help', async ({ skip }) => {
    skip(node === undefined, `Node ${version} cannot be had`);
    // After its first run by npx, the command's link is called directly.
    const command =
      version === '20' ? ['npx', '--no-install', 'chronicled'] : [join(project, 'node_modules', '.bin', 'chronicled')];
    const [program = '', ...before] = command;
    const { code, stdout, stderr } = await run(program, [...before, '--help'], { cwd: project, env: env() });
    expect(stdout, stderr).toMatch(/Usage: chronicled/);
    expect(code).toBe(0);
  });

  test('the daemon takes a transaction from its command line, pushes its block and continues', async ({ skip }) => {
    skip(node === undefined, `Node ${version} cannot be had`);
    const launch = [node ?? ''];
    const program = join(inPackage(), 'dist', 'node', 'main.js');
    const first = await startDaemonProcess({ launch, program });
    const line = ['tx', 'bank', 'send', 'dev0', 'dev1', '1achr', '--yes', '-b', 'block'];
    const sent = await run(node ?? '', [program, ...line], { env: { CHRONICLED_NODE: first.endpoints.comet } });
    expect(sent.stdout, sent.stderr).toMatch(/"code":0/);
    const { height }: { readonly height: string } = JSON.parse(sent.stdout);
    const { headers } = await fetch(`${first.endpoints.comet}/health`);
    const isNative = native && process.platform === 'linux' && process.arch === 'x64';
    expect(headers.has('uwebsockets')).toBe(isNative);
    await pushed(first, height);
    expect((await first.kill('SIGTERM')).code, first.stderr()).toBe(0);

    const second = await startDaemonProcess({ launch, program, home: first.home });
    expect(await latestHeight(second.endpoints.comet)).toBeGreaterThanOrEqual(Number(height));
    expect(await getJson(second.endpoints.comet, `/block?height=${height}`)).toHaveProperty('result');
    expect((await second.kill('SIGTERM')).code).toBe(0);
    // The release that runs these tests reads the data of the other release, and computes the same results.
    expect((await chronicledHere(['log', 'verify', '--execute', '--home', first.home])).code).toBe(0);
  });

  test('startNode leaves nothing behind: the process ends by itself, and its folder is removed', async ({ skip }) => {
    skip(node === undefined, `Node ${version} cannot be had`);
    const TMPDIR = temporaryFolder();
    const file = join(project, 'script.js');
    writeFileSync(file, SCRIPT);
    const { code, stdout, stderr } = await run(node ?? '', [file], { cwd: project, env: { TMPDIR } });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      status: '0x1',
      txs: 1,
      error: { name: 'JsonRpcError', code: -32601 },
      never: 'the node was stopped',
    });
    expect(code).toBe(0);
    expect(readdirSync(TMPDIR)).toEqual([]);
  });
});

/** Resolves when a WebSocket client has been notified of every block up to `height`. */
async function pushed(daemon: DaemonProcess, height: string): Promise<void> {
  const subscriber = new ResumingSubscriber("tm.event='NewBlock'", /"header":\{[^{]*\{[^}]*\}[^}]*?"height":"(\d+)"/);
  subscriber.connect(daemon.endpoints.comet);
  expect((await subscriber.through(height)).slice(0, Number(height))).toEqual(
    Array.from({ length: Number(height) }, (_, index) => String(index + 1)),
  );
  subscriber.close();
}
