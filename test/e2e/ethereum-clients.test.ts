/** Unmodified Ethereum clients on a running daemon: viem, ethers and web3.js, over HTTP and websocket. */
import { DirectEthSecp256k1HdWallet } from '@cosmjs/proto-signing';
import { stringToPath } from '@cosmjs/crypto';
import { assertIsDeliverTxSuccess, SigningStargateClient, StargateClient } from '@cosmjs/stargate';
import { Contract, ContractFactory, HDNodeWallet, JsonRpcProvider, parseEther, WebSocketProvider } from 'ethers';
import {
  ContractFunctionRevertedError,
  createPublicClient,
  createTestClient,
  createWalletClient,
  decodeEventLog,
  defineChain,
  http,
  webSocket,
  BaseError,
  type Block,
  type Hex,
  type Log,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { Web3, type ContractAbi } from 'web3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Token, Worker } from '../contracts/index.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { watchedFace } from '../support/watched-face.js';

const MNEMONIC = 'test test test test test test test test test test test junk';
const web3Abi: ContractAbi = JSON.parse(JSON.stringify(Token.abi));
const FUNDED = 10_000n * 10n ** 18n;

let daemon: DaemonProcess;
let httpUrl: string;
let wsUrl: string;

beforeAll(async () => {
  daemon = await startDaemonProcess();
  const { eth_http: overHttp, eth_ws: overWebSocket } = daemon.endpoints;
  if (overHttp === undefined || overWebSocket === undefined)
    throw new Error('the Ethereum face is not in the ready file');
  [httpUrl, wsUrl] = [overHttp, overWebSocket];
});

afterAll(async () => {
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

const account = (index: number) => mnemonicToAccount(MNEMONIC, { addressIndex: index });

/** viem's clients, as its documentation makes them. */
function viemClients(index: number, transport: 'http' | 'webSocket') {
  const chain = defineChain({
    id: 271_828,
    name: 'Chronicle',
    nativeCurrency: { name: 'chr', symbol: 'CHR', decimals: 18 },
    rpcUrls: { default: { http: [httpUrl], webSocket: [wsUrl] } },
  });
  const over = transport === 'http' ? http(httpUrl) : webSocket(wsUrl);
  const options = { chain, transport: over, pollingInterval: 50 };
  return { reader: createPublicClient(options), writer: createWalletClient({ ...options, account: account(index) }) };
}

/** Resolves with the first `count` values of a subscription. */
function collect<Value>(
  count: number,
  subscribe: (take: (value: Value) => void, fail: (error: Error) => void) => () => void,
): Promise<readonly Value[]> {
  return new Promise((resolve, reject) => {
    const values: Value[] = [];
    const leave = subscribe((value) => {
      values.push(value);
      if (values.length !== count) return;
      queueMicrotask(() => leave());
      resolve(values);
    }, reject);
  });
}

describe.each(['http', 'webSocket'] as const)('viem over %s', (transport) => {
  const [first, second] = transport === 'http' ? [1, 2] : [3, 4];

  it('knows the chain, its accounts and their balances', async () => {
    const { reader } = viemClients(first, transport);
    expect(await reader.getChainId()).toBe(271_828);
    expect(await reader.getBalance({ address: account(9).address })).toBe(FUNDED);
    expect(await reader.getBlockNumber()).toBeGreaterThan(0n);
  });

  it('sends a transfer, waits for it and reads it back', async () => {
    const { reader, writer } = viemClients(first, transport);
    const to = account(second).address;
    const before = await reader.getBalance({ address: to });
    const hash = await writer.sendTransaction({ to, value: 5n });
    const receipt = await reader.waitForTransactionReceipt({ hash });
    expect(receipt).toMatchObject({ status: 'success', gasUsed: 21_000n, to: to.toLowerCase(), transactionHash: hash });
    expect(await reader.getBalance({ address: to })).toBe(before + 5n);
    const transaction = await reader.getTransaction({ hash });
    expect(transaction).toMatchObject({ hash, value: 5n, blockNumber: receipt.blockNumber, type: 'eip1559' });
    const block = await reader.getBlock({ blockNumber: receipt.blockNumber });
    expect(block.transactions).toContain(hash);
    expect(block.hash).toBe(receipt.blockHash);
  });

  it('deploys an ERC-20 token, transfers it, and watches its logs', async () => {
    const { reader, writer } = viemClients(first, transport);
    const deployed = await writer.deployContract({ ...Token, args: ['Chronicle Token', 'CHT', 1_000n] });
    const { contractAddress } = await reader.waitForTransactionReceipt({ hash: deployed });
    if (contractAddress === null || contractAddress === undefined) throw new Error('the contract has no address');
    const contract = { address: contractAddress, abi: Token.abi };
    expect(await reader.readContract({ ...contract, functionName: 'symbol' })).toBe('CHT');

    const seen = collect<Log>(2, (take, fail) =>
      reader.watchContractEvent({
        ...contract,
        eventName: 'Transfer',
        onLogs: (logs) => logs.forEach(take),
        onError: fail,
      }),
    );
    const to = account(second).address;
    for (const value of [7n, 8n]) {
      const hash = await writer.writeContract({ ...contract, functionName: 'transfer', args: [to, value] });
      await reader.waitForTransactionReceipt({ hash });
    }
    const logs = await seen;
    expect(logs.map(({ data, topics }) => decodeEventLog({ abi: Token.abi, data, topics }).args)).toMatchObject([
      { to, value: 7n },
      { to, value: 8n },
    ]);
    expect(await reader.readContract({ ...contract, functionName: 'balanceOf', args: [to] })).toBe(15n);
    expect(await reader.getContractEvents({ ...contract, eventName: 'Transfer', fromBlock: 0n })).toHaveLength(3);
  });

  it('decodes why a call reverts', async () => {
    const { reader, writer } = viemClients(first, transport);
    const { contractAddress } = await reader.waitForTransactionReceipt({
      hash: await writer.deployContract({ ...Token, args: ['T', 'T', 1n] }),
    });
    if (contractAddress === null || contractAddress === undefined) throw new Error('the contract has no address');
    const refused = await reader
      .simulateContract({
        address: contractAddress,
        abi: Token.abi,
        functionName: 'transfer',
        args: [account(0).address, 2n],
        account: account(first),
      })
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    const reverted =
      refused instanceof BaseError
        ? refused.walk((error) => error instanceof ContractFunctionRevertedError)
        : undefined;
    expect(reverted).toMatchObject({
      data: { errorName: 'InsufficientBalance', args: [account(first).address, 1n, 2n] },
    });
  });

  it('watches blocks in order, without a gap', async () => {
    const { reader, writer } = viemClients(first, transport);
    const seen = collect<Block>(3, (take, fail) =>
      reader.watchBlocks({ onBlock: take, onError: fail, emitMissed: true }),
    );
    for (let sent = 0; sent < 4; sent += 1) {
      await reader.waitForTransactionReceipt({
        hash: await writer.sendTransaction({ to: account(second).address, value: 1n }),
      });
    }
    const numbers = (await seen).map(({ number }) => number ?? -1n);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0n) + BigInt(index)));
  });
});

