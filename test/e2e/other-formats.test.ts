/** Data of another format: every command that opens a home refuses it with its error id, and changes no byte. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, lstatSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { DATA_COMMANDS, type DataCommand } from '../../src/config/option-spec.js';
import { startNode } from '../../src/library/start-node.js';
import { EARLIEST_FORMAT, FORMAT } from '../../src/store/leveldb/format.js';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess } from '../support/daemon.js';
import { afterwards, temporaryFolder } from '../support/temporary.js';
import { signedSend } from './load.js';
import { call } from './comet-client.js';

/** Arguments of each command besides its own name. */
const ARGUMENTS: Readonly<Record<DataCommand, readonly string[]>> = {
  dev: ['--port-base', '0', '-q'],
  start: ['--port-base', '0', '-q'],
  abci: ['--address', 'tcp://127.0.0.1:0'],
  'log verify': [],
  'log show': [],
  'log diff': ['0', 'latest'],
  state: [],
  'log rebuild': [],
  'log export': [],
  'log import': ['-'],
  'upgrade rehearse': ['v2'],
  'pre-upgrade': [],
  rollback: ['--hard'],
  prune: [],
  backup: ['never-made'],
  export: [],
  'snapshots export': [],
  'snapshots restore': ['1', '3'],
};

const STARTS_NODE: ReadonlySet<DataCommand> = new Set(['dev', 'start', 'abci']);

/** Exit code, 3 by default. For 30, cosmovisor does not retry `pre-upgrade`. */
const EXIT_CODES: Partial<Record<DataCommand, number>> = { 'pre-upgrade': 30 };

const OTHERS = [
  { format: EARLIEST_FORMAT - 1, id: 'E_HOME_OLD', says: 'is of an earlier build', advises: 'chronicled reset' },
  { format: FORMAT + 1, id: 'E_HOME_NEWER', says: 'is of a newer build', advises: 'Run the newer build' },
] as const;

/** A stopped home with a block; nothing in it may change. */
let lived: string;

beforeAll(async () => {
  const daemon = await startDaemonProcess();
  await call(daemon.endpoints.comet, 'broadcast_tx_commit', { tx: signedSend(0, 0n).tx });
  expect(await daemon.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
  lived = daemon.home;
});

const markerOf = (home: string): string => join(home, 'data', 'chronicle.db', 'INITIALIZED');

function homeOf(format: number): string {
  const home = temporaryFolder();
  cpSync(lived, home, { recursive: true });
  writeFileSync(markerOf(home), `${format}\n`);
  return home;
}

/** Hash of all names, permissions, bytes and modification times of a folder. */
function hashOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const { mode, mtimeMs, size } = lstatSync(join(folder, name));
    hash.update(`${name} ${mode} ${mtimeMs} ${size}\n`);
    if (lstatSync(join(folder, name)).isFile()) hash.update(readFileSync(join(folder, name)));
  }
  return hash.digest('hex');
}

describe.each(OTHERS)('data of format $format', ({ format, id, says, advises }) => {
  it.each(DATA_COMMANDS)('is refused by `%s`, which changes no byte', async (command) => {
    const home = homeOf(format);
    const before = hashOf(home);
    const args = [...command.split(' '), ...ARGUMENTS[command], '--home', home];
    // What starts a node must not start it in the process of the test.
    const ended = await (STARTS_NODE.has(command) ? chronicled : chronicledHere)(args);
    expect(ended).toMatchObject({ code: EXIT_CODES[command] ?? 3, stdout: '' });
    expect(ended.stderr).toMatch(new RegExp(`^${id}: .* ${says}`));
    expect(ended.stderr).toContain(`format of the data is ${format}, this build reads ${EARLIEST_FORMAT} to ${FORMAT}`);
    expect(ended.stderr).toContain(advises);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
    expect(hashOf(home)).toBe(before);
  });

  it('is refused by startNode, also in an unfinished replacement of the database', async () => {
    const home = homeOf(format);
    renameSync(join(home, 'data', 'chronicle.db'), join(home, 'data', 'chronicle.db.replaced'));
    const before = hashOf(home);
    await expect(startNode({ home })).rejects.toMatchObject({ code: id });
    expect(hashOf(home)).toBe(before);
  });
});

it.each([EARLIEST_FORMAT, FORMAT])(
  'data of format %i opens, and a write sets the format of this build',
  async (format) => {
    const home = homeOf(format);
    const before = hashOf(home);
    expect(await chronicledHere(['log', 'verify', '--home', home])).toMatchObject({ code: 0, stderr: '' });
    expect(hashOf(home)).toBe(before);
    expect(await chronicledHere(['rollback', '--home', home])).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(markerOf(home), 'utf8')).toBe(`${FORMAT}\n`);
    expect(await chronicledHere(['log', 'verify', '--home', home])).toMatchObject({ code: 0, stderr: '' });
  },
);

/** Homes of earlier builds: at commit 90a3e0fa, and from before the SDK modules. */
function earlierHome(name: 'format-1' | 'format-1-fewer-modules'): string {
  const home = temporaryFolder();
  execFileSync('tar', ['xzf', fileURLToPath(new URL(`../fixtures/homes/${name}.tar.gz`, import.meta.url)), '-C', home]);
  return home;
}

it('a node continues the chain of an earlier build', async () => {
  const home = earlierHome('format-1');
  const node = await startNode({ home });
  afterwards(() => node.stop());
  const [, receiver = '0x'] = await node.ethereum.request({ method: 'eth_accounts' });
  const balanceAt = (block: 'latest' | '0x1') =>
    node.ethereum.request({ method: 'eth_getBalance', params: [receiver, block] });
  expect(BigInt(await balanceAt('latest')) - BigInt(await balanceAt('0x1'))).toBe(7n);
  expect(readFileSync(markerOf(home), 'utf8')).toBe(`${FORMAT}\n`);
  await node.ethereum.request({ method: 'evm_mine' });
});

it.each(['start', 'log rebuild', 'rollback', 'export'] as const)(
  '`%s` refuses a chain of an earlier build that lacks modules, and changes no byte',
  async (command) => {
    const home = earlierHome('format-1-fewer-modules');
    const before = hashOf(home);
    const run = command === 'start' ? chronicled : chronicledHere;
    const ended = await run([...command.split(' '), ...ARGUMENTS[command], '--home', home]);
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toMatch(/^E_HOME_OLD: .*\nits chain was begun when preset chronicle had no modules /);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
    expect(hashOf(home)).toBe(before);
  },
);
