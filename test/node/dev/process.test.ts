/** The commands of dev mode as tools send them: JSON-RPC to a process, killed around a revert. */
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  http,
  parseEther,
  publicActions,
  webSocket,
  type Hex,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { DEV_MNEMONIC } from '../../../src/core/keys/dev-mnemonic.js';
import { Worker } from '../../contracts/index.js';
import { chronicledHere } from '../../support/command-here.js';
import { startDaemonProcess, temporaryFolder, type DaemonProcess } from '../../support/daemon.js';

const NOBODY = '0x00000000000000000000000000000000000000aa';
const MANUAL = ['--mining', 'manual'];

/** Resolves when the condition holds; it is checked after each turn of the event loop. */
async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

function clientsOf({ endpoints }: DaemonProcess) {
  const transport = http(endpoints.eth_http);
  const test = createTestClient({ mode: 'anvil', transport, pollingInterval: 50 }).extend(publicActions);
  const wallet = createWalletClient({ account: mnemonicToAccount(DEV_MNEMONIC), transport });
  return { test, wallet };
}

async function verified(home: string): Promise<void> {
  const { code, stdout } = await chronicledHere(['log', 'verify', '--execute', '--home', home]);
  expect(JSON.parse(stdout)).toMatchObject({ problems: [], execution: { disagreements: [] } });
  expect(code).toBe(0);
}

describe('dev commands over JSON-RPC to a process', () => {
  for (const mining of ['instant', 'manual', 'interval']) {
    it(`serve viem's test client with mining mode ${mining}`, async () => {
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
      expect((await test.getBlockNumber({ cacheTime: 0 })) - number).toBeLessThanOrEqual(1n);
      await test.setBalance({ address: NOBODY, value: 2n });
      expect(await test.getBalance({ address: NOBODY })).toBe(2n);
      await test.setCode({ address: NOBODY, bytecode: '0x5f545f5260205ff3' });
      await test.setStorageAt({ address: NOBODY, index: 0, value: `0x${'7'.padStart(64, '0')}` });
      await test.setNonce({ address: NOBODY, nonce: 9 });
      expect(await test.call({ to: NOBODY })).toEqual({ data: `0x${'7'.padStart(64, '0')}` });
      expect(await test.getTransactionCount({ address: NOBODY })).toBe(9);
      const later = (await test.getBlock()).timestamp + 1_000n;
      await test.setIntervalMining({ interval: 0 });
      expect(await test.getAutomine()).toBe(false);
      await test.setNextBlockTimestamp({ timestamp: later });
      await test.mine({ blocks: 1 });
      expect((await test.getBlock()).timestamp).toBe(later);
      await test.mine({ blocks: 2, interval: 30 });
      const [earlier, last] = [
        await test.getBlock({ blockNumber: (await test.getBlockNumber({ cacheTime: 0 })) - 1n }),
        await test.getBlock(),
      ];
      expect(last.timestamp - earlier.timestamp).toBe(30n);
      await test.setAutomine(true);
      expect(await test.getAutomine()).toBe(true);
      expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      await verified(daemon.home);
    });
  }

  it('revert a transaction, which can be sent again', async () => {
    const daemon = await startDaemonProcess();
    const { test, wallet } = clientsOf(daemon);
    const chainId = await test.getChainId();
    const chain = {
      id: chainId,
      name: 'dev',
      nativeCurrency: { name: 'c', symbol: 'C', decimals: 18 },
      rpcUrls: { default: { http: [] } },
    };
    const id = await test.snapshot();
    const signed = await wallet.signTransaction({
      ...(await wallet.prepareTransactionRequest({ chain, to: NOBODY, value: 5n })),
      chain,
    });
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

  it('hold sends during a revert, and admit them on the branch after it', async () => {
    const daemon = await startDaemonProcess({ args: MANUAL });
    const { test } = clientsOf(daemon);
    const { address } = mnemonicToAccount(DEV_MNEMONIC);
    await test.mine({ blocks: 1 });
    const id = await test.snapshot();
    const socket = new WebSocket(daemon.endpoints.eth_ws ?? '');
    const answers: { readonly id: number; readonly result?: string }[] = [];
    socket.on('message', (text: Buffer) => answers.push(JSON.parse(text.toString())));
    await once(socket, 'open');
    const ask = (method: string, params: unknown, count: number): void => {
      for (let call = 0; call < count; call += 1)
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: answers.length + call, method, params }));
    };
    const sent = [{ from: address, to: NOBODY, value: '0x1' }];
    ask('eth_sendTransaction', sent, 5);
    await waitFor(() => answers.length === 5);
    await test.mine({ blocks: 40 });
    // The messages of one socket come in their order.
    ask('evm_revert', [id], 1);
    ask('eth_sendTransaction', sent, 20);
    await waitFor(() => answers.length === 26);
    expect(answers.filter(({ result }) => result === undefined)).toEqual([]);
    await test.mine({ blocks: 1 });
    expect(await test.getTransactionCount({ address })).toBe(20);
    expect(await test.getBalance({ address: NOBODY })).toBe(20n);
    socket.close();
    await daemon.kill('SIGTERM');
  });
});

