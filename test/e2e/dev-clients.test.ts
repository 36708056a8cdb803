/**
 * Every dev command as tools send it: viem's whole test client in its three modes, and the requests of
 * hardhat-network-helpers, to a daemon. Afterwards the log of each daemon is executed again.
 */
import {
  createTestClient,
  encodeFunctionData,
  getContractAddress,
  http,
  keccak256,
  maxUint256,
  parseEther,
  parseGwei,
  parseSignature,
  publicActions,
  serializeTransaction,
  walletActions,
  type Hex,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { DEV_MNEMONIC } from '../../src/core/keys/dev-mnemonic.js';
import { Token } from '../contracts/index.js';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess, type DaemonProcess } from '../support/daemon.js';

const NOBODY = '0x00000000000000000000000000000000000000aa';
const TREASURE = '0x00000000000000000000000000000000000000cc';
const RICH = '0x00000000000000000000000000000000000000bb';
const WORD = `0x${'7'.padStart(64, '0')}` as const;

function clientOf({ endpoints }: DaemonProcess, mode: 'anvil' | 'hardhat' | 'ganache') {
  return createTestClient({
    mode,
    account: mnemonicToAccount(DEV_MNEMONIC),
    transport: http(endpoints.eth_http, { retryCount: 0 }),
    pollingInterval: 20,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions);
}

async function ended(daemon: DaemonProcess): Promise<void> {
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  const { code, stdout } = await chronicledHere(['log', 'verify', '--execute', '--home', daemon.home]);
  expect(JSON.parse(stdout)).toMatchObject({ problems: [], execution: { disagreements: [] } });
  expect(code).toBe(0);
}

describe.each(['anvil', 'hardhat', 'ganache'] as const)('viem’s test client in mode %s', (mode) => {
  it('runs every command', async () => {
    const daemon = await startDaemonProcess();
    const client = clientOf(daemon, mode);
    const chain = {
      id: await client.getChainId(),
      name: 'dev',
      nativeCurrency: { name: 'c', symbol: 'C', decimals: 18 },
      rpcUrls: { default: { http: [] } },
    };

    // Accounts.
    await client.setBalance({ address: NOBODY, value: parseEther('3') });
    await client.setBalance({ address: RICH, value: maxUint256 });
    expect(await client.getBalance({ address: RICH })).toBe(maxUint256);
    await client.setCode({ address: NOBODY, bytecode: '0x5f545f5260205ff3' });
    await client.setStorageAt({ address: NOBODY, index: 0, value: WORD });
    await client.setNonce({ address: NOBODY, nonce: 9 });
    expect(await client.call({ to: NOBODY })).toEqual({ data: WORD });
    expect(await client.getTransactionCount({ address: NOBODY })).toBe(9);

    // The richest account spends.
    await client.impersonateAccount({ address: RICH });
    const spent = await client.sendTransaction({ account: RICH, to: TREASURE, value: maxUint256 / 2n, chain });
    expect((await client.waitForTransactionReceipt({ hash: spent })).status).toBe('success');
    expect(await client.getBalance({ address: TREASURE })).toBe(maxUint256 / 2n);

    // Impersonates a contract, and stops.
    const sent = { account: NOBODY, to: mnemonicToAccount(DEV_MNEMONIC).address, value: 5n, chain } as const;
    await expect(client.sendTransaction(sent)).rejects.toThrow('unknown account');
    await client.impersonateAccount({ address: NOBODY });
    const receipt = await client.waitForTransactionReceipt({ hash: await client.sendTransaction(sent) });
    expect(receipt).toMatchObject({ status: 'success', from: NOBODY });
    await client.stopImpersonatingAccount({ address: NOBODY });
    await expect(client.sendTransaction(sent)).rejects.toThrow('unknown account');
    const unsigned = await client.sendUnsignedTransaction({ from: NOBODY, to: NOBODY, value: 1n });
    expect((await client.waitForTransactionReceipt({ hash: unsigned })).status).toBe('success');

    // Mining modes.
    await client.setAutomine(false);
    expect(await client.getAutomine()).toBe(false);
    const hash = await client.sendTransaction({ to: NOBODY, value: 1n, chain, gas: 100_000n });
    expect((await client.getTxpoolStatus()).pending).toBe(1);
    expect(Object.keys((await client.getTxpoolContent()).pending)).toHaveLength(1);
    expect(Object.keys((await client.inspectTxpool()).pending)).toHaveLength(1);
    await client.dropTransaction({ hash });
    expect((await client.getTxpoolStatus()).pending).toBe(0);
    await client.setIntervalMining({ interval: 1 });
    const waited = await client.sendTransaction({ to: NOBODY, value: 1n, chain, gas: 100_000n });
    await client.waitForTransactionReceipt({ hash: waited });
    await client.setIntervalMining({ interval: 0 });
    const before = await client.getBlock();
    await client.mine({ blocks: 3 });
    expect((await client.getBlock()).number - before.number).toBe(3n);

    // Block fields.
    await client.setCoinbase({ address: NOBODY });
    await client.setBlockGasLimit({ gasLimit: 20_000_000n });
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 77_777_777_777n });
    await client.mine({ blocks: 1 });
    expect(await client.getBlock()).toMatchObject({
      miner: NOBODY,
      gasLimit: 20_000_000n,
      baseFeePerGas: 77_777_777_777n,
    });
    await expect(client.setMinGasPrice({ gasPrice: 1n })).rejects.toThrow('EIP-1559');
    await expect(client.setRpcUrl('http://127.0.0.1:1')).rejects.toThrow('forks no other chain');
    await client.setLoggingEnabled(false);

    // The clock.
    await client.increaseTime({ seconds: 3_600 });
    await client.mine({ blocks: 1 });
    const { timestamp } = await client.getBlock();
    await client.setNextBlockTimestamp({ timestamp: timestamp + 1_000n });
    await client.mine({ blocks: 1 });
    expect((await client.getBlock()).timestamp).toBe(timestamp + 1_000n);
    await client.setBlockTimestampInterval({ interval: 60 });
    await client.mine({ blocks: 2 });
    expect((await client.getBlock()).timestamp).toBe(timestamp + 1_120n);
    await client.removeBlockTimestampInterval();

    // Snapshots and reverts.
    const state = await client.dumpState();
    const id = await client.snapshot();
    await client.setBalance({ address: NOBODY, value: 1n });
    await client.revert({ id });
    expect(await client.getBalance({ address: NOBODY })).toBeGreaterThan(1n);
    const kept = await client.getBalance({ address: NOBODY });
    await client.reset();
    expect(await client.getBalance({ address: NOBODY })).toBe(0n);
    expect(await client.getBlockNumber()).toBeLessThan(3n);
    expect(await client.getAutomine()).toBe(true);
    await client.loadState({ state });
    expect(await client.getBalance({ address: NOBODY })).toBe(kept);
    expect(await client.getBalance({ address: TREASURE })).toBe(maxUint256 / 2n);
    expect(await client.call({ to: NOBODY })).toEqual({ data: WORD });
    await ended(daemon);
  });
});

