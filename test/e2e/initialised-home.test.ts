/** A home that `init` wrote, as `start`, `dev` and the other commands find it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess, temporaryFolder } from '../support/daemon.js';

async function initialised(...args: readonly string[]): Promise<string> {
  const home = temporaryFolder();
  const { code, stderr } = await chronicledHere(['init', '--home', home, ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return home;
}

async function ethereum({ endpoints }: DaemonProcess, method: string, params: readonly unknown[] = []) {
  const response = await fetch(endpoints.eth_http ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await response.json()) as { readonly result?: unknown; readonly error?: { readonly message: string } };
}

const genesisOf = (home: string): string => join(home, 'config', 'genesis.json');

/** Replaces also the tokens, which are the balance of the last account. */
function withoutValidators(text: string): string {
  const genesis = JSON.parse(text);
  const { bank, staking } = genesis.app_state;
  genesis.consensus.validators = [];
  staking.validators = [];
  staking.delegations = [];
  bank.balances.pop();
  bank.supply = [];
  return JSON.stringify(genesis);
}

test('start finds the name and the EVM chain id that init was given', async () => {
  const home = await initialised('mynode', '--chain-id', 'plain', '--evm-chain-id', '9001');
  const other = await chronicled(['start', '--home', home, '--port-base', '0', '--chain-id', 'other_77-1']);
  expect(other).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('E_CONFIG: --chain-id: the genesis has the chain id plain, not other_77-1'),
  });
  expect(await chronicledHere(['genesis', 'validate', '--home', home])).toMatchObject({ code: 0 });
  const daemon = await startDaemonProcess({ command: 'start', home });
  expect(await ethereum(daemon, 'eth_chainId')).toMatchObject({ result: '0x2329' });
  const status = await (await fetch(`${daemon.endpoints.comet}/status`)).text();
  expect(status).toContain('"moniker":"mynode"');
});

test('a started chain continues without its genesis file', async () => {
  const home = await initialised();
  const first = await startDaemonProcess({ command: 'start', home });
  await first.kill('SIGTERM');
  rmSync(genesisOf(home));
  const second = await startDaemonProcess({ command: 'start', home });
  expect(await ethereum(second, 'eth_chainId')).toMatchObject({ result: '0x425d4' });
});

test('init --preset writes a genesis of that preset, which start runs', async () => {
  const home = await initialised('--chain-id', 'other_77-1', '--preset', 'evmd');
  const { app_state: sections } = JSON.parse(readFileSync(genesisOf(home), 'utf8'));
  expect(Object.keys(sections)).toEqual(expect.arrayContaining(['bank', 'staking', 'evm', 'erc20']));
  for (const absent of ['dev', 'crisis', 'params']) expect(sections).not.toHaveProperty(absent);
  const daemon = await startDaemonProcess({ command: 'start', home });
  expect(await ethereum(daemon, 'eth_chainId')).toMatchObject({ result: '0x4d' });
});

test('dev starts its chain from the genesis of its home, and says so', async () => {
  const home = await initialised('--chain-id', 'other_77-1', '--accounts', '2');
  const daemon = await startDaemonProcess({ home });
  expect(await ethereum(daemon, 'eth_chainId')).toMatchObject({ result: '0x4d' });
  const { result } = await ethereum(daemon, 'rpc_discover');
  const names = (result as { readonly methods: readonly { readonly name: string }[] }).methods.map(({ name }) => name);
  expect(names).toContain('evm_mine');
  expect(names).not.toContain('anvil_setBalance');
  const account = `0x${'07'.repeat(20)}`;
  expect((await ethereum(daemon, 'anvil_setBalance', [account, '0x1'])).error?.message).toBe(
    'the method anvil_setBalance does not exist/is not available: the genesis of this chain does not enable development transactions (app_state.dev.enabled)',
  );
  for (const method of ['evm_mine', 'evm_snapshot', 'anvil_nodeInfo'])
    expect((await ethereum(daemon, method)).error).toBeUndefined();
  await daemon.kill('SIGTERM');
  expect(daemon.stderr()).toContain(`  Genesis   ${genesisOf(home)}\n`);
  expect(daemon.stderr()).toContain('  Accounts (2 of 10 funded, ');
  expect(daemon.stderr()).toContain('  Commands  that set accounts and blocks are off');
  const again = await startDaemonProcess({ home });
  await again.kill('SIGTERM');
  expect(again.stderr()).toContain('  Commands  that set accounts and blocks are off');
});

/** Genesis of a chain that `init` creates without flags. */
let genesis: string;

beforeAll(async () => {
  genesis = readFileSync(genesisOf(await initialised()), 'utf8');
});