describe('viem', () => {
  it('controls the chain with its test client in mode anvil', async () => {
    const { reader } = viemClients(1, 'http');
    const test = createTestClient({ mode: 'anvil', transport: http(httpUrl), chain: reader.chain });
    // viem caches the block number for longer than a block takes here.
    const before = await reader.getBlockNumber({ cacheTime: 0 });
    await test.mine({ blocks: 1 });
    expect(await reader.getBlockNumber({ cacheTime: 0 })).toBeGreaterThan(before);
    const nobody = '0x00000000000000000000000000000000000000aa';
    await test.setBalance({ address: nobody, value: 77n });
    expect(await reader.getBalance({ address: nobody })).toBe(77n);
  });

  it('gets a receipt with status reverted for a transaction that fails', async () => {
    const { reader, writer } = viemClients(5, 'http');
    const { contractAddress } = await reader.waitForTransactionReceipt({
      hash: await writer.deployContract({ ...Worker, args: [] }),
    });
    if (contractAddress === null || contractAddress === undefined) throw new Error('the contract has no address');
    const hash = await writer.writeContract({
      address: contractAddress,
      abi: Worker.abi,
      functionName: 'refuse',
      args: ['no'],
      gas: 100_000n,
    });
    expect(await reader.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'reverted', logs: [] });
  });
});

