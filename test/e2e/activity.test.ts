import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Address,
  getAddress,
  createPublicClient,
  createWalletClient,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  parseEther,
  toFunctionSelector,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { fromHex } from '../../src/core/bytes/hex.js';
import { encodeAddress } from '../../src/core/sdk/codec/address.js';
import { runCli } from '../cli/support.js';
import { Token, Worker } from '../contracts/index.js';
import { PROGRAM } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess, temporaryFolder } from '../support/daemon.js';

const MNEMONIC = 'test test test test test test test test test test test junk';
const account = mnemonicToAccount(MNEMONIC);
const DEV1 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
/** The validator that dev0 operates. */
const VALIDATOR = encodeAddress('chronvaloper', fromHex(account.address.slice(2)));
const CHAIN = {
  id: 271828,
  name: 'chronicle',
  nativeCurrency: { name: 'chr', symbol: 'CHR', decimals: 18 },
  rpcUrls: { default: { http: [] } },
} as const;
const GAS = { gas: 600_000n, gasPrice: 5_000_000_000n } as const;
/** Calls the address of console.log with its own call data: 36 5f 5f 37 (copy), 5f 5f 36 5f PUSH11 GAS STATICCALL. */
const LOGGER = '365f5f375f5f365f6a636f6e736f6c652e6c6f675afa00';
/** The logger with a revert (5f 5f fd) in place of the end. */
const REVERTING_LOGGER = `${LOGGER.slice(0, -2)}5f5ffd`;
/** Init code that creates a contract with this runtime code. */
const deploying = (code: string): Hex =>
  `0x60${(code.length / 2).toString(16).padStart(2, '0')}600c60003960${(code.length / 2).toString(16).padStart(2, '0')}6000f3${code}`;

const CREATE_TOKEN: Hex = `${Token.bytecode}${encodeAbiParameters(
  [{ type: 'string' }, { type: 'string' }, { type: 'uint256' }],
  ['T', 'T', 9n],
).slice(2)}`;

function clientsOf({ endpoints }: DaemonProcess) {
  const transport = http(endpoints.eth_http);
  const wallet = createWalletClient({ account, chain: CHAIN, transport });
  const reader = createPublicClient({ chain: CHAIN, transport, pollingInterval: 50 });
  const mined = (hash: Hex) => reader.waitForTransactionReceipt({ hash });
  return {
    reader,
    send: async (to: Address, data: Hex, value = 0n) =>
      mined(await wallet.sendTransaction({ to, data, value, ...GAS })),
    deploy: async (data: Hex): Promise<Address> => {
      const { contractAddress } = await mined(await wallet.sendTransaction({ data, ...GAS }));
      if (contractAddress === null || contractAddress === undefined) throw new Error('a contract was created');
      return getAddress(contractAddress);
    },
  };
}

const transfer = (amount: bigint): Hex =>
  encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [DEV1, amount] });

const printing = (text: string, number: bigint): Hex =>
  `${toFunctionSelector('log(string,uint256)')}${encodeAbiParameters([{ type: 'string' }, { type: 'uint256' }], [text, number]).slice(2)}`;