test.each([
  ['as it is', (text: string) => text, undefined],
  ['without validators', withoutValidators, /validator/],
  [
    'with other validators than those of staking',
    (text: string) => text.replace('"power": "1000"', '"power": "999"'),
    /consensus\.validators/,
  ],
  [
    'with a section of an unknown module',
    (text: string) => text.replace('"auth": {', '"wasm": {"x":1}, "auth": {'),
    /wasm/,
  ],
  ['without an EVM chain id', (text: string) => text.replace('chronicle_271828-1', 'plain'), /--evm-chain-id/],
  [
    'with a wrong supply',
    (text: string) => text.replace(/"supply": \[[^\]]*\]/, '"supply": [{"denom":"achr","amount":"1"}]'),
    /supply/,
  ],
  [
    'with a module that refuses its section',
    (text: string) => text.replace('"tx_sig_limit": "7"', '"tx_sig_limit": "x"'),
    /tx_sig_limit/,
  ],
  ['that is not JSON', () => '{', /JSON/],
])('genesis validate and dev --genesis agree about a genesis %s', async (_, edit, refusal) => {
  const file = join(temporaryFolder(), 'genesis.json');
  writeFileSync(file, edit(genesis));
  const validated = await chronicledHere(['genesis', 'validate', file]);
  const home = temporaryFolder();
  const started =
    refusal === undefined
      ? {
          code: (await (await startDaemonProcess({ home, args: ['--genesis', file] })).kill('SIGTERM')).code,
          stderr: '',
        }
      : await chronicledHere(['dev', '--genesis', file, '--home', home, '--port-base', '0']);
  expect(validated.code).toBe(refusal === undefined ? 0 : 3);
  expect(started.code).toBe(validated.code);
  if (refusal === undefined) return;
  expect(validated.stderr).toMatch(refusal);
  expect(started.stderr).toMatch(refusal);
});

test('a node whose key is not a validator says so in its banner, its health and its refusals', async () => {
  const file = genesisOf(await initialised());
  const daemon = await startDaemonProcess({ args: ['--genesis', file] });
  const health = await fetch(`${daemon.endpoints.metrics}/health`);
  expect(health.status).toBe(503);
  expect(await health.json()).toMatchObject({
    status: 'noValidator',
    reason: expect.stringContaining('priv_validator_key.json'),
  });
  const { error } = await ethereum(daemon, 'evm_mine');
  expect(error?.message).toContain('its key is no validator of the chain');
  expect(error?.message).not.toContain('halted');
  await daemon.kill('SIGTERM');
  expect(daemon.stderr()).toMatch(/ {2}Mining {4}this node makes no blocks: its key is no validator/);
});

test('a multisig transaction of --generate-only has enough gas for its signatures', async () => {
  const home = temporaryFolder();
  const daemon = await startDaemonProcess();
  const env = { CHRONICLED_NODE: daemon.endpoints.comet.replace(/^http/, 'tcp'), CHRONICLED_HOME: home };
  const file = (name: string): string => join(home, name);
  const run = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await chronicledHere(args, { env });
    expect(code, `chronicled ${args.join(' ')}: ${stderr}`).toBe(0);
    return stdout;
  };
  const members = ['a', 'b', 'c', 'd', 'e'];
  for (const name of members) await run('keys', 'add', name);
  await run('keys', 'add', 'team', '--multisig', members.join(','), '--multisig-threshold', '5');
  await run('tx', 'bank', 'send', 'dev0', 'team', '1000000000000000000achr', '-y', '-b', 'block');
  const address = (await run('keys', 'show', 'team', '-a')).trim();
  const { info } = JSON.parse(await run('query', 'auth', 'account-info', address, '-o', 'json')) as {
    readonly info: { readonly account_number: string };
  };
  const account = ['-a', info.account_number, '--chain-id', 'chronicle_271828-1', '--sign-mode', 'amino-json'];
  // First only the keyring knows the account's key, and then only the chain.
  for (const [sequence, sender] of [
    ['0', ['team']],
    ['1', [address, '--keyring-backend', 'memory']],
  ] as const) {
    const [from, ...backend] = sender;
    writeFileSync(
      file('tx.json'),
      await run('tx', 'bank', 'send', from, 'dev1', '1achr', '--generate-only', ...backend),
    );
    const signatures = members.map((name) => file(`${name}.json`));
    for (const [index, name] of members.entries())
      writeFileSync(
        signatures[index] ?? '',
        await run('tx', 'sign', file('tx.json'), '--from', name, '--multisig', address, '-s', sequence, ...account),
      );
    const signed = await run('tx', 'multi-sign', file('tx.json'), 'team', ...signatures);
    writeFileSync(file('signed.json'), signed);
    expect(JSON.parse(await run('tx', 'broadcast', file('signed.json'), '-b', 'block'))).toMatchObject({ code: 0 });
  }
});