describe('contracts, filters and subscriptions', () => {
  it('show the current branch only, also at heights that both branches have', async () => {
    const daemon = await startDaemonProcess({ args: MANUAL });
    const { test, wallet } = clientsOf(daemon);
    await test.mine({ blocks: 1 });
    const chain = {
      id: await test.getChainId(),
      name: 'dev',
      nativeCurrency: { name: 'c', symbol: 'C', decimals: 18 },
      rpcUrls: { default: { http: [] } },
    };
    const live = createPublicClient({
      transport: webSocket(daemon.endpoints.eth_ws, { keepAlive: false, reconnect: false }),
    });
    const heads: (readonly [number: bigint, hash: string])[] = [];
    const shownLogs: (readonly [hash: string, removed: boolean])[] = [];
    await live.transport.subscribe({
      params: ['logs', {}],
      onData: ({ result }) => shownLogs.push([result.blockHash, result.removed]),
    });
    const { unsubscribe } = await live.transport.subscribe({
      params: ['newHeads'],
      onData: ({ result }) => heads.push([BigInt(result.number), result.hash]),
    });

    const mined = async (hash: Hex) => {
      await test.mine({ blocks: 1 });
      return test.getTransactionReceipt({ hash });
    };
    const { contractAddress } = await mined(
      await wallet.deployContract({ ...Worker, args: [], chain, gas: 3_000_000n }),
    );
    if (contractAddress === null || contractAddress === undefined) throw new Error('no contract');
    const emit = (count: bigint) =>
      wallet.writeContract({
        address: contractAddress,
        abi: Worker.abi,
        functionName: 'emitMany',
        args: [count],
        chain,
        gas: 1_000_000n,
      });
    const increment = () =>
      wallet.writeContract({
        address: contractAddress,
        abi: Worker.abi,
        functionName: 'increment',
        args: [],
        chain,
        gas: 1_000_000n,
      });
    const slot = (blockNumber: bigint) => test.getStorageAt({ address: contractAddress, slot: '0x0', blockNumber });

    await mined(await increment());
    const { number: kept } = await test.getBlock();
    const id = await test.snapshot();
    const blocks = await test.createBlockFilter();
    const logs = await test.createEventFilter({ address: contractAddress });
    await mined(await increment());
    await mined(await increment());
    await mined(await emit(3n));
    const abandoned = await test.getBlock();
    expect(await slot(kept + 2n)).toBe(`0x${'3'.padStart(64, '0')}`);
    expect(await test.getFilterChanges({ filter: logs })).toHaveLength(3);

    await test.revert({ id });
    await expect(test.getBlock({ blockNumber: kept + 1n })).rejects.toThrow('could not be found');
    expect(await slot(kept)).toBe(`0x${'1'.padStart(64, '0')}`);
    await mined(await emit(2n));
    await mined(await increment());
    await test.mine({ blocks: 1 });
    const fresh = await Promise.all([1n, 2n, 3n].map((above) => test.getBlock({ blockNumber: kept + above })));
    expect(await slot(kept + 2n)).toBe(`0x${'2'.padStart(64, '0')}`);
    expect(fresh[2]?.hash).not.toBe(abandoned.hash);
    expect(await test.getFilterChanges({ filter: blocks })).toEqual(fresh.map(({ hash }) => hash));
    const found = await test.getFilterChanges({ filter: logs });
    // The three logs of the abandoned block, the last one first, then those of the new branch.
    expect(found.map((log) => 'blockNumber' in log && [log.blockNumber, log.removed, log.logIndex])).toEqual([
      [kept + 3n, true, 2],
      [kept + 3n, true, 1],
      [kept + 3n, true, 0],
      [kept + 1n, false, 0],
      [kept + 1n, false, 1],
    ]);
    expect(await test.getFilterChanges({ filter: logs })).toEqual([]);
    expect(await test.getLogs({ address: contractAddress, fromBlock: 0n })).toHaveLength(2);
    await expect(test.getBlock({ blockHash: abandoned.hash })).rejects.toThrow('could not be found');

    await waitFor(() => heads.at(-1)?.[1] === fresh[2]?.hash);
    await unsubscribe();
    const logsOf = (hash: string, removed: boolean, count: number) =>
      Array.from({ length: count }, () => [hash, removed]);
    expect(shownLogs).toEqual([
      ...logsOf(abandoned.hash, false, 3),
      ...logsOf(abandoned.hash, true, 3),
      ...logsOf(fresh[0]?.hash ?? '', false, 2),
    ]);
    // The subscription continued: the abandoned heights were shown once, and those of the current branch after them.
    expect(heads.slice(-3)).toEqual(fresh.map(({ number, hash }) => [number, hash]));
    expect(heads.some(([, hash]) => hash === abandoned.hash)).toBe(true);
    await daemon.kill('SIGTERM');
    await verified(daemon.home);
  });
});