test('a dev node logs transactions with contract names, reverts with reasons, and console.log output', async () => {
  const folder = temporaryFolder();
  const daemon = await startDaemonProcess({ args: ['--abi', folder] });
  const { reader, send, deploy } = clientsOf(daemon);
  // eth_call of a contract creation returns the runtime code.
  const { data: code } = await reader.call({ data: CREATE_TOKEN });
  mkdirSync(join(folder, 'Token.sol'));
  const artifact = { contractName: 'Token', ...Token, deployedBytecode: code };
  writeFileSync(join(folder, 'Token.sol', 'Token.json'), JSON.stringify(artifact));
  const paid = await send(DEV1, '0x', parseEther('1.5'));
  const token = await deploy(CREATE_TOKEN);
  const name = `Token@${token.slice(0, 6)}…${token.slice(-4)}`;
  const good = await send(token, transfer(5n));
  await send(token, transfer(5_000n));
  await expect(reader.call({ account, to: token, data: transfer(6_000n) })).rejects.toThrow('reverted');
  await expect(reader.estimateGas({ account, to: token, data: transfer(7_000n) })).rejects.toThrow('reverted');
  const switchLog = (isOn: boolean) =>
    fetch(daemon.endpoints.eth_http ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setLoggingEnabled', params: [isOn] }),
    });
  await switchLog(false);
  const untold = await send(DEV1, '0x', 7n);
  await switchLog(true);
  const worker = await deploy(Worker.bytecode);
  await send(worker, encodeFunctionData({ abi: Worker.abi, functionName: 'refuse', args: ['no way'] }));
  const logger = await deploy(deploying(LOGGER));
  await send(logger, printing('in a transaction', 1n));
  await reader.call({ to: logger, data: printing('in a call', 2n) });
  const reverting = await deploy(deploying(REVERTING_LOGGER));
  await expect(reader.call({ to: reverting, data: printing('before a revert', 3n) })).rejects.toThrow('reverted');
  for (const [url, method] of [
    [daemon.endpoints.eth_http ?? '', 'eth_nothing'],
    [daemon.endpoints.comet, 'nothing_here'],
  ] as const)
    for (let time = 0; time < 2; time += 1)
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
      });

  const traced = await chronicledHere([
    'trace',
    good.transactionHash,
    '--eth-node',
    daemon.endpoints.eth_http ?? '',
    '--abi',
    folder,
  ]);
  expect(traced.stdout.split('\n').map((line) => line.replace(/\d+ gas/, 'N gas'))).toEqual([
    `dev0 → ${name}.transfer(to: dev1, value: 5)  N gas`,
    '  ├─ emit Transfer(from: dev0, to: dev1, value: 5)',
    '  └─ returns (true)',
    '',
  ]);
  const failed = await chronicledHere(['trace', '0x12', '--eth-node', daemon.endpoints.eth_http ?? '']);
  expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining('64 hexadecimal digits') });

  await daemon.kill('SIGTERM');
  const told = daemon.stderr();
  expect(told).toContain(`tx ${paid.transactionHash}  dev0 → dev1  1.5 chr  ok  21000 gas\n`);
  expect(told).toContain(`  dev0 creates Token at ${token}  ok  `);
  expect(told).toContain(`  dev0 → ${name}.transfer(dev1, 5)  ok  `);
  expect(told).toContain(`  dev0 → ${name}.transfer(dev1, 5000)  reverted: InsufficientBalance(dev0, 4, 5000)  `);
  expect(told).toContain(
    `eth_estimateGas  dev0 → ${name}.transfer(dev1, 7000)  reverted: InsufficientBalance(dev0, 4, 7000)\n`,
  );
  // A hash may contain the digits 6000; a log line of the call would have them as an argument.
  expect(told).not.toContain(', 6000)');
  expect(told).not.toContain(untold.transactionHash);
  expect(told).toContain('  reverted: no way  ');
  expect(told).toMatch(/ok {2}\d+ gas\n {5}console\.log {2}in a transaction 1\n/);
  expect(told).toContain(`eth_call  → ${logger}`);
  expect(told).toContain('     console.log  in a call 2\n');
  expect(told).toMatch(
    new RegExp(`eth_call  → ${reverting}\\S*  reverted[^\\n]*\\n {5}console\\.log {2}before a revert 3\\n`),
  );
  for (const [face, method] of [
    ['Ethereum JSON-RPC', 'eth_nothing'],
    ['consensus RPC', 'nothing_here'],
  ] as const) {
    expect(told.split(method)).toHaveLength(2);
    expect(told).toContain(`${face}: a client called ${method}, which this node does not have (said once)\n`);
  }
  expect(told).not.toContain('\u001b');
});

/** Init code (25 bytes) that creates a contract of the code appended to it, calls that contract, and reverts. */
const creatingAndReverting = (code: Hex): Hex => {
  const length = ((code.length - 2) / 2).toString(16).padStart(4, '0');
  // CODECOPY, CREATE, CALL of its address, REVERT
  return `0x61${length}6100195f3961${length}5f5ff05f5f5f5f5f855af15f5ffd${code.slice(2)}`;
};

