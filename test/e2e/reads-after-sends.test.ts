/**
 * A send is answered when its block can be read, so the next read of the client is never stale. Three libraries make
 * pairs of a send and a read; CHRONICLED_TEST_FACTOR=10 makes 1,000 pairs with each.
 */
import { JsonRpcProvider, Wallet, HDNodeWallet } from 'ethers';
import { createPublicClient, createWalletClient, defineChain, http, webSocket, type Hex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { Web3 } from 'web3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { propertyRuns } from '../support/property-runs.js';
import { callEthereum } from './ethereum-client.js';

const MNEMONIC = 'test test test test test test test test test test test junk';
const PAIRS = propertyRuns(100);
const GAS_PRICE = 2_000_000_000n;

let daemon: DaemonProcess;
let url: string;
let webSocketUrl: string;

beforeAll(async () => {
  daemon = await startDaemonProcess();
  const { eth_http: overHttp, eth_ws: overWebSocket } = daemon.endpoints;
  if (overHttp === undefined || overWebSocket === undefined) throw new Error('the Ethereum face is there');
  [url, webSocketUrl] = [overHttp, overWebSocket];
});

afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

const account = (index: number) => mnemonicToAccount(MNEMONIC, { addressIndex: index });
const keyOf = (index: number) => HDNodeWallet.fromPhrase(MNEMONIC, '', `m/44'/60'/0'/0/${index}`).privateKey;

/** Runs the pairs. `pair` sends the transaction with this nonce and returns the balance that it reads afterwards. */
async function countStale(library: string, balance: bigint, pair: (nonce: number) => Promise<bigint>): Promise<void> {
  let stale = 0;
  for (let nonce = 0; nonce < PAIRS; nonce += 1) if ((await pair(nonce)) !== balance + BigInt(nonce + 1)) stale += 1;
  console.log(`reads after sends by ${library}: ${stale} of ${PAIRS} stale`);
  expect(stale).toBe(0);
}

const RECIPIENTS = [1, 2, 3, 4].map((index): Hex => `0x${index.toString(16).padStart(40, '5')}`);

it.each(['http', 'websocket'] as const)(
  'viem over %s reads the result of each of its sends',
  { timeout: 600_000 },
  async (kind) => {
    const chain = defineChain({
      id: 271_828,
      name: 'Chronicle',
      nativeCurrency: { name: 'chr', symbol: 'CHR', decimals: 18 },
      rpcUrls: { default: { http: [url], webSocket: [webSocketUrl] } },
    });
    const transport = kind === 'http' ? http(url) : webSocket(webSocketUrl);
    const reader = createPublicClient({ chain, transport, cacheTime: 0 });
    const from = account(kind === 'http' ? 1 : 2);
    const writer = createWalletClient({ chain, transport, account: from });
    const to = RECIPIENTS[kind === 'http' ? 0 : 1] ?? '0x';
    await countStale(`viem over ${kind}`, 0n, async (nonce) => {
      const hash = await writer.sendTransaction({ to, value: 1n, gas: 21_000n, gasPrice: GAS_PRICE, nonce });
      const [balance, receipt] = await Promise.all([
        reader.getBalance({ address: to }),
        reader.getTransactionReceipt({ hash }),
      ]);
      return receipt.status === 'success' ? balance : -1n;
    });
  },
);

it('ethers reads the result of each of its sends', { timeout: 600_000 }, async () => {
  const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1 });
  const wallet = new Wallet(keyOf(3), provider);
  const to = RECIPIENTS[2] ?? '';
  await countStale('ethers', 0n, async (nonce) => {
    await wallet.sendTransaction({ to, value: 1n, gasLimit: 21_000n, gasPrice: GAS_PRICE, nonce });
    return provider.getBalance(to);
  });
  provider.destroy();
});

it('web3.js with a key of the node reads the result of each of its sends', { timeout: 600_000 }, async () => {
  const web3 = new Web3(url);
  const to = RECIPIENTS[3] ?? '';
  const from = account(4).address;
  await countStale('web3.js', 0n, async () => {
    await new Promise((resolve, reject) => {
      const sending = web3.eth.sendTransaction({ from, to, value: '1', gas: '21000', gasPrice: String(GAS_PRICE) });
      void sending.once('transactionHash', resolve).once('error', reject);
      sending.catch(reject);
    });
    return web3.eth.getBalance(to);
  });
});

