/**
 * The command line as a user runs it: against a node, and the files that it writes. `cli-docs.test.ts` runs each
 * command of the page in a process of its own.
 */
import { execFile } from 'node:child_process';
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chronicled, PROGRAM } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { ownEnvironment } from '../support/own-environment.js';
import { removeFolder, temporaryFolder } from '../support/temporary.js';

const DEV1 = 'chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9';

/** Runs a command with lines on its standard input. */
function typing(
  args: readonly string[],
  input: string,
  cwd: string,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [PROGRAM, ...args],
      { cwd, env: ownEnvironment(), timeout: 45_000, killSignal: 'SIGKILL' },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

describe('against a node', () => {
  const folder = temporaryFolder();
  let daemon: DaemonProcess;
  let node: string;
  let eth: string;
  beforeAll(async () => {
    daemon = await startDaemonProcess({ args: ['--ephemeral', '--mining', 'instant'] });
    node = daemon.endpoints.comet.replace(/^http/, 'tcp');
    eth = daemon.endpoints.eth_http ?? '';
  }, 60_000);
  afterAll(() => removeFolder(folder));
  const env = () => ({ CHRONICLED_NODE: node, CHRONICLED_ETH_NODE: eth, CHRONICLED_HOME: folder });
  /** Files that the command line reads and writes are in the folder. */
  const run = (...args: readonly string[]) =>
    chronicledHere(
      args.map((word) => (word.endsWith('.json') ? join(folder, word) : word)),
      { env: env() },
    );
  const ok = async (...args: readonly string[]): Promise<string> => {
    const ended = await run(...args);
    expect(ended.code, `${args.join(' ')}: ${ended.stderr}`).toBe(0);
    return ended.stdout;
  };

  test('a transaction is generated, signed, validated and broadcast in steps, in every sign mode', async () => {
    for (const mode of ['direct', 'amino-json', 'textual']) {
      writeFileSync(
        join(folder, 'u.json'),
        await ok('tx', 'bank', 'send', 'dev0', DEV1, '7achr', '--generate-only', '--gas', '200000'),
      );
      await ok('tx', 'sign', 'u.json', '--from', 'dev0', '--sign-mode', mode, '--output-document', 's.json');
      expect(await ok('tx', 'validate-signatures', 's.json')).toContain('[OK]');
      const encoded = (await ok('tx', 'encode', 's.json')).trim();
      expect(JSON.parse(await ok('tx', 'decode', encoded))).toEqual(
        JSON.parse(readFileSync(join(folder, 's.json'), 'utf8')),
      );
      expect(await ok('tx', 'simulate', 'u.json', '--from', 'dev0')).toMatch(/gas_used: "[0-9]+"/);
      const sent: { readonly code: number; readonly txhash: string } = JSON.parse(
        await ok('tx', 'broadcast', 's.json', '-b', 'block'),
      );
      expect(sent.code).toBe(0);
      expect(JSON.parse(await ok('query', 'tx', sent.txhash, '-o', 'json'))).toMatchObject({
        code: 0,
        txhash: sent.txhash,
      });
      expect(await ok('query', 'wait-tx', sent.txhash)).toContain(sent.txhash);
    }
  }, 90_000);

  test('two of three keys sign for a multisig account, and one of them alone is refused', async () => {
    await ok('keys', 'add', 'team', '--multisig', 'dev0,dev1,dev2', '--multisig-threshold', '2');
    const team = (await ok('keys', 'show', 'team', '-a')).trim();
    await ok('faucet', team, '5chr', '-b', 'block');
    writeFileSync(
      join(folder, 'team.json'),
      await ok('tx', 'bank', 'send', team, DEV1, '1achr', '--generate-only', '--gas', '300000'),
    );
    for (const member of ['dev0', 'dev2'])
      await ok(
        'tx',
        'sign',
        'team.json',
        '--from',
        member,
        '--multisig',
        'team',
        '--output-document',
        `${member}.json`,
      );
    await ok('tx', 'multi-sign', 'team.json', 'team', 'dev0.json', '--output-document', 'one.json');
    const refused = await chronicled(['tx', 'broadcast', 'one.json'], { cwd: folder, env: env() });
    expect(refused).toMatchObject({ code: 9 });
    expect(refused.stderr).toContain('signature verification failed');
    await ok('tx', 'multi-sign', 'team.json', 'team', 'dev0.json', 'dev2.json', '--output-document', 'both.json');
    expect(await ok('tx', 'validate-signatures', 'both.json')).toContain('[OK]');
    expect(JSON.parse(await ok('tx', 'broadcast', 'both.json', '-b', 'block'))).toMatchObject({ code: 0 });
  }, 90_000);

  test('sign-batch signs the transactions of a file with consecutive sequences', async () => {
    const line = (await ok('tx', 'bank', 'send', 'dev4', DEV1, '1achr', '--generate-only', '--gas', '200000')).trim();
    writeFileSync(join(folder, 'batch.json'), `${line}\n${line}\n`);
    writeFileSync(join(folder, 'signed.json'), await ok('tx', 'sign-batch', 'batch.json', '--from', 'dev4'));
    await ok('tx', 'broadcast', 'signed.json');
  }, 60_000);

  test('dev commands mine blocks, revert to snapshots, set balances and move the clock', async () => {
    const before = BigInt(await ok('dev', 'mine'));
    expect(BigInt(await ok('dev', 'mine', '3'))).toBeGreaterThanOrEqual(before + 3n);
    const snapshot = (await ok('dev', 'snapshot')).trim();
    await ok('dev', 'fund', 'dev5', '1.5chr');
    expect(await ok('query', 'bank', 'balance', 'dev5', 'achr')).toContain('"10001500000000000000000"');
    await ok('dev', 'revert', snapshot);
    expect(await ok('query', 'bank', 'balance', 'dev5', 'achr')).toContain('"10000000000000000000000"');
    await ok('dev', 'set-balance', 'dev5', '42');
    expect(await ok('query', 'bank', 'balance', 'dev5', 'achr')).toContain('"42"');
    const now = Date.parse((await ok('dev', 'time')).trim());
    await ok('dev', 'time', 'increase', '3600');
    await ok('dev', 'mine');
    expect(Date.parse((await ok('dev', 'time', 'show')).trim())).toBeGreaterThanOrEqual(now + 3_600_000);
  }, 90_000);

  test('a signed Ethereum transaction goes through the consensus RPC', async () => {
    const { privateKeyToAccount } = await import('viem/accounts');
    const account = privateKeyToAccount('0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6');
    const raw = await account.signTransaction({
      chainId: 271_828,
      nonce: 0,
      gas: 21_000n,
      maxFeePerGas: 4_000_000_000n,
      maxPriorityFeePerGas: 1n,
      to: account.address,
      value: 1n,
      type: 'eip1559',
    });
    const printed = await ok('tx', 'evm', 'raw', raw, '--generate-only');
    expect(printed).toContain(raw);
    writeFileSync(join(folder, 'raw.json'), printed);
    expect(JSON.parse(await ok('tx', 'evm', 'raw', raw, '-y', '-b', 'block'))).toMatchObject({ code: 0 });
  }, 60_000);

  test('a misspelt command exits with 2 and a suggestion, a missing feature with 11, an absent plan with 1', async () => {
    expect(await run('query', 'bank', 'balnces')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean balances?'),
    });
    expect(await run('dev', 'mien')).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean mine?') });
    expect(await chronicled(['testnet', 'start'])).toMatchObject({
      code: 11,
      stderr: 'Error: testnet: not available yet\n',
    });
    expect(await run('query', 'upgrade', 'plan')).toMatchObject({ code: 1, stderr: 'Error: no upgrade scheduled\n' });
    expect(await run('tx', 'bank', 'send', 'dev0', DEV1, '1achr', '--offline', '--gas', '1', '-y')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('account-number and sequence must be set in offline mode'),
    });
  }, 60_000);
});

