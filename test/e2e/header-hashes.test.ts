/**
 * The block hash on the Ethereum face of a new chain is, in every answer, the hash that Go clients compute from the
 * header. The consensus faces show the hash of CometBFT.
 */
import { once } from 'node:events';
import { keccak256, type Hex } from 'viem';
import { beforeAll, expect, it } from 'vitest';
import WebSocket from 'ws';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { hashOfShown } from '../support/shown-header.js';
import { call } from './comet-client.js';
import { callEthereum } from './ethereum-client.js';

interface Block {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly transactions: readonly Hex[];
}
interface Receipt {
  readonly blockHash: Hex;
  readonly blockNumber: Hex;
  readonly contractAddress: Hex;
  readonly logs: readonly { readonly blockHash: Hex }[];
}
interface Hashes {
  readonly number: Hex;
  readonly hash: Hex;
  readonly consensusHash: Hex | null;
}

const DEV0 = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const DEV1 = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
/** Creation code: stores BLOCKHASH of the block before in slot 0, and logs it. */
const KEEPER = '0x60014303405f556001430340' + '5f5260205fa000';

let daemon: DaemonProcess;
let url: string;
const ask = <Result>(method: string, ...params: readonly unknown[]): Promise<Result> =>
  callEthereum<Result>(url, method, params);
const blockAt = (number: Hex | 'latest', full = false): Promise<Block> => ask('eth_getBlockByNumber', number, full);
const hex = (value: number | bigint): Hex => `0x${value.toString(16)}`;
/** Each `blockHash` in an answer, at any depth. */
const named = (answer: unknown): ReadonlySet<string> =>
  new Set(Array.from(JSON.stringify(answer).matchAll(/"blockHash":"(0x[0-9a-f]{64})"/g), ([, hash = '']) => hash));

async function sent(transaction: Readonly<Record<string, unknown>>): Promise<Receipt & { readonly hash: Hex }> {
  const hash = await ask<Hex>('eth_sendTransaction', { from: DEV0, ...transaction });
  return { ...(await ask<Receipt>('eth_getTransactionReceipt', hash)), hash };
}

beforeAll(async () => {
  daemon = await startDaemonProcess({ args: ['--mining', 'instant'] });
  url = daemon.endpoints.eth_http ?? '';
}, 60_000);

it('the Ethereum block hash is the hash of the header, links to the next block, and finds the block', async () => {
  const keeper = await sent({ data: KEEPER, gas: '0x30d40' });
  await sent({ to: DEV1, value: '0x1' });
  await ask('anvil_mine', '0x3');
  await ask('anvil_setCoinbase', DEV1);
  await ask('hardhat_setPrevRandao', `0x${'12'.repeat(32)}`);
  await ask('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00');
  await sent({ to: DEV1, value: '0x2' });
  await ask('evm_setBlockGasLimit', '0x1312d00');
  await sent({ to: DEV1, value: '0x3', gas: '0x5208' });
  await ask('anvil_mine', '0x1');

  const head = Number((await blockAt('latest')).number);
  expect(head).toBeGreaterThan(8);
  let parent = `0x${'0'.repeat(64)}`;
  for (let number = 0; number <= head; number += 1) {
    const block = await blockAt(hex(number));
    expect([hashOfShown(block), block.parentHash], `block ${number}`).toEqual([block.hash, parent]);
    const { consensusHash, ...told } = await ask<Hashes>('eth_getBlockHashes', block.hash);
    expect(told).toEqual({ number: block.number, hash: block.hash });
    expect(keccak256(await ask<Hex>('debug_getRawHeader', block.number))).toBe(block.hash);
    for (const hash of consensusHash === null ? [block.hash] : [block.hash, consensusHash]) {
      expect(await ask('eth_getBlockByHash', hash, false)).toEqual(block);
      expect(await ask('eth_getHeaderByHash', hash)).toMatchObject({ hash: block.hash });
      expect(named(await ask('eth_getLogs', { blockHash: hash })).size).toBe(block.hash === keeper.blockHash ? 1 : 0);
      expect(await ask('eth_getBalance', DEV0, { blockHash: hash })).toBe(
        await ask('eth_getBalance', DEV0, block.number),
      );
      expect(await ask('eth_getBlockHashes', hash)).toEqual({ ...told, consensusHash });
    }
    if (consensusHash !== null) {
      const { block_id: id } = await call<{ readonly block_id: { readonly hash: string } }>(
        daemon.endpoints.comet,
        'block',
        { height: String(number) },
      );
      expect(id.hash).toBe(consensusHash.slice(2).toUpperCase());
      expect(consensusHash).not.toBe(block.hash);
    }
    parent = block.hash;
  }
});

