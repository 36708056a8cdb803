/** A block with very many logs: readers of logs give others a turn, and other readers do not read logs at all. */
import { expect, test } from 'vitest';
import { hexData } from '../../../src/core/bytes/hex.js';
import type { EthereumBlock, EthereumLog, EthereumReceipt } from '../../../src/core/ethereum/block-view.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { type Face, type FaceOptions, openFace, textOf, timers } from './face.js';
import { CONTRACT, TOPIC, makeBlock, signed, transfer } from './fake-node.js';

const { ethLogTextsPerTurn: PER_TURN } = FIXED_LIMITS;
const COUNT = 3 * PER_TURN;
/** Each turn decodes some of the logs and reads none. */
const DECODED = Array.from({ length: 3 }, () => [PER_TURN, 0]);

interface Opened {
  readonly face: Face;
  readonly block: EthereumBlock;
  /** Numbers of logs that were read in each turn of the event loop. */
  readonly reads: number[];
  /** Numbers of logs that were decoded, by turn. */
  readonly decoded: Map<number, number>;
}

/** A face whose head has transactions with `COUNT` logs each. */
function open(transfers = 1, options: FaceOptions = {}): Opened {
  const reads = [0];
  const decoded = new Map<number, number>();
  const onDecode = (count: number): void => {
    const turn = reads.length - 1;
    decoded.set(turn, (decoded.get(turn) ?? 0) + count);
  };
  const logsOfOne = (): EthereumLog[] =>
    Array.from({ length: COUNT }, (_, logIndex): EthereumLog => ({
      address: CONTRACT,
      topics: [TOPIC],
      logIndex,
      get data() {
        reads.push((reads.pop() ?? 0) + 1);
        return new Uint8Array(1);
      },
    }));
  const counted = {
    ...timers,
    yield: () => {
      reads.push(0);
      return timers.yield();
    },
  };
  const face = openFace({ ...options, timers: counted });
  const made = makeBlock(
    5n,
    Array.from({ length: transfers }, (_, at) => ({ transaction: signed({ ...transfer, nonce: 5n + BigInt(at) }) })),
  );
  const transactions = made.transactions.map((one) => ({
    ...one,
    receipt: withLogs(one.receipt, logsOfOne(), onDecode),
  }));
  const block = { ...made, transactions };
  face.node.blocks.push(block);
  return { face, block, reads, decoded };
}

/** A receipt whose logs are decoded before they are read; `onDecode` gets their number. */
function withLogs(
  receipt: EthereumReceipt,
  logs: readonly EthereumLog[],
  onDecode: (count: number) => void,
): EthereumReceipt {
  let decoded = 0;
  const decodeLogs = (most: number): boolean => {
    const count = Math.min(most, COUNT - decoded);
    if (count > 0) onDecode(count);
    decoded += count;
    return decoded === COUNT;
  };
  return {
    ...receipt,
    logCount: COUNT,
    decodeLogs,
    get logs() {
      decodeLogs(COUNT);
      return logs;
    },
  };
}

const hashOf = ({ transactions: [only] }: EthereumBlock): string => hexData(only?.hash ?? TOPIC);
const READERS: Readonly<Record<string, (block: EthereumBlock) => readonly unknown[]>> = {
  eth_getTransactionReceipt: (block) => [hashOf(block)],
  eth_getTransactionLogs: (block) => [hashOf(block)],
  eth_getBlockReceipts: () => ['latest'],
  eth_getLogs: () => [{ fromBlock: 'latest' }],
};

test.each(Object.entries(READERS))('%s writes many logs over several turns', async (method, params) => {
  const { face, block, reads, decoded } = open();
  const { result } = await face.call(method, ...params(block));
  expect(JSON.stringify(result).split('"logIndex"').length - 1).toBe(COUNT);
  expect(reads.reduce((sum, each) => sum + each, 0)).toBe(COUNT);
  expect(Math.max(...reads)).toBeLessThanOrEqual(PER_TURN);
  // in turns that write none
  expect([...decoded].map(([turn, count]) => [count, reads[turn]])).toEqual(DECODED);
});

/** The answer to a call over HTTP. */
function ask({ rpc }: Face, method: string, params: readonly unknown[]): ReturnType<Face['rpc']['http']> {
  return rpc.http({
    method: 'POST',
    path: '/',
    query: '',
    headers: new Map([['content-type', 'application/json']]),
    body: new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })),
  });
}

test.each(Object.entries(READERS))('%s streams many logs, and answers the same in a batch', async (method, params) => {
  const { face, block } = open(2);
  const answer = await ask(face, method, params(block));
  expect('stream' in answer).toBe(true);
  const { text } = await face.post(JSON.stringify([{ jsonrpc: '2.0', id: 1, method, params: params(block) }]));
  expect(`[${await textOf(answer)}]`).toBe(text);
});

test.each(Object.entries(READERS))(
  '%s is refused while large answers in progress hold the limit',
  async (method, params) => {
    const limits = { largeAnswerBytes: 1_000_000, pendingAnswerBytes: 3_000_000 };
    const { face, block } = open(1, { limits });
    const held = await ask(face, method, params(block));
    const refused = JSON.parse(await textOf(await ask(face, method, params(block)))) as unknown;
    expect(refused).toMatchObject({
      error: { code: -32005, message: 'limit pendingAnswerBytes (3000000) exceeded' },
    });
    if (!('stream' in held)) throw new Error('a large answer is streamed');
    held.stream.end();
    held.stream.end();
    const { text } = await face.post(JSON.stringify([{ jsonrpc: '2.0', id: 1, method, params: params(block) }]));
    const again = await ask(face, method, params(block));
    expect(`[${await textOf(again)}]`).toBe(text);
  },
);

test('the slices of two readers run in turns of their own', async () => {
  const { face, block, reads } = open(2);
  const perTurn: number[] = [];
  let isOver = false;
  const count = (): void => {
    perTurn.push(reads.splice(0).reduce((sum, each) => sum + each, 0));
    reads.push(0);
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const hashes = block.transactions.map(({ hash }) => hexData(hash));
  await Promise.all(hashes.map((hash) => face.call('eth_getTransactionReceipt', hash)));
  isOver = true;
  // Both begin in the first turn.
  const [, ...later] = perTurn;
  expect(Math.max(...later)).toBeGreaterThan(0);
  expect(Math.max(...later)).toBeLessThanOrEqual(PER_TURN);
});

test('a search of several blocks, by number and by hash, writes many logs over several turns', async () => {
  for (const filter of [
    (_block: EthereumBlock) => ({ fromBlock: 'earliest', address: hexData(CONTRACT), topics: [hexData(TOPIC)] }),
    (block: EthereumBlock) => ({ blockHash: hexData(block.hash) }),
  ]) {
    const { face, block, reads, decoded } = open();
    await face.call('eth_getLogs', filter(block));
    expect([...decoded.keys()].filter((turn) => reads[turn] !== 0)).toEqual([]);
    expect(Math.max(...reads)).toBeLessThanOrEqual(PER_TURN);
    expect(reads.reduce((sum, each) => sum + each, 0)).toBe(COUNT);
  }
});

test('ots_getBlockTransactions shows a receipt without its logs, and reads none', async () => {
  const { face, reads } = open(1, { namespaces: ['ots'] });
  const { result } = await face.call('ots_getBlockTransactions', '0x5', 0, 10);
  expect(result).toMatchObject({
    receipts: [{ status: '0x1', logs: null, logsBloom: null, timestamp: 1_800_000_005 }],
  });
  expect(reads.reduce((sum, each) => sum + each, 0)).toBe(0);
});