it(
  'transfers at the suggested price are admitted on a fresh node, and while the base fee rises',
  { timeout: 120_000 },
  async () => {
    const fresh = await startDaemonProcess();
    const node = fresh.endpoints.eth_http ?? '';
    const call = <Result>(method: string, ...params: readonly unknown[]) => callEthereum<Result>(node, method, params);
    const from = account(5).address;
    const spender = account(6).address;
    const baseFee = async () =>
      BigInt((await call<{ baseFeePerGas: Hex }>('eth_getBlockByNumber', 'latest', false)).baseFeePerGas);
    const transfer = async (gasPrice: Hex): Promise<Hex> =>
      call('eth_sendTransaction', { from, to: spender, value: '0x1', gas: '0x5208', gasPrice });
    for (let index = 0; index < 12; index += 1) await transfer(await call<Hex>('eth_gasPrice'));
    // The base fee of an idle chain falls to 7 wei.
    await call('hardhat_mine', '0x118');
    expect([await baseFee(), await call('eth_gasPrice')]).toEqual([7n, '0x3b9aca07']);
    await transfer(await call<Hex>('eth_gasPrice'));
    // jumpdest push0 jump: uses all its gas.
    const hungry = { from: spender, data: '0x5b5f56', gas: '0x1c00000', gasPrice: '0x77359400' };
    for (let index = 0; index < 12; index += 1) {
      const before = await baseFee();
      const [gasPrice, tip, history] = await Promise.all([
        call<Hex>('eth_gasPrice'),
        call<Hex>('eth_maxPriorityFeePerGas'),
        call<{ baseFeePerGas: readonly Hex[] }>('eth_feeHistory', '0x1', 'latest', []),
      ]);
      await call('eth_sendTransaction', hungry);
      expect((await baseFee()) >= before).toBe(true);
      await transfer(gasPrice);
      const next = BigInt(history.baseFeePerGas.at(-1) ?? '0x0');
      await call('eth_sendTransaction', {
        from,
        to: spender,
        gas: '0x5208',
        maxFeePerGas: `0x${(2n * next + BigInt(tip)).toString(16)}`,
        maxPriorityFeePerGas: tip,
      });
    }
    expect(await baseFee()).toBeGreaterThan(7n);
    expect(await fresh.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  },
);

it('a send behind a nonce gap, or without instant mining, is answered at once', async () => {
  const { endpoints } = await startDaemonProcess();
  const node = endpoints.eth_http ?? '';
  const sender = account(0);
  const signed = (nonce: number) =>
    sender.signTransaction({
      type: 'legacy',
      chainId: 271_828,
      nonce,
      to: sender.address,
      gas: 21_000n,
      gasPrice: GAS_PRICE,
    });
  const send = async (nonce: number) => callEthereum<Hex>(node, 'eth_sendRawTransaction', [await signed(nonce)]);
  const isMined = async (hash: Hex) => (await callEthereum(node, 'eth_getTransactionReceipt', [hash])) !== null;
  const second = await send(1);
  expect(await isMined(second)).toBe(false);
  const first = await send(0);
  expect([await isMined(first), await isMined(second)]).toEqual([true, true]);
  await callEthereum(node, 'evm_setAutomine', [false]);
  expect(await isMined(await send(2))).toBe(false);
  await callEthereum(node, 'evm_setAutomine', [true]);
  expect(await isMined(await send(3))).toBe(true);

  const { endpoints: strict } = await startDaemonProcess({ args: ['--miner.instamine', 'strict'] });
  const batch = await Promise.all(
    [0, 1, 2].map(async (nonce, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_sendRawTransaction',
      params: [await signed(nonce)],
    })),
  );
  const body = JSON.stringify([...batch, { jsonrpc: '2.0', id: 3, method: 'eth_pendingTransactions', params: [] }]);
  const answer = await fetch(strict.eth_http ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const answers = (await answer.json()) as readonly { readonly result: unknown }[];
  expect(answers.at(-1)?.result).toHaveLength(3);
});