describe('dev commands without a viem action', () => {
  it('are answered as by anvil', async () => {
    const daemon = await startDaemonProcess({ args: ['--mining', 'manual'] });
    const client = clientOf(daemon, 'anvil');
    const ask = (method: string, ...params: readonly unknown[]): Promise<unknown> =>
      client.request({ method, params } as never);
    const [owner = NOBODY, spender = NOBODY] = (await client.getAddresses()) as readonly Hex[];
    await client.mine({ blocks: 1 });
    expect(await ask('web3_clientVersion')).toMatch(/^anvil\/chronicled\/v/u);
    const info = (await ask('anvil_nodeInfo')) as Record<string, unknown>;
    expect(info).toMatchObject({ currentBlockNumber: '0x1', hardFork: 'osaka', transactionOrder: 'fees' });
    const metadata = (await ask('hardhat_metadata')) as Record<string, unknown>;
    expect(metadata).toMatchObject({ chainId: await client.getChainId(), latestBlockNumber: 1, snapshots: {} });
    expect(metadata['instanceId']).toMatch(/^0x[0-9a-f]{64}$/u);
    const { timestamp } = await client.getBlock({ blockNumber: 1n });
    expect(await ask('anvil_getGenesisTime')).toBe(Number(timestamp));
    expect(await ask('anvil_getLastBlockWallTime')).toBeGreaterThanOrEqual(Number(timestamp) - 1);

    const token = getContractAddress({ from: owner, nonce: 0n });
    const chain = {
      id: await client.getChainId(),
      name: 'dev',
      nativeCurrency: { name: 'c', symbol: 'C', decimals: 18 },
      rpcUrls: { default: { http: [] } },
    };
    await client.deployContract({ ...Token, args: ['T', 'T', 1n], chain, gas: 3_000_000n });
    await client.mine({ blocks: 1 });
    await ask('anvil_dealERC20', NOBODY, token, '0x3039');
    await ask('hardhat_dealERC20', owner, token, '7');
    await ask('anvil_setERC20Allowance', owner, spender, token, 99);
    const read = (functionName: string, ...args: readonly unknown[]) =>
      client.readContract({ address: token, abi: Token.abi, functionName, args });
    expect(await read('balanceOf', NOBODY)).toBe(12_345n);
    expect(await read('balanceOf', owner)).toBe(7n);
    expect(await read('allowance', owner, spender)).toBe(99n);
    await expect(ask('anvil_dealERC20', NOBODY, NOBODY, 1)).rejects.toThrow('no slot of the token');

    await ask('anvil_addBalance', NOBODY, 5);
    await ask('tenderly_addBalance', NOBODY, '0x5');
    expect(await client.getBalance({ address: NOBODY })).toBe(10n);
    await client.sendTransaction({
      to: token,
      data: encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [NOBODY, 1_000n] }),
      chain,
      gas: 200_000n,
    });
    const [mined] = (await ask('evm_mine_detailed')) as readonly {
      readonly transactions: readonly Record<string, unknown>[];
    }[];
    expect(mined?.transactions[0]).toMatchObject({ from: owner.toLowerCase() });
    expect(mined?.transactions[0]?.['output']).toMatch(/^0x[0-9a-f]{8}/u);

    await ask('anvil_autoImpersonateAccount', true);
    await client.setBalance({ address: token, value: parseEther('1') });
    const automatic = (await ask('eth_sendTransaction', { from: token, to: NOBODY, value: '0x1' })) as Hex;
    await ask('anvil_mine');
    expect((await client.getTransactionReceipt({ hash: automatic })).status).toBe('success');
    await ask('anvil_autoImpersonateAccount', false);
    await ask('evm_unlockUnknownAccount', token);
    expect(await ask('eth_accounts')).toContain(token.toLowerCase());

    await client.sendTransaction({ to: NOBODY, value: 1n, chain, gas: 100_000n });
    await ask('anvil_removePoolTransactions', owner);
    await client.sendTransaction({ to: NOBODY, value: 1n, chain, gas: 100_000n });
    await ask('hardhat_dropAllTransactions');
    expect((await client.getTxpoolStatus()).pending).toBe(0);

    await client.mine({ blocks: 2 });
    const { number: top } = await client.getBlock();
    const abandoned = await client.getBlock({ blockNumber: top });
    const value = '0x63';
    await ask('anvil_reorg', 2, [[{ from: token, to: NOBODY, value }, 0]]);
    const fresh = await client.getBlock({ blockNumber: top });
    expect(fresh.hash).not.toBe(abandoned.hash);
    expect((await client.getBlock({ blockNumber: top - 1n })).transactions).toHaveLength(1);
    await expect(ask('anvil_reorg', 2, [[{ from: token, to: NOBODY, value }, 2]])).rejects.toThrow('depth');
    await ask('anvil_rollback');
    expect(await client.getBlockNumber()).toBe(top - 1n);

    await ask('anvil_setBalance', RICH, `0x${'f'.repeat(64)}`);
    expect(await client.getBalance({ address: RICH })).toBe(maxUint256);
    await expect(ask('anvil_addBalance', RICH, '0x1')).rejects.toThrow('above 2^256-1');
    await expect(ask('anvil_setBalance', RICH, `0x1${'0'.repeat(64)}`)).rejects.toThrow('number > 256 bits');
    await ended(daemon);
    const { code, stdout, stderr } = await chronicledHere(['export', '--home', daemon.home]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('accounts hold achr outside of the supply, which no genesis can say');
  });
});

