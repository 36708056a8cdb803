/** Mistakes of a newcomer: the error message says what to do, and shows no stack. */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listenProblem, systemFailure } from '../../src/config/index.js';
import { root } from '../package/installed-package.js';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess, temporaryFolder } from '../support/daemon.js';

const PORTS = ['--port-base', '0'];

test('errors advise on amounts in the display unit, wrong ports and wrong addresses', async () => {
  const { endpoints } = await startDaemonProcess();
  const { comet, eth_http: ethereum = '', grpc = '', rest = '' } = endpoints;
  const env = { CHRONICLED_NODE: comet, CHRONICLED_ETH_NODE: ethereum, CHRONICLED_HOME: temporaryFolder() };
  const run = (...args: readonly string[]) => chronicledHere(args, { env });
  const refused = async (code: number, text: string, ...args: readonly string[]): Promise<void> => {
    const ended = await run(...args);
    expect({ args, code: ended.code, stderr: ended.stderr }).toEqual({
      args,
      code,
      stderr: expect.stringContaining(text),
    });
    expect(ended.stderr).not.toMatch(/\n\s+at /);
  };

  const before = BigInt(
    JSON.parse((await run('query', 'bank', 'balance', 'dev1', 'achr', '-o', 'json')).stdout).balance.amount,
  );
  const sent = await run('tx', 'bank', 'send', 'dev0', 'dev1', '1.5chr', '--fees', '0.01chr', '-y', '-b', 'block');
  expect(JSON.parse(sent.stdout)).toMatchObject({ code: 0 });
  const after = BigInt(
    JSON.parse((await run('query', 'bank', 'balance', 'dev1', 'achr', '-o', 'json')).stdout).balance.amount,
  );
  expect(after - before).toBe(15n * 10n ** 17n);
  await refused(2, 'achr has no decimals', 'tx', 'bank', 'send', 'dev0', 'dev1', '1.5achr', '-y');
  await refused(2, 'chr has 18 decimals', 'tx', 'bank', 'send', 'dev0', 'dev1', `0.${'1'.repeat(19)}chr`, '-y');

  await refused(8, 'is an Ethereum JSON-RPC: give it as --eth-node', 'status', '--node', ethereum);
  await refused(8, 'is a consensus RPC: give it as --node', 'dev', 'mine', '--eth-node', comet);
  await refused(8, 'listens on port 26657 by default', 'status', '--node', rest);
  await refused(8, 'listens on port 8545 by default', 'dev', 'mine', '--eth-node', rest);
  await refused(8, 'listens on port 26657 by default', 'status', '--node', grpc);
  await refused(8, 'E_UNREACHABLE: No node at tcp://127.0.0.1:1. Start one', 'status', '--node', 'tcp://127.0.0.1:1');
  await refused(8, 'Start one: chronicled dev', 'dev', 'mine', '--eth-node', 'http://127.0.0.1:1');

  await refused(
    2,
    '"0x12" is not an address: expected 0x and 40 hexadecimal digits',
    'query',
    'bank',
    'balances',
    '0x12',
  );
  const wrong = 'chron17w0adeg64ky0daxwd2ugyuneellmjgnxhhzugq';
  await refused(2, 'is not an address: its checksum is wrong', 'query', 'bank', 'balances', wrong);
  await refused(10, 'key not found: nobody', 'query', 'bank', 'balances', 'nobody');
});

test('the error names a home that cannot be written, with the reason', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const home = join(file, 'home');
  for (const args of [['dev', '--port-base', '0'], ['init'], ['keys', 'add', 'mine']]) {
    const run = args[0] === 'dev' ? chronicled : chronicledHere;
    const { code, stderr } = await run([...args, '--home', home]);
    expect({ args, code, stderr }).toEqual({
      args,
      code: 3,
      stderr: expect.stringMatching(/^E_UNWRITABLE: .*file.* cannot be written: .*\n.*--home/),
    });
  }
});

test.skipIf(!existsSync('/proc/self'))('the error names a home where the system cannot create a folder', async () => {
  for (const args of [['dev', '--port-base', '0'], ['init'], ['keys', 'add', 'mine']]) {
    const run = args[0] === 'dev' ? chronicled : chronicledHere;
    const { code, stderr } = await run([...args, '--home', '/proc/none/home']);
    expect({ args, code, stderr }).toEqual({
      args,
      code: 3,
      stderr: expect.stringMatching(
        /^E_UNWRITABLE: \/proc\/none cannot be written: the system makes no folder there\.\n.*--home/,
      ),
    });
  }
});

