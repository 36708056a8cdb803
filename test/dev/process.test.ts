/** The commands of dev mode as tools send them: JSON-RPC to a process, killed around a revert. */
import { createTestClient, createWalletClient, http, parseEther, publicActions } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { DEV_MNEMONIC } from '../../src/core/keys/index.js';
import { chronicled } from '../support/command.js';
import { startDaemonProcess, type DaemonProcess } from '../support/daemon.js';

const NOBODY = '0x00000000000000000000000000000000000000aa';
const MANUAL = ['--mining', 'manual'];

function clientsOf({ endpoints }: DaemonProcess) {
  const transport = http(endpoints.eth_http);
  const test = createTestClient({ mode: 'anvil', transport, pollingInterval: 50 }).extend(publicActions);
  const wallet = createWalletClient({ account: mnemonicToAccount(DEV_MNEMONIC), transport });
  return { test, wallet };
}

async function verified(home: string): Promise<void> {
  const { code, stdout } = await chronicled(['log', 'verify', '--execute', '--home', home]);
  expect(JSON.parse(stdout)).toMatchObject({ problems: [], execution: { disagreements: [] } });
  expect(code).toBe(0);
}

describe('dev commands of a process', () => {
  for (const mining of ['instant', 'manual', 'interval']) {
    it(`answer viem's test client when blocks are made in mode ${mining}`, async () => {
      const daemon = await startDaemonProcess({ args: ['--mining', mining] });
      const { test } = clientsOf(daemon);
      await test.mine({ blocks: 2 });
      const before = await test.getBlock();
      await test.increaseTime({ seconds: 3_600 });
      await test.mine({ blocks: 1 });
      expect((await test.getBlock()).timestamp - before.timestamp).toBeGreaterThanOrEqual(3_600n);
      await test.setBalance({ address: NOBODY, value: parseEther('3') });
      expect(await test.getBalance({ address: NOBODY })).toBe(parseEther('3'));
      const id = await test.snapshot();
      const { number } = await test.getBlock();
      await test.setBalance({ address: NOBODY, value: 1n });
      await test.mine({ blocks: 3 });
      await test.revert({ id });
      expect(await test.getBalance({ address: NOBODY })).toBe(parseEther('3'));
      expect(await test.getBlockNumber({ cacheTime: 0 }) - number).toBeLessThanOrEqual(1n);
      await test.setBalance({ address: NOBODY, value: 2n });
      expect(await test.getBalance({ address: NOBODY })).toBe(2n);
      expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      await verified(daemon.home);
    });
  }

  it('take a transaction back, and take it again', async () => {
    const daemon = await startDaemonProcess();
    const { test, wallet } = clientsOf(daemon);
    const chainId = await test.getChainId();
    const chain = { id: chainId, name: 'dev', nativeCurrency: { name: 'c', symbol: 'C', decimals: 18 }, rpcUrls: { default: { http: [] } } };
    const id = await test.snapshot();
    const signed = await wallet.signTransaction({ ...(await wallet.prepareTransactionRequest({ chain, to: NOBODY, value: 5n })), chain });
    const hash = await wallet.sendRawTransaction({ serializedTransaction: signed });
    const first = await test.waitForTransactionReceipt({ hash });
    expect(first.status).toBe('success');
    await test.revert({ id });
    await expect(test.getTransactionReceipt({ hash })).rejects.toThrow('could not be found');
    expect(await test.getBalance({ address: NOBODY })).toBe(0n);
    expect(await wallet.sendRawTransaction({ serializedTransaction: signed })).toBe(hash);
    expect((await test.waitForTransactionReceipt({ hash })).status).toBe('success');
    expect(await test.getBalance({ address: NOBODY })).toBe(5n);
    await daemon.kill('SIGTERM');
    await verified(daemon.home);
  });
});

describe('a process that is killed around a revert', () => {
  for (const [point, back] of [['log-before-batch', false], ['log-after-batch', true], ['log-after-publish', true]] as const) {
    it(`at ${point} is ${back ? 'on the new' : 'on the old'} branch afterwards, and goes on`, async () => {
      const first = await startDaemonProcess({ args: MANUAL });
      const { test } = clientsOf(first);
      await test.mine({ blocks: 2 });
      await test.setBalance({ address: NOBODY, value: 7n });
      const id = await test.snapshot();
      await test.setBalance({ address: NOBODY, value: 9n });
      await test.mine({ blocks: 4 });
      expect(await first.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      // Its first batch is NodeStarted, the second the revert.
      const second = await startDaemonProcess({ home: first.home, args: MANUAL, env: { CHRONICLED_FAIL: `${point}:2:kill` } });
      await expect(clientsOf(second).test.revert({ id })).rejects.toThrow();
      expect((await second.exited).signal).toBe('SIGKILL');
      const third = await startDaemonProcess({ home: first.home, args: MANUAL });
      const again = clientsOf(third).test;
      expect(await again.getBlockNumber()).toBe(back ? 3n : 8n);
      expect(await again.getBalance({ address: NOBODY })).toBe(back ? 7n : 9n);
      expect(await again.request({ method: 'evm_revert', params: [id] } as never)).toBe(!back);
      await again.mine({ blocks: 2 });
      expect(await again.getBlockNumber({ cacheTime: 0 })).toBe(5n);
      expect(await again.getBalance({ address: NOBODY })).toBe(7n);
      expect(await third.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      await verified(first.home);
    });
  }
});