it('BLOCKHASH returns the Ethereum block hash, in the first block and after dev commands', async () => {
  for (let round = 0; round < 2; round += 1) {
    const { contractAddress, blockNumber } = await sent({ data: KEEPER, gas: '0x30d40' });
    const { parentHash } = await blockAt(blockNumber);
    expect(await ask('eth_getStorageAt', contractAddress, '0x0', 'latest')).toBe(parentHash);
    const window = '0x0000f90827f1c53a10cb7a02335b175320002935';
    const word = hex(BigInt(blockNumber) - 1n)
      .slice(2)
      .padStart(64, '0');
    expect(await ask('eth_call', { to: window, data: `0x${word}` }, 'latest')).toBe(parentHash);
    // a value that a developer writes into the contract is not a block hash
    await ask('anvil_setStorageAt', window, blockNumber, `0x${'99'.repeat(32)}`);
    const head = await blockAt('latest');
    await ask('anvil_mine', '0x1');
    expect(await blockAt('latest')).toMatchObject({ parentHash: head.hash });
  }
  const zero = await blockAt('0x0');
  const code = '0x5f405f5260205ff3';
  expect(await ask('eth_call', { to: DEV1 }, '0x1', { [DEV1]: { code } })).toBe(zero.hash);
});

interface NodeInfo {
  readonly currentBlockNumber: `0x${string}`;
  readonly currentBlockHash: string;
}

it('receipts, logs, transactions, traces and notifications have the Ethereum block hash', async () => {
  const socket = new WebSocket(daemon.endpoints.eth_ws ?? '');
  await once(socket, 'open');
  const heard: string[] = [];
  socket.on('message', (data: Buffer) => heard.push(data.toString()));
  for (const kind of ['newHeads', 'logs', 'transactionReceipts'])
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: kind, method: 'eth_subscribe', params: [kind] }));
  while (heard.length < 3) await once(socket, 'message');
  const filter = await ask('eth_newBlockFilter');
  const logs = await ask('eth_newFilter', {});
  const { hash, blockNumber, blockHash } = await sent({ data: KEEPER, gas: '0x30d40' });
  while (heard.length < 6) await once(socket, 'message');
  socket.close();
  const block = await blockAt(blockNumber);
  expect(blockHash).toBe(block.hash);
  expect(await ask('eth_getFilterChanges', filter)).toEqual([block.hash]);
  expect(heard.slice(3).filter((text) => text.includes(block.hash))).toHaveLength(3);
  const answers: Readonly<Record<string, unknown>> = {
    logs: await ask('eth_getFilterChanges', logs),
    receipts: await ask('eth_getBlockReceipts', blockHash),
    transaction: await ask('eth_getTransactionByHash', hash),
    place: await ask('eth_getTransactionByBlockHashAndIndex', blockHash, '0x0'),
    full: await ask('eth_getBlockByHash', blockHash, true),
    traces: await ask('trace_block', blockNumber),
    trace: await ask('trace_transaction', hash),
    gas: await ask('trace_blockOpcodeGas', blockNumber),
    flat: await ask('debug_traceTransaction', hash, { tracer: 'flatCallTracer' }),
    ots: await ask('ots_getBlockTransactions', blockNumber, 0, 10),
  };
  for (const [name, answer] of Object.entries(answers)) expect([name, ...named(answer)]).toEqual([name, block.hash]);
  expect(await ask('ots_getBlockDetailsByHash', blockHash)).toMatchObject({ block: { hash: block.hash } });
  const [simulated] = await ask<readonly Block[]>('eth_simulateV1', { blockStateCalls: [{}] }, blockNumber);
  expect(simulated?.parentHash).toBe(block.hash);
  // an empty block may have followed
  const { currentBlockNumber, currentBlockHash } = await ask<NodeInfo>('anvil_nodeInfo');
  expect(currentBlockHash).toBe((await blockAt(currentBlockNumber)).hash);
});

it('a reverted block is not found by its Ethereum block hash', async () => {
  const before = await blockAt('latest');
  const snapshot = await ask('evm_snapshot');
  await sent({ to: DEV1, value: '0x9' });
  const gone = await blockAt('latest');
  await ask('evm_revert', snapshot);
  expect(await ask('eth_getBlockByHash', gone.hash, false)).toBeNull();
  expect(await ask('eth_getBlockHashes', gone.hash)).toBeNull();
  await sent({ to: DEV1, value: '0x8' });
  const next = await blockAt('latest');
  expect(next.parentHash).toBe(before.hash);
  expect(await ask('eth_getBlockByHash', next.hash, false)).toEqual(next);
});

it('a block whose log has a megabyte is made, and has the hash of its header', async () => {
  // LOG0 of 1,000,000 bytes of memory.
  const { blockNumber, logs } = await sent({ data: '0x620f42406000a000', gas: '0xb71b00' });
  const block = await blockAt(blockNumber);
  expect(hashOfShown(block)).toBe(block.hash);
  expect(logs).toEqual([expect.objectContaining({ blockHash: block.hash, data: `0x${'00'.repeat(1_000_000)}` })]);
});