/** The requests of @nomicfoundation/hardhat-network-helpers 3, by name and form. */
const HELPERS: readonly (readonly [method: string, params: readonly unknown[]])[] = [
  ['hardhat_dropTransaction', [`0x${'1'.repeat(64)}`]],
  ['hardhat_impersonateAccount', [NOBODY]],
  ['hardhat_stopImpersonatingAccount', [NOBODY]],
  ['hardhat_mine', ['0x2', '0x3c']],
  ['hardhat_mine', []],
  ['hardhat_setBalance', [NOBODY, '0xde0b6b3a7640000']],
  ['evm_setBlockGasLimit', ['0x1c9c380']],
  ['hardhat_setCode', [NOBODY, '0x00']],
  ['hardhat_setCoinbase', [NOBODY]],
  ['anvil_impersonateSignature', [`0x${'11'.repeat(64)}1b`, NOBODY]],
  ['hardhat_setNextBlockBaseFeePerGas', ['0x3b9aca00']],
  ['hardhat_setNonce', [NOBODY, '0x5']],
  ['hardhat_setPrevRandao', [WORD]],
  ['hardhat_setStorageAt', [NOBODY, '0x0', WORD]],
  ['evm_snapshot', []],
  ['evm_revert', ['0x1']],
  ['evm_increaseTime', ['0xe10']],
  ['evm_mine', []],
  ['evm_setNextBlockTimestamp', ['0xf4865700']],
  ['hardhat_reset', []],
];

