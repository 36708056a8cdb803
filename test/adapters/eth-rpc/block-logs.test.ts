import { expect, test } from 'vitest';
import { logsOfBlock, termsOf } from '../../../src/adapters/eth-rpc/block-logs.js';
import type { EthereumBlock } from '../../../src/core/ethereum/block-view.js';
import { CONTRACT, makeBlock, TOPIC, transfer } from './fake-node.js';

test('logs are counted before their JSON is written, so that a search can refuse too many', () => {
  let reads = 0;
  const log = {
    address: CONTRACT,
    topics: [TOPIC],
    logIndex: 0,
    get data() {
      reads += 1;
      return new Uint8Array(1);
    },
  };
  const made = makeBlock(2n, [{ transaction: transfer }]);
  const transactions = made.transactions.map((one) => ({
    ...one,
    receipt: { ...one.receipt, logs: [log], logCount: 1 },
  }));
  const block: EthereumBlock = { ...made, transactions };
  const found = logsOfBlock(block, termsOf({ addresses: [], topics: [] }));
  expect([found.count, reads]).toEqual([1, 0]);
  expect([JSON.parse(found.text), reads]).toMatchObject([
    { data: '0x00', topics: [expect.stringMatching(/^0xaa/)] },
    1,
  ]);
});
