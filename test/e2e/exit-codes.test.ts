/** Exit code and message of the process for each failure that a user can act on (docs/OPERATING.md). */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it } from 'vitest';
import { openLevelStore } from '../../src/store/leveldb/level-store.js';
import { goldenPath, hasGolden } from '../support/golden.js';
import { chronicled, type Ended } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { afterwards, temporaryFolder } from '../support/temporary.js';
import { callEthereum } from './ethereum-client.js';
import { call } from './comet-client.js';
import { signedSend } from './load.js';

const QUIET = ['--port-base', '0', '-q'];

/** A stopped home with some blocks, and copies of it. */
let lived: string;

beforeAll(async () => {
  const daemon = await startDaemonProcess();
  for (const sequence of [0n, 1n, 2n])
    await call(daemon.endpoints.comet, 'broadcast_tx_commit', { tx: signedSend(0, sequence).tx });
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  lived = daemon.home;
});

function copyOfLived(): string {
  const home = temporaryFolder();
  cpSync(lived, home, { recursive: true });
  return home;
}

it.skipIf(process.platform === 'win32')(
  'only the owner can read the files of a home (skipped on win32, which has no such permissions)',
  () => {
    const data = join(lived, 'data');
    for (const name of readdirSync(data, { recursive: true, encoding: 'utf8' }))
      expect(statSync(join(data, name)).mode & 0o077, name).toBe(0);
  },
);

/**
 * Checks a message: error id, what is wrong, why, and what to do. The last line names a command or a flag. No stack.
 */
function expectMessage({ stderr }: Ended, id: string): void {
  const lines = stderr.trimEnd().split('\n');
  expect(lines[0]).toMatch(new RegExp(`^${id}: `));
  expect(lines.length).toBeGreaterThan(1);
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
}

describe('exit code 4, a port is taken', () => {
  it('names every taken port at once and opens none', async () => {
    const server = createServer();
    const other = createServer();
    afterwards(() => void server.close());
    afterwards(() => void other.close());
    const [comet, metrics] = [await portOf(server), await portOf(other)];
    const home = temporaryFolder();
    const ended = await chronicled([
      'dev',
      '--home',
      home,
      ...QUIET,
      '--rpc.laddr',
      `tcp://127.0.0.1:${comet}`,
      '--metrics.address',
      `127.0.0.1:${metrics}`,
    ]);
    expect(ended.code).toBe(4);
    expectMessage(ended, 'E_PORT_IN_USE');
    expect(ended.stderr).toContain(`Ports ${comet} (consensus RPC), ${metrics} (metrics) are taken`);
    if (existsSync('/proc/net/tcp'))
      expect(ended.stderr).toMatch(new RegExp(`taken by ".+" \\(process ${process.pid}\\)`));
    expect(ended.stderr).toContain('--port-base');
    expect(existsSync(join(home, 'data'))).toBe(false);
  });
});

describe('a run that fails in the process of its caller', () => {
  /** Runs `dev`, and expects that none of its threads and signal handlers is left. */
  async function failedRun(...words: readonly string[]): Promise<Ended> {
    const threads: Worker[] = [];
    const remember = (thread: Worker): void => void threads.push(thread);
    const handlers = process.listenerCount('SIGTERM');
    process.on('worker', remember);
    const ended = await chronicledHere(['dev', ...words, ...QUIET]);
    process.off('worker', remember);
    expect(threads.length).toBeGreaterThan(0);
    // An ended thread has the id -1.
    expect(threads.map(({ threadId }) => threadId)).toEqual(threads.map(() => -1));
    expect(process.listenerCount('SIGTERM')).toBe(handlers);
    return ended;
  }

  it('leaves no thread of both chains when a port is taken', async () => {
    const server = createServer();
    afterwards(() => void server.close());
    const laddr = `tcp://127.0.0.1:${await portOf(server)}`;
    const ended = await failedRun('--ibc', '--home', temporaryFolder(), '--rpc.laddr', laddr);
    expect(ended).toMatchObject({ code: 4, stderr: expect.stringMatching(/^E_PORT_IN_USE: /) });
  });

  it('leaves no thread and no locked home when its ready file cannot be written', async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'file'), '');
    const ended = await failedRun('--home', home, '--ready-file', join(home, 'file', 'ready.json'));
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('a part of the path is a file') });
    expect(await chronicledHere(['reset', '-y', '--home', home])).toMatchObject({ code: 0 });
  });
});

