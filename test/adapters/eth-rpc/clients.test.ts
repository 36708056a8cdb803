/** Widely used clients, unmodified, through the real transport. */
import { JSONRPCClient } from 'json-rpc-2.0';
import { JsonRpcProvider, WebSocketProvider, isCallException } from 'ethers';
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeErrorResult,
  http,
  parseAbi,
  webSocket,
} from 'viem';
import { Web3 } from 'web3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ETHEREUM_BODY_TOO_LARGE } from '../../../src/adapters/eth-rpc/index.js';
import { createServer, type Server } from '../../../src/adapters/transport/index.js';
import { hexData } from '../../../src/core/bytes/hex.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { CONTRACT, OTHER, SENDER, TOPIC, bytes } from './fake-node.js';
import { type Face, openFace, timers } from './face.js';

const REASON = bytes(encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['Bad'] }).slice(2));

describe.each(['uws', 'node'] as const)('Ethereum clients over %s', (preferred) => {
  let face: Face;
  let server: Server;
  let url: string;
  let socketUrl: string;

  beforeAll(async () => {
    face = openFace({ dev: true });
    server = await createServer({
      preferred,
      http: face.rpc.http,
      webSocket: face.rpc.webSocket,
      limits: { bodyBytes: DEFAULT_LIMITS.httpBodyBytes, messageBytes: DEFAULT_LIMITS.httpBodyBytes, webSockets: 10 },
      timers,
      tooLarge: ETHEREUM_BODY_TOO_LARGE,
      onDefect: (error) => face.defects.push(error),
    });
    const listening = await server.listen('127.0.0.1', 0);
    if (!listening.ok) throw new Error(listening.code);
    url = `http://127.0.0.1:${listening.port}/`;
    socketUrl = `ws://127.0.0.1:${listening.port}/`;
  });
  afterAll(async () => {
    face.rpc.endSessions('end of test');
    await server.close(false);
    expect(face.defects).toEqual([]);
  });

  it.each(['http', 'ws'])('viem over %s reads blocks, transactions, receipts, logs and reverts', async (kind) => {
    const client = createPublicClient({
      transport:
        kind === 'http' ? http(url, { batch: true }) : webSocket(socketUrl, { reconnect: false, keepAlive: false }),
    });
    const [chainId, block, gasPrice, fees] = await Promise.all([
      client.getChainId(),
      client.getBlock({ blockNumber: 4n, includeTransactions: true }),
      client.getGasPrice(),
      client.getFeeHistory({ blockCount: 3, rewardPercentiles: [50] }),
    ]);
    expect(chainId).toBe(9_000);
    expect(gasPrice).toBe(1_125_000_000n);
    expect(fees.baseFeePerGas).toHaveLength(4);
    expect(block.transactions.map(({ type }) => type)).toEqual(['eip2930', 'eip7702']);
    expect(await client.getTransactionCount({ address: hexData(SENDER) as `0x${string}`, blockTag: 'pending' })).toBe(
      5,
    );
    for (const transaction of block.transactions) {
      const receipt = await client.waitForTransactionReceipt({ hash: transaction.hash });
      expect(receipt.status).toBe('success');
      expect(receipt.blockHash).toBe(block.hash);
    }
    expect(await client.getLogs({ fromBlock: 0n, address: hexData(CONTRACT) as `0x${string}` })).toHaveLength(3);
    face.node.call = () => Promise.resolve({ ok: true, value: { kind: 'revert', output: REASON, gasUsed: 1n } });
    await expect(client.call({ to: hexData(CONTRACT) as `0x${string}` })).rejects.toThrow('execution reverted: Bad');
    face.node.call = undefined;
  });

  it('viem sends from an account of the node and drives dev mode', async () => {
    const account = hexData(SENDER) as `0x${string}`;
    const wallet = createWalletClient({ account, transport: http(url) });
    const hash = await wallet.sendTransaction({ chain: null, to: hexData(OTHER) as `0x${string}`, value: 1n });
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/u);
    const dev = createTestClient({ mode: 'anvil', transport: http(url) });
    await dev.mine({ blocks: 2 });
    await dev.setBalance({ address: account, value: 77n });
    expect(await dev.increaseTime({ seconds: 60 })).toBe(60);
    expect(await dev.snapshot()).toBe('0x1');
    await dev.revert({ id: '0x1' });
    expect(face.node.asked.dev).toEqual([
      ['mine', 2, undefined],
      ['setBalance', [SENDER], 77n],
      ['increaseTime', 60n],
    ]);
  });

  it.each(['http', 'ws'])('ethers over %s reads blocks, receipts and reverts', async (kind) => {
    const provider = kind === 'http' ? new JsonRpcProvider(url) : new WebSocketProvider(socketUrl);
    const block = await provider.getBlock(3, true);
    expect(block?.prefetchedTransactions.map(({ type }) => type)).toEqual([2, 2]);
    const receipt = await provider.getTransactionReceipt(block?.transactions[1] ?? '');
    expect(receipt?.contractAddress?.toLowerCase()).toBe(hexData(CONTRACT));
    expect(receipt?.logs).toHaveLength(2);
    expect(await provider.getLogs({ fromBlock: 0, topics: [hexData(TOPIC)] })).toHaveLength(3);
    face.node.call = () => Promise.resolve({ ok: true, value: { kind: 'revert', output: REASON, gasUsed: 1n } });
    const failure: unknown = await provider.call({ to: hexData(CONTRACT) }).catch((error: unknown) => error);
    expect(failure instanceof Error && isCallException(failure) ? failure.reason : failure).toBe('Bad');
    face.node.call = undefined;
    await provider.destroy();
  });

  it('web3.js reads blocks, balances and receipts', async () => {
    const web3 = new Web3(url);
    expect(await web3.eth.getBlockNumber()).toBe(4n);
    expect(await web3.eth.getBalance(hexData(SENDER))).toBe(10n ** 20n);
    const block = await web3.eth.getBlock(2, true);
    const [transaction] = block.transactions;
    expect(
      typeof transaction === 'object'
        ? (await web3.eth.getTransactionReceipt(transaction.hash ?? '')).status
        : undefined,
    ).toBe(1n);
  });

  it('a plain JSON-RPC 2.0 client makes calls, batches and notifications and reads errors', async () => {
    const texts: string[] = [];
    let heard = (): void => undefined;
    const client: JSONRPCClient = new JSONRPCClient(async (payload) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payload),
      });
      const text = await response.text();
      texts.push(text);
      heard();
      if (text !== '') client.receive(JSON.parse(text));
    });
    expect(await client.request('eth_chainId', [])).toBe('0x2328');
    await expect(client.request('eth_nope', [])).rejects.toMatchObject({ code: -32601 });
    expect(
      await client.requestAdvanced([
        { jsonrpc: '2.0', id: 1, method: 'net_version' },
        { jsonrpc: '2.0', id: 2, method: 'eth_blockNumber' },
      ]),
    ).toEqual([
      { jsonrpc: '2.0', id: 1, result: '9000' },
      { jsonrpc: '2.0', id: 2, result: '0x4' },
    ]);
    const answered = new Promise<void>((resolve) => (heard = resolve));
    client.notify('eth_chainId', []);
    await answered;
    expect(texts.at(-1), 'a notification has no answer').toBe('');
  });
});