// ethers caches answers for 250 ms, which is longer than a block takes here.
describe('ethers', () => {
  it.each(['http', 'webSocket'] as const)('deploys, calls and listens over %s', async (transport) => {
    const provider =
      transport === 'http'
        ? new JsonRpcProvider(await watchedFace(httpUrl), undefined, { pollingInterval: 50, cacheTimeout: -1 })
        : new WebSocketProvider(wsUrl, undefined, { cacheTimeout: -1 });
    try {
      const signer = HDNodeWallet.fromPhrase(MNEMONIC, '', `m/44'/60'/0'/0/${transport === 'http' ? 6 : 7}`).connect(
        provider,
      );
      const sent = await signer.sendTransaction({ to: account(0).address, value: parseEther('1') });
      expect(await sent.wait()).toMatchObject({ status: 1 });
      const token = await new ContractFactory(JSON.stringify(Token.abi), Token.bytecode, signer).deploy(
        'Ethers',
        'ETH',
        100n,
      );
      await token.waitForDeployment();
      const contract = new Contract(await token.getAddress(), JSON.stringify(Token.abi), signer);
      const heard = new Promise<bigint>(
        (resolve) => void contract.on('Transfer', (_from: string, _to: string, value: bigint) => resolve(value)),
      );
      const transfer = await contract.getFunction('transfer').send(account(0).address, 42n);
      expect(await transfer.wait()).toMatchObject({ status: 1 });
      expect(await heard).toBe(42n);
      await expect(contract.getFunction('transfer').staticCall(account(0).address, 1_000n)).rejects.toMatchObject({
        revert: { name: 'InsufficientBalance' },
      });
      await contract.removeAllListeners();
    } finally {
      await provider.destroy();
    }
  });
});

describe('web3.js', () => {
  it.each(['http', 'webSocket'] as const)('sends, deploys and reads over %s', async (transport) => {
    const web3 = new Web3(transport === 'http' ? httpUrl : wsUrl);
    try {
      const sender = account(transport === 'http' ? 8 : 0);
      const key = sender.getHdKey().privateKey;
      if (key === null) throw new Error('the account has no key');
      web3.eth.accounts.wallet.add(`0x${Buffer.from(key).toString('hex')}`);
      const receipt = await web3.eth.sendTransaction({ from: sender.address, to: account(2).address, value: '1' });
      expect(receipt.status).toBe(1n);
      const contract = new web3.eth.Contract([...web3Abi]);
      const deployed = await contract
        .deploy({ data: Token.bytecode, arguments: ['Web3', 'W3', 5] })
        .send({ from: sender.address });
      expect(await deployed.methods['totalSupply']?.().call()).toBe(5n);
    } finally {
      if (transport === 'webSocket') web3.provider?.disconnect();
    }
  });
});

describe('an account with an Ethereum and a Cosmos address', () => {
  it('is paid by viem and read by cosmjs, and paid by cosmjs and read by viem', async () => {
    const { reader, writer } = viemClients(1, 'http');
    const wallet = await DirectEthSecp256k1HdWallet.fromMnemonic(MNEMONIC, {
      prefix: 'chron',
      hdPaths: [0, 9].map((index) => stringToPath(`m/44'/60'/0'/0/${index}`)),
    });
    const [zero = { address: '' }, nine = { address: '' }] = await wallet.getAccounts();
    const cosmos = await StargateClient.connect(daemon.endpoints.comet);
    const before = BigInt((await cosmos.getBalance(nine.address, 'achr')).amount);
    const hash = await writer.sendTransaction({ to: account(9).address, value: 123n });
    await reader.waitForTransactionReceipt({ hash });
    expect(BigInt((await cosmos.getBalance(nine.address, 'achr')).amount)).toBe(before + 123n);

    const signing = await SigningStargateClient.connectWithSigner(daemon.endpoints.comet, wallet);
    const sequence = await reader.getTransactionCount({ address: account(9).address });
    const fee = { amount: [{ denom: 'achr', amount: '400000000000000' }], gas: '200000' };
    const balance = await reader.getBalance({ address: account(0).address });
    assertIsDeliverTxSuccess(
      await signing.sendTokens(nine.address, zero.address, [{ denom: 'achr', amount: '77' }], fee),
    );
    expect(await reader.getBalance({ address: account(0).address })).toBe(balance + 77n);
    expect(await reader.getTransactionCount({ address: account(9).address })).toBe(sequence + 1);

    const found = await cosmos.searchTx(`ethereum_tx.ethereumTxHash='${hash satisfies Hex}'`);
    expect(found).toHaveLength(1);
    cosmos.disconnect();
    signing.disconnect();
  });
});