it.skipIf(!existsSync('/proc/net/tcp'))('names the process that has a port, without its arguments', async () => {
  const folder = temporaryFolder();
  const program = `require('node:net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;
  writeFileSync(join(folder, 'listen.cjs'), program);
  const words = ['listen.cjs', 'dev', '--mnemonic', 'abandon ability'];
  const owner = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  afterwards(() => void owner.kill('SIGKILL'));
  const [port] = await once(owner.stdout, 'data');
  const laddr = `tcp://127.0.0.1:${String(port).trim()}`;
  const { stderr } = await chronicled(['dev', '--home', temporaryFolder(), ...QUIET, '--rpc.laddr', laddr]);
  expect(stderr).toContain(`listen.cjs dev" (process ${owner.pid})`);
  expect(stderr).not.toContain('abandon');
});

describe('exit code 5, the home is in use', () => {
  let daemon: DaemonProcess;
  beforeAll(async () => void (daemon = await startDaemonProcess()));

  it('names the owner, for a node and for a command that writes the log', async () => {
    const node = await chronicled(['dev', '--home', daemon.home, ...QUIET]);
    const command = await chronicledHere(['log', 'rebuild', '--home', daemon.home]);
    for (const ended of [node, command]) {
      expect(ended.code).toBe(5);
      expectMessage(ended, 'E_HOME_LOCKED');
      expect(ended.stderr).toContain(`process ${daemon.pid}`);
    }
  });

  it('refuses the home by its kernel lock when the owner is outside of this container, and invisible', async () => {
    const lock = join(daemon.home, 'data', 'chronicle.db.lock');
    // The process id of a process in another container means nothing here.
    writeFileSync(lock, JSON.stringify({ pid: 2 ** 30, start: 'elsewhere/1', namespace: 'pid:[1]' }));
    const node = await chronicled(['dev', '--home', daemon.home, ...QUIET]);
    const reset = await chronicledHere(['reset', '-y', '--home', daemon.home]);
    const rebuild = await chronicledHere(['log', 'rebuild', '--home', daemon.home]);
    for (const ended of [node, reset, rebuild]) {
      expect(ended.code, ended.stderr).toBe(5);
      expectMessage(ended, 'E_HOME_LOCKED');
      expect(ended.stderr).toContain('outside of this container');
    }
    expect((await daemon.kill('SIGTERM')).code).toBe(0);
  });
});

/** Command that runs a process in its own PID namespace, as in another container; needs a permission. */
const UNSHARE = ['unshare', '--pid', '--fork', '--mount-proc'];
const canUnshare = spawnSync('unshare', [...UNSHARE.slice(1), 'true']).status === 0;

it.skipIf(!canUnshare)('a node in another PID namespace refuses a home in use (skipped without unshare)', async () => {
  const daemon = await startDaemonProcess();
  const second = startDaemonProcess({ home: daemon.home, launch: [...UNSHARE, process.execPath] });
  await expect(second).rejects.toMatchObject({ exit: { code: 5 }, stderr: expect.stringContaining('E_HOME_LOCKED') });
  await call(daemon.endpoints.comet, 'broadcast_tx_commit', { tx: signedSend(0, 0n).tx });
  expect((await daemon.kill('SIGTERM')).code).toBe(0);
  const third = await startDaemonProcess({ home: daemon.home, launch: [...UNSHARE, process.execPath] });
  await third.kill('SIGKILL');
  // A start takes over the lock of a killed container.
  const fourth = await startDaemonProcess({ home: daemon.home });
  expect((await fourth.kill('SIGTERM')).code).toBe(0);
});