describe('without a node', () => {
  test('the file keyring encrypts a key, and refuses a wrong passphrase', async () => {
    const folder = temporaryFolder();
    const file = ['--keyring-backend', 'file', '--home', folder];
    const words = 'test test test test test test test test test test test junk';
    expect(
      (await typing(['keys', 'add', 'k', '--recover', words, ...file], 'a passphrase\na passphrase\n', folder)).code,
    ).toBe(0);
    const stored = readFileSync(join(folder, 'keyring-file', 'k.json'), 'utf8');
    expect(stored).not.toContain('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
    expect(statSync(join(folder, 'keyring-file', 'k.json')).mode & 0o777).toBe(0o600);
    expect((await typing(['keys', 'show', 'k', '-a', ...file], 'a passphrase\n', folder)).stdout).toBe(
      'chron17w0adeg64ky0daxwd2ugyuneellmjgnxhhzugr\n',
    );
    expect(await typing(['keys', 'show', 'k', ...file], 'another one\n', folder)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('incorrect passphrase'),
    });
    removeFolder(folder);
  }, 60_000);

  test('configuration is set, shown with its origin and checked', async () => {
    const folder = temporaryFolder();
    const home = ['--home', folder];
    expect((await chronicledHere(['config', 'set', 'json-rpc.address', '127.0.0.1:1234', ...home])).code).toBe(0);
    expect((await chronicledHere(['config', 'get', 'app', 'json-rpc.address', ...home])).stdout).toBe(
      '"127.0.0.1:1234"\n',
    );
    expect((await chronicledHere(['config', 'show', '--origin', ...home])).stdout).toContain(
      'json-rpc.address = "127.0.0.1:1234"  # ',
    );
    expect((await chronicledHere(['config', 'set', 'json-rpc.address', 'nowhere', ...home])).code).toBe(3);
    expect(await chronicledHere(['config', 'get', 'json-rpc.adress', ...home])).toMatchObject({
      code: 10,
      stderr: expect.stringContaining('did you mean json-rpc.address?'),
    });
    for (const command of ['home', 'path', 'view', 'validate'])
      expect((await chronicledHere(['config', command, ...home])).code).toBe(0);
    removeFolder(folder);
  }, 60_000);

  test('a genesis file of init takes new accounts and stays valid', async () => {
    const folder = temporaryFolder();
    const home = ['--home', folder];
    expect((await chronicledHere(['init', 'here', ...home])).code).toBe(0);
    expect(
      (
        await chronicledHere([
          'genesis',
          'add-genesis-account',
          '0x00000000000000000000000000000000000000aa',
          '5achr',
          ...home,
        ])
      ).code,
    ).toBe(0);
    expect(
      (
        await chronicledHere([
          'genesis',
          'add-genesis-account',
          '0x00000000000000000000000000000000000000aa',
          '5achr',
          ...home,
        ])
      ).code,
    ).toBe(1);
    expect(
      (
        await chronicledHere([
          'genesis',
          'add-account',
          '0x00000000000000000000000000000000000000aa',
          '5achr',
          '--append',
          ...home,
        ])
      ).code,
    ).toBe(0);
    expect((await chronicledHere(['genesis', 'validate', ...home])).stdout).toContain('is a valid genesis file');
    expect((await chronicledHere(['genesis', 'migrate', 'v0.47'])).code).toBe(11);
    removeFolder(folder);
  }, 60_000);

  test('an exported genesis starts a chain with the same balances and sequences', async () => {
    const [folder, second] = [temporaryFolder(), temporaryFolder()];
    const first = await startDaemonProcess({ home: folder, args: ['--mining', 'instant'] });
    const there = ['-y', '-b', 'block', '--node', first.endpoints.comet.replace(/^http/, 'tcp')];
    for (const words of [
      ['bank', 'send', 'dev0', 'dev1', '7achr'],
      ['staking', 'delegate', 'dev0', '100chr', '--from', 'dev2'],
    ]) {
      const sent = await chronicledHere(['tx', ...words, ...there]);
      expect(sent.code, sent.stderr).toBe(0);
    }
    await first.kill('SIGTERM');
    const file = join(folder, 'exported.json');
    expect((await chronicledHere(['export', '--home', folder, '--output-document', file])).code).toBe(0);
    const { initial_height: initial }: { readonly initial_height: string } = JSON.parse(readFileSync(file, 'utf8'));
    expect(BigInt(initial)).toBeGreaterThan(1n);
    expect((await chronicledHere(['genesis', 'validate', file, '--home', folder])).code).toBe(0);
    expect((await chronicledHere(['export', '--home', folder, '--height', '999999'])).code).toBe(10);
    // The exported chain has the validator of the first home.
    cpSync(join(folder, 'config', 'priv_validator_key.json'), join(second, 'config', 'priv_validator_key.json'));
    const again = await startDaemonProcess({ home: second, args: ['--genesis', file] });
    const node = again.endpoints.comet.replace(/^http/, 'tcp');
    expect((await chronicledHere(['query', 'bank', 'balance', 'dev1', 'achr', '--node', node])).stdout).toContain(
      '"10000000000000000000007"',
    );
    expect((await chronicledHere(['query', 'auth', 'account-info', 'dev0', '--node', node])).stdout).toContain(
      'sequence: "1"',
    );
    await again.kill('SIGTERM');
    for (const home of [folder, second]) removeFolder(home);
  }, 90_000);

  test.each(['bash', 'zsh', 'fish'])('the completion of %s names commands and flags', async (shell) => {
    const { code, stdout } = await chronicledHere(['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['multi-send', '--broadcast-mode', 'module_versions', 'faucet']) expect(stdout).toContain(word);
  });
});