test('a refused send is logged, and `chronicled trace` decodes calls, events and created contracts', async () => {
  const folder = temporaryFolder();
  const daemon = await startDaemonProcess();
  const { endpoints } = daemon;
  const { reader } = clientsOf(daemon);
  const { data: code } = await reader.call({ data: CREATE_TOKEN });
  const artifact = { contractName: 'Token', ...Token, deployedBytecode: code };
  writeFileSync(join(folder, 'Token.json'), JSON.stringify(artifact));
  const url = endpoints.eth_http ?? '';
  const sendTransaction = async (transaction: object): Promise<{ readonly result: Hex }> => {
    const call = { jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params: [transaction] };
    const headers = { 'content-type': 'application/json' };
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(call) })).json() as never;
  };
  await sendTransaction({ from: DEV1.replace('79C8', '79c9').toLowerCase(), to: DEV1, value: '0x1' });
  await sendTransaction({ from: account.address, to: DEV1, value: '0x1', nonce: '0x0', gas: '0x1' });
  const env = { CHRONICLED_NODE: endpoints.comet, CHRONICLED_ETH_NODE: url, CHRONICLED_HOME: temporaryFolder() };
  const run = (...args: readonly string[]) => chronicledHere(args, { env });

  const traceOf = async (to: Hex, data: Hex): Promise<string> => {
    const sent = await sendTransaction({ from: account.address, to, data, gas: '0x7a120' });
    await reader.waitForTransactionReceipt({ hash: sent.result });
    return (await runCli(['trace', sent.result, '--eth-node', url])).stdout;
  };
  const own = parseAbi([
    'function delegate(address delegator, string validator, uint256 amount) returns (bool)',
    'function transfer(address to, uint256 amount) returns (bool)',
    'function getBlockNumber() view returns (uint256)',
  ]);
  const delegate = encodeFunctionData({
    abi: own,
    functionName: 'delegate',
    args: [account.address, VALIDATOR, 5n],
  });
  const delegated = await traceOf('0x0000000000000000000000000000000000000800', delegate);
  expect(delegated).toContain(`→ Staking@0x0000…0800.delegate(dev0, "${VALIDATOR}", 5)`);
  expect(delegated).toContain('Delegate(delegatorAddress: dev0, validatorAddress: ');
  const transfer = encodeFunctionData({ abi: own, functionName: 'transfer', args: [DEV1, 3n] });
  const moved = await traceOf('0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', transfer);
  expect(moved).toContain('→ CoinToken@0xEeee…EEeE.transfer(to: dev1, amount: 3)');
  const asked = encodeFunctionData({ abi: own, functionName: 'getBlockNumber' });
  expect(await traceOf('0xcA11bde05977b3631167028862bE2a173976CA11', asked)).toContain('→ Multicall3@0xcA11…CA11.');

  const { result: hash } = await sendTransaction({
    from: account.address,
    data: creatingAndReverting(CREATE_TOKEN),
    gas: '0x2dc6c0',
  });
  await reader.waitForTransactionReceipt({ hash });
  const traced = (await run('trace', hash, '--abi', folder)).stdout;
  const created = / creates Token at (0x[0-9a-fA-F]{40}) /.exec(traced)?.[1] ?? '';
  expect(getAddress(created)).toBe(created);
  expect(traced).toContain(`→ Token@${created.slice(0, 6)}…${created.slice(-4)}  `);

  const consensus = JSON.parse((await run('query', 'tx', hash, '-o', 'json')).stdout).txhash;
  expect(await run('trace', consensus, '--abi', folder)).toMatchObject({ code: 0, stdout: traced });
  const sent = await run('tx', 'bank', 'send', 'dev0', 'dev1', '1achr', '-y', '-b', 'block');
  const { txhash: cosmos } = JSON.parse(sent.stdout);
  expect(await run('trace', cosmos)).toMatchObject({
    code: 10,
    stderr: `Error: ${cosmos} is a Cosmos transaction, in which no contract was called: chronicled query tx ${cosmos} shows it\n`,
  });
  expect(JSON.parse((await run('trace', hash, '-o', 'json')).stdout)).toMatchObject({
    type: 'CREATE',
    calls: [{ type: 'CREATE' }, { type: 'CALL' }],
  });
  const nothing = '1'.repeat(64);
  expect(await run('trace', nothing, '--eth-node', 'http://127.0.0.1:1')).toMatchObject({
    code: 8,
    stderr: expect.stringContaining('E_UNREACHABLE: No Ethereum JSON-RPC'),
  });
  expect(await run('trace', nothing)).toMatchObject({ code: 10, stderr: `Error: transaction not found: ${nothing}\n` });
  expect(await run('trace', hash, '--node', endpoints.comet)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('give --eth-node <url>, too'),
  });
  const missing = join(folder, 'nowhere');
  expect(await run('trace', hash, '--abi', missing)).toMatchObject({
    code: 2,
    stderr: `Error: --abi: there is no folder ${missing}\n`,
  });
  const empty = temporaryFolder();
  expect(await run('trace', hash, '--abi', empty)).toMatchObject({
    code: 0,
    stderr: `--abi: no compiled contracts in ${empty}\n`,
  });

  await daemon.kill('SIGTERM');
  const stranger = getAddress(DEV1.replace('79C8', '79c9').toLowerCase());
  expect(daemon.stderr()).toContain(`eth_sendTransaction  ${stranger}  refused: unknown account\n`);
  expect(daemon.stderr()).toMatch(/eth_sendTransaction {2}dev0 {2}refused: intrinsic gas too low/);
});