describe('exit code 6, the log is damaged', () => {
  it('refuses to start, names the place, and leaves the files as they are', async () => {
    const home = copyOfLived();
    const [file = ''] = databaseFiles(home, '.log');
    const bytes = readFileSync(file);
    bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    for (const args of [
      ['dev', '--home', home, ...QUIET],
      ['log', 'verify', '--home', home],
    ]) {
      const ended = await chronicled(args);
      expect(ended.code, `${args[0]}: ${ended.stderr}`).toBe(6);
      if (args[0] === 'dev') expectMessage(ended, 'E_LOG_CORRUPT');
      expect(`${ended.stdout}${ended.stderr}`).toMatch(/\.log/);
      expect(readFileSync(file).equals(bytes)).toBe(true);
    }
  });

  it('detects a truncated log, which LevelDB does not', async () => {
    const home = copyOfLived();
    const [file = ''] = databaseFiles(home, '.log');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length / 3)));
    const ended = await chronicled(['dev', '--home', home, ...QUIET]);
    expect(ended.code).toBe(6);
    expectMessage(ended, 'E_LOG_CORRUPT');
  });

  const cut = (path: string): void => writeFileSync(path, readFileSync(path).subarray(0, -100));
  const zeroed = (path: string): void => writeFileSync(path, Buffer.alloc(readFileSync(path).length));
  it.each<readonly [string, RegExp, (path: string) => void]>([
    ['a table is cut', /\.ldb$/, cut],
    ['a table is removed', /\.ldb$/, (path) => rmSync(path)],
    ['a table is zeroed', /\.ldb$/, zeroed],
    ['the manifest is removed', /^MANIFEST-/, (path) => rmSync(path)],
    ['the manifest is zeroed', /^MANIFEST-/, zeroed],
    ['the pointer to the manifest is removed', /^CURRENT$/, (path) => rmSync(path)],
    ['the write-ahead log is removed', /\.log$/, (path) => rmSync(path)],
  ])('names the file when %s', async (_, pattern, damage) => {
    const home = copyOfLived();
    const folder = join(home, 'data', 'chronicle.db');
    // Opening the database moves the write-ahead log into a table.
    await (await openLevelStore(folder, { create: false })).close();
    const file = readdirSync(folder).find((name) => pattern.test(name)) ?? '';
    damage(join(folder, file));
    const node = await chronicled(['dev', '--home', home, ...QUIET]);
    expectMessage(node, 'E_LOG_CORRUPT');
    for (const ended of [node, await chronicledHere(['log', 'verify', '--home', home])]) {
      expect(ended.code, ended.stderr).toBe(6);
      expect(`${ended.stdout}${ended.stderr}`).toContain(file);
    }
  });

  it('`log verify --execute` finds no damage in an untouched home', async () => {
    const home = copyOfLived();
    const ended = await chronicledHere(['log', 'verify', '--execute', '--home', home]);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const { problems, execution } = JSON.parse(ended.stdout);
    expect(problems).toEqual([]);
    expect(execution).toMatchObject({ disagreements: [], app_hash: expect.stringMatching(/^[0-9a-f]{64}$/i) });
    expect(execution.blocks).toBeGreaterThanOrEqual(3);
  });
});

describe('exit code 3, configuration', () => {
  it('names the option with a bad value, and its source', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'config'));
    writeFileSync(join(home, 'config', 'chronicled.toml'), 'accounts = "many"\n');
    const ended = await chronicled(['dev', '--home', home, ...QUIET]);
    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(/E_CONFIG: .*chronicled\.toml.*accounts|E_CONFIG: .*accounts/);
  });

  it('says that a home was never initialised', async () => {
    const ended = await chronicled(['start', '--home', temporaryFolder(), ...QUIET]);
    expect(ended.code).toBe(3);
    expectMessage(ended, 'E_GENESIS');
    expect(ended.stderr).toContain('chronicled init');
  });
});