test('errors advise on a folder of another user, and on a missing native part', () => {
  const denied = Object.assign(new Error('EACCES: permission denied, mkdir'), { code: 'EACCES', path: '/somewhere' });
  expect(systemFailure(denied)).toEqual({ id: 'E_UNWRITABLE', path: '/somewhere', reason: 'permission denied' });
  const missing = new Error('No native build was found for platform=linux arch=riscv64\n    loaded from: somewhere');
  expect(systemFailure(missing)).toEqual({
    id: 'E_NATIVE_BINARY',
    message: 'No native build was found for platform=linux arch=riscv64',
  });
  expect(systemFailure(new Error('a defect'))).toBeUndefined();
});

test('dev and init refuse a number as chain id with an example, and create no home', async () => {
  for (const command of ['dev', 'init']) {
    const home = join(temporaryFolder(), 'home');
    const run = command === 'dev' ? chronicled : chronicledHere;
    const { code, stderr } = await run([command, '--chain-id', '31337', '--home', home, ...PORTS]);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(
        /^E_CONFIG: --chain-id: the chain id "31337" has no EIP-155 id in it: .*chronicle_31337-1.*--evm-chain-id 31337\nSee every option with: chronicled dev --help\n$/,
      ),
    });
    expect(existsSync(join(home, 'config', 'genesis.json'))).toBe(false);
    if (command === 'init') expect(existsSync(home)).toBe(false);
  }
  const running = await startDaemonProcess({ args: ['--chain-id', '31337', '--evm-chain-id', '31337'] });
  expect(running.ready).toMatchObject({ chain_id: '31337', evm_chain_id: '31337' });
});

test('the error for an address that cannot be bound has the reason and the typed command', async () => {
  // TEST-NET-1 of RFC 5737, which no machine has.
  const { code, stderr } = await chronicled(['dev', '--ephemeral', ...PORTS, '--rpc.laddr', '192.0.2.1:3333']);
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr:
      'E_CONFIG: comet cannot listen on 192.0.2.1:3333: this machine has no such address (EADDRNOTAVAIL)\nSee every option with: chronicled dev --help\n',
  });
  expect(listenProblem('listen EACCES: permission denied 127.0.0.1:80')).toMatch(
    /^permission denied \(EACCES\); ports below/,
  );
  expect(listenProblem('EACCES')).toMatch(/^permission denied/);
  expect(listenProblem('of another kind')).toBe('of another kind');
});

test('start and commands that read a home ask for a genesis file, and create no home', async () => {
  const home = join(temporaryFolder(), 'home');
  for (const [args, file] of [
    [['start'], join(home, 'config', 'genesis.json')],
    [['abci', '--address', 'tcp://127.0.0.1:0'], join(home, 'config', 'genesis.json')],
    [['dev', '--ephemeral', '--genesis', join(home, 'own.json')], join(home, 'own.json')],
    [['dev', '--genesis', join(home, 'own.json')], join(home, 'own.json')],
  ] as const) {
    const { code, stderr } = await chronicled([...args, '--home', home, ...PORTS]);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: `E_GENESIS: There is no genesis file ${file}.\nMake one with: chronicled init, or name another with --genesis. A development chain needs none: chronicled dev\n`,
    });
  }
  for (const command of ['log verify', 'log rebuild', 'rollback', 'upgrade rehearse x'])
    expect(await chronicledHere([...command.split(' '), '--home', home])).toMatchObject({
      code: 10,
      stderr: `no chain in ${home}\nName another home with --home, or start a chain with: chronicled dev\n`,
    });
  expect(existsSync(home)).toBe(false);
});

test('npm start before npm ci asks for npm ci', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'scripts'));
  copyFileSync(join(root, 'scripts', 'check-install.js'), join(folder, 'scripts', 'check-install.js'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const { code, stderr } = await new Promise<{ readonly code: number | null; readonly stderr: string }>((resolve) => {
    const child = execFile(process.execPath, ['scripts/check-install.js'], { cwd: folder }, (_, __, text) =>
      resolve({ code: child.exitCode, stderr: text }),
    );
  });
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('npm ci') });
});