describe('a process that is killed around a revert', () => {
  /** A stopped home with a snapshot; each process starts from a copy and reverts to the snapshot. */
  let before: string;
  let id: Hex;

  beforeAll(async () => {
    const first = await startDaemonProcess({ args: MANUAL });
    const { test } = clientsOf(first);
    await test.mine({ blocks: 2 });
    await test.setBalance({ address: NOBODY, value: 7n });
    id = await test.snapshot();
    await test.setBalance({ address: NOBODY, value: 9n });
    await test.mine({ blocks: 4 });
    expect(await first.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    before = first.home;
  });

  for (const [point, back] of [
    ['log-before-batch', false],
    ['log-after-batch', true],
    ['log-after-publish', true],
  ] as const) {
    it(`at ${point} starts on the ${back ? 'new' : 'old'} branch and continues`, async () => {
      const home = temporaryFolder();
      cpSync(before, home, { recursive: true });
      // Its first batch is NodeStarted, the second the revert.
      const second = await startDaemonProcess({
        home,
        args: MANUAL,
        env: { CHRONICLED_FAIL: `${point}:2:kill` },
      });
      await expect(clientsOf(second).test.revert({ id })).rejects.toThrow();
      expect((await second.exited).signal).toBe('SIGKILL');
      const third = await startDaemonProcess({ home, args: MANUAL });
      const again = clientsOf(third).test;
      expect(await again.getBlockNumber()).toBe(back ? 3n : 8n);
      expect(await again.getBalance({ address: NOBODY })).toBe(back ? 7n : 9n);
      expect(await again.request({ method: 'evm_revert', params: [id] } as never)).toBe(!back);
      await again.mine({ blocks: 2 });
      expect(await again.getBlockNumber({ cacheTime: 0 })).toBe(5n);
      expect(await again.getBalance({ address: NOBODY })).toBe(7n);
      expect(await third.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      await verified(home);
    });
  }
});