test('a block without transactions is logged with the unbonding that it completes', async () => {
  const daemon = await startDaemonProcess({ args: ['--ephemeral'] });
  const { comet, eth_http: ethereum = '' } = daemon.endpoints;
  const run = async (...args: readonly string[]): Promise<void> => {
    const node = args[0] === 'dev' ? ['--eth-node', ethereum] : ['--node', comet, '-y', '-b', 'block'];
    expect(await runCli([...args, ...node])).toMatchObject({ code: 0 });
  };
  await run('tx', 'staking', 'unbond', 'dev0', '2chr', '--from', 'dev0');
  await run('dev', 'time', 'increase', '61');
  await run('dev', 'mine');
  await daemon.kill('SIGTERM');
  expect(daemon.stderr()).toMatch(/^block \d+ .* 0 transactions {2}0 gas\n {2}unbonded {2}2 chr of dev0\n/m);
});

test('--log-format json logs JSON lines, and --quiet logs no blocks and no transactions', async () => {
  const [json, quiet] = await Promise.all([
    startDaemonProcess({ args: ['--log-format', 'json'] }),
    startDaemonProcess({ args: ['--quiet'] }),
  ]);
  for (const daemon of [json, quiet]) {
    await clientsOf(daemon).send(DEV1, '0x', 1n);
    await daemon.kill('SIGTERM');
  }
  const lines = json
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Record<string, unknown> => JSON.parse(line));
  expect(lines.find(({ msg }) => msg === 'transaction')).toMatchObject({
    level: 30,
    kind: 'ethereum',
    from: account.address,
    to: DEV1,
    value: '1',
    gas_used: '21000',
    status: 'success',
  });
  expect(lines.find(({ msg }) => msg === 'block')).toMatchObject({ transactions: 1, gas_used: '21000' });
  expect(quiet.stderr()).toMatch(/^Ready in \d+ ms - Ctrl\+C to stop\n$/);
});

test('a node whose standard error nobody reads goes on making blocks', async () => {
  const ready = join(temporaryFolder(), 'ready.json');
  const args = ['dev', '--ephemeral', '--port-base', '0', '--ready-file', ready];
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const readyFile = (): { readonly endpoints: { readonly eth_http: string } } | undefined =>
      existsSync(ready) ? JSON.parse(readFileSync(ready, 'utf8')) : undefined;
    await expect.poll(readyFile, { timeout: 30_000 }).toBeDefined();
    const url = readyFile()?.endpoints.eth_http ?? '';
    const wallet = createWalletClient({ account, chain: CHAIN, transport: http(url) });
    const reader = createPublicClient({ transport: http(url), pollingInterval: 50 });
    // A pipe holds 64 KiB, and nothing is read from this one: a hundred long names of methods fill most of it.
    const calls = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: `${id}_${'x'.repeat(600)}` }));
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls),
    });
    for (let nonce = 0; nonce < 60; nonce += 1) {
      const hash = await wallet.sendTransaction({ to: DEV1, value: 1n, nonce, ...GAS, gas: 21_000n });
      await reader.waitForTransactionReceipt({ hash });
    }
    expect(await reader.getTransactionCount({ address: account.address })).toBe(60);
  } finally {
    child.kill('SIGKILL');
  }
});