it('the node answers the requests of hardhat-network-helpers', async () => {
  const daemon = await startDaemonProcess({ args: ['--mining', 'manual'] });
  const client = clientOf(daemon, 'hardhat');
  await client.mine({ blocks: 1 });
  for (const [method, params] of HELPERS)
    expect(await client.request({ method, params } as never), method).not.toBeInstanceOf(Error);
  await ended(daemon);
  const told = daemon.stderr();
  for (const line of [
    'sets at 0x00000000000000000000000000000000000000AA the nonce to 5',
    'sets the coinbase to 0x00000000000000000000000000000000000000AA',
    'sets the next base fee to 1000000000 wei',
  ])
    expect(told).toContain(`  ${line}  ok  `);
});

it('a flag admits transactions signed without a chain id, and their blocks execute again', async () => {
  const daemon = await startDaemonProcess({ args: ['--rpc.allow-unprotected-txs'] });
  const client = clientOf(daemon, 'anvil');
  const sender = mnemonicToAccount(DEV_MNEMONIC);
  const unsigned = { type: 'legacy', nonce: 0, gas: 21_000n, gasPrice: parseGwei('5'), to: NOBODY, value: 7n } as const;
  const { r, s, yParity } = parseSignature(await sender.sign({ hash: keccak256(serializeTransaction(unsigned)) }));
  const signed = serializeTransaction(unsigned, { r, s, yParity, v: BigInt(27 + yParity) });
  const hash = await client.sendRawTransaction({ serializedTransaction: signed });
  expect(hash).toBe(keccak256(signed));
  const receipt = await client.waitForTransactionReceipt({ hash });
  expect(receipt).toMatchObject({ status: 'success', from: sender.address.toLowerCase() });
  const { v } = await client.getTransaction({ hash });
  expect(v).toBe(BigInt(27 + yParity));
  expect(await client.getBalance({ address: NOBODY })).toBe(7n);
  await ended(daemon);
});

it('200 transactions of one account that arrive in the worst order are all mined', async () => {
  const client = clientOf(await startDaemonProcess(), 'anvil');
  const sender = mnemonicToAccount(DEV_MNEMONIC);
  const chainId = await client.getChainId();
  const envelope = {
    type: 'eip1559',
    chainId,
    gas: 21_000n,
    maxFeePerGas: parseGwei('5'),
    to: NOBODY,
    value: 1n,
  } as const;
  const signed = await Promise.all(
    Array.from({ length: 200 }, (_, nonce) => sender.signTransaction({ ...envelope, nonce })),
  );
  for (const serializedTransaction of signed.toReversed()) await client.sendRawTransaction({ serializedTransaction });
  expect(await client.getTransactionCount({ address: sender.address })).toBe(200);
  expect(await client.getBalance({ address: NOBODY })).toBe(200n);
});