describe('exit code 3, an invalid genesis', () => {
  interface Genesis {
    chain_id?: string;
    initial_height: string;
    consensus: { validators: unknown[] };
    app_state: {
      auth: { accounts: unknown };
      bank: { balances: { address: string }[]; supply: unknown[] };
      staking: { validators: unknown[]; delegations: unknown[] };
      [module: string]: unknown;
    };
  }

  /** Replaces also the tokens, which are the balance of the last account. */
  function removeValidators({ consensus, app_state: { bank, staking } }: Genesis): void {
    consensus.validators = [];
    staking.validators = [];
    staking.delegations = [];
    bank.balances.pop();
    bank.supply = [];
  }

  let home: string;
  let valid: string;

  beforeAll(async () => {
    home = temporaryFolder();
    expect((await chronicledHere(['init', '--home', home])).code).toBe(0);
    valid = readFileSync(join(home, 'config', 'genesis.json'), 'utf8');
  });

  it.each<[string, (genesis: Genesis) => void, RegExp]>([
    ['no chain id', (genesis) => void delete genesis.chain_id, /chain_id: /],
    ['a negative height', (genesis) => void (genesis.initial_height = '-3'), /initial_height: .*negative/],
    ['no validators', removeValidators, /consensus\.validators: at least one/],
    [
      'accounts that are no list',
      (genesis) => void (genesis.app_state.auth.accounts = 5),
      /app_state\.auth: .*accounts.*expected Array/,
    ],
    [
      'an address of nobody',
      (genesis) => genesis.app_state.bank.balances.forEach((balance) => (balance.address = 'chron1xx')),
      /app_state\.bank\.balances\[0\]\.address: /,
    ],
    [
      'a supply that does not add up',
      (genesis) => void (genesis.app_state.bank.supply = [{ denom: 'achr', amount: '1' }]),
      /app_state\.bank\.supply: .*expected 1achr/,
    ],
    [
      'a module of another chain',
      (genesis) => void (genesis.app_state['wasm'] = { codes: [] }),
      /app_state: .*missing the modules wasm/,
    ],
  ])('with %s is refused with the key and the reason, and starts no chain', async (_, spoil, reason) => {
    const genesis: Genesis = JSON.parse(valid);
    spoil(genesis);
    const file = join(home, 'spoiled.json');
    writeFileSync(file, JSON.stringify(genesis));
    const before = filesOf(home);
    const ended = await chronicledHere(['start', '--home', home, '--genesis', file, ...QUIET]);
    expect(ended.code).toBe(3);
    expectMessage(ended, 'E_GENESIS');
    expect(ended.stderr).toContain(file);
    expect(ended.stderr).toMatch(reason);
    expect(filesOf(home)).toEqual(before);
  });

  it('that is not JSON is refused, and the corrected one starts in the same home', async () => {
    const file = join(home, 'broken.json');
    writeFileSync(file, valid.slice(0, -20));
    const ended = await chronicledHere(['start', '--home', home, '--genesis', file, ...QUIET]);
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('is not JSON') });
    writeFileSync(file, valid);
    const daemon = await startDaemonProcess({
      home,
      command: 'start',
      args: ['--genesis', file, '--block-time', '0.1'],
    });
    expect((await daemon.kill('SIGTERM')).code).toBe(0);
  });

  it.skipIf(!hasGolden)(
    'of a recorded chain names modules that the preset lacks, and starts with its own (needs recordings)',
    async () => {
      const args = ['--home', temporaryFolder(), '--genesis', goldenPath('chain-a/genesis.json'), ...QUIET];
      const ended = await chronicledHere(['start', ...args]);
      expect(ended.code).toBe(3);
      expectMessage(ended, 'E_GENESIS');
      expect(ended.stderr).toMatch(/preset chronicle is missing the modules precisebank\n/);
      const daemon = await startDaemonProcess({
        command: 'start',
        args: ['--genesis', goldenPath('chain-a/genesis.json'), '--preset', 'evmd'],
      });
      expect(await callEthereum(daemon.endpoints.eth_http ?? '', 'eth_chainId', [])).toBe('0x40000');
      const { node_info: node } = await call<{ readonly node_info: { readonly network: string } }>(
        daemon.endpoints.comet,
        'status',
        {},
      );
      expect(node.network).toBe('9001');
      expect((await daemon.kill('SIGTERM')).code).toBe(0);
    },
  );

  it('is required for a new chain whose preset is not that of dev', async () => {
    const ended = await chronicledHere(['dev', '--home', temporaryFolder(), '--preset', 'evmd', ...QUIET]);
    expect(ended.code).toBe(3);
    expectMessage(ended, 'E_CONFIG');
    expect(ended.stderr).toContain('a new chain of preset evmd needs a genesis file');
  });

  it.each([
    ['a preset without a genesis', ['dev', '--preset', 'evmd'], 'needs a genesis file'],
    ['a chain id without an EIP-155 id', ['dev', '--chain-id', 'abc'], 'has no EIP-155 id'],
    ['an unknown application version', ['dev', '--app-version', 'v7'], 'is no application version'],
    ['the chain id of another genesis', ['start', '--chain-id', 'other_1-1'], 'other_1-1'],
  ])('a first start that is refused for %s leaves the files of its home', async (_, words, message) => {
    const first = temporaryFolder();
    mkdirSync(join(first, 'config'));
    if (words.includes('start')) writeFileSync(join(first, 'config', 'genesis.json'), valid);
    const before = filesOf(first);
    const ended = await chronicledHere([...words, '--home', first, ...QUIET]);
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining(message) });
    expect(filesOf(first)).toEqual(before);
  });
});

/** Paths below a home, in order. */
function filesOf(home: string): readonly string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' }).toSorted();
}

describe('other exit codes', () => {
  it('2 for an unknown command or option, 8 for an unreachable node, 10 for a missing entry', async () => {
    expect((await chronicled(['dance'])).code).toBe(2);
    expect((await chronicledHere(['dev', '--no-such-option'])).code).toBe(2);
    const nobody = createServer();
    const port = await portOf(nobody);
    await new Promise((resolve) => nobody.close(resolve));
    const unreachable = await chronicled(['status', '--node', `tcp://127.0.0.1:${port}`]);
    expect(unreachable).toMatchObject({ code: 8, stderr: expect.stringContaining('chronicled start') });
    expect((await chronicledHere(['log', 'show', '--home', temporaryFolder()])).code).toBe(10);
  });

  // upgrade.test.ts tests exit code 7; the tests of the command line test 9.
  it('0 after a signal, 130 after a second signal during the shutdown', async () => {
    const daemon = await startDaemonProcess();
    void daemon.kill('SIGINT');
    const { code } = await daemon.kill('SIGINT');
    // The first signal may already have stopped it.
    expect([0, 130]).toContain(code);
  });
});

function databaseFiles(home: string, extension: string): readonly string[] {
  const folder = join(home, 'data', 'chronicle.db');
  return readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .map((name) => join(folder, name));
}

function portOf(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
