/** Waiting for a receipt of a transaction, with simulated answers of a node. */
import { expect, test } from 'vitest';
import type { EthereumMethods, JsonRpcClient, TransactionReceipt } from '../../src/library/methods.js';
import { createReceipts } from '../../src/library/receipts.js';

const HASH = '0x01';
const RECEIPT: TransactionReceipt = {
  transactionHash: HASH,
  blockNumber: '0x1',
  blockHash: '0x02',
  status: '0x1',
  gasUsed: '0x5208',
  contractAddress: null,
  logs: [],
};

function played(answers: readonly (TransactionReceipt | null | Error)[]) {
  const listeners = new Set<() => void>();
  const ended = new AbortController();
  const left = [...answers];
  const commit = (): void => [...listeners].forEach((listener) => listener());
  let asked = 0;
  const ethereum: JsonRpcClient<EthereumMethods> = {
    request: async (): Promise<never> => {
      asked += 1;
      const answer = left.shift();
      if (answer instanceof Error) throw answer;
      return answer as never;
    },
  };
  const commits = {
    onCommit(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    receipt: createReceipts(ethereum, commits, ended.signal),
    commit,
    ended,
    listening: () => listeners.size,
    asked: () => asked,
  };
}

test('waiting resolves at once with a receipt that is available', async () => {
  const { receipt, listening, asked } = played([RECEIPT]);
  expect(await receipt(HASH)).toBe(RECEIPT);
  expect([listening(), asked()]).toEqual([0, 1]);
});

test('waiting asks again when a block is committed during the request', async () => {
  const { receipt, commit, listening, asked } = played([null, RECEIPT]);
  const waiting = receipt(HASH);
  commit();
  expect(await waiting).toBe(RECEIPT);
  expect([listening(), asked()]).toEqual([0, 2]);
});

test('waiting rejects with the reason when the node has stopped, or stops', async () => {
  const { receipt, ended, listening } = played([null, null]);
  const waiting = receipt(HASH);
  ended.abort(new Error('the node was stopped'));
  await expect(waiting).rejects.toThrow('the node was stopped');
  await expect(receipt(HASH)).rejects.toThrow('the node was stopped');
  expect(listening()).toBe(0);
});

test('waiting rejects with an error of the node', async () => {
  const { receipt, listening } = played([new Error('refused')]);
  await expect(receipt(HASH)).rejects.toThrow('refused');
  expect(listening()).toBe(0);
});
