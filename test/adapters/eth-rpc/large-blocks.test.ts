/** A block with many transactions: its roots and bloom are computed over several turns, and once. */
import { expect, test } from 'vitest';
import type { EthereumBlock } from '../../../src/core/ethereum/block-view.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { openFace, timers, type Face } from './face.js';
import { makeBlock, signed, transfer } from './fake-node.js';

const { ethDigestItemsPerTurn: PER_TURN } = FIXED_LIMITS;
const COUNT = 3 * PER_TURN;

/** A face whose head has `count` transactions. `reads`: fields that are computed in each turn of the event loop. */
function open(count: number): { readonly face: Face; readonly reads: string[][] } {
  const reads: string[][] = [[]];
  const counted = <Item extends object, Field extends keyof Item & string>(item: Item, ...fields: Field[]): Item => {
    let all: Item = item;
    for (const field of fields)
      all = Object.defineProperty({ ...all }, field, {
        enumerable: true,
        get() {
          reads.at(-1)?.push(field);
          return item[field];
        },
      });
    return all;
  };
  const yielding = {
    ...timers,
    yield: () => {
      reads.push([]);
      return timers.yield();
    },
  };
  const face = openFace({ timers: yielding, namespaces: ['eth', 'ots', 'debug', 'erigon'] });
  const made = makeBlock(5n, [{ transaction: signed({ ...transfer, nonce: 5n }) }]);
  const [only] = made.transactions;
  if (only === undefined) throw new Error('the block has a transaction');
  const transactions = Array.from({ length: count }, (_, index) => ({
    ...only,
    index,
    receipt: counted(only.receipt, 'logsBloom'),
  }));
  const block: EthereumBlock = { ...made, transactions };
  face.node.blocks.push(counted(block, 'transactionsRoot', 'receiptsRoot'));
  reads.splice(0, reads.length, []);
  return { face, reads };
}

test.each([
  ['eth_getBlockByNumber', ['0x5', true]],
  ['eth_getHeaderByNumber', ['latest']],
  ['eth_getBlockReceipts', ['0x5']],
  ['ots_getBlockTransactions', ['0x5', 0, 10]],
  ['ots_getBlockDetails', ['0x5']],
  ['erigon_getHeaderByNumber', ['0x5']],
  ['debug_getRawHeader', ['0x5']],
])('%s computes the digests of a large block over several turns', async (method, params) => {
  const { face, reads } = open(COUNT);
  const { result } = await face.callOtherwise(method, ...params);
  expect(result).toBeDefined();
  const before = reads.slice(0, -1);
  expect(before.length).toBeGreaterThanOrEqual(COUNT / PER_TURN);
  expect(Math.max(...before.map(({ length }) => length))).toBeLessThanOrEqual(PER_TURN);
  expect(before.flat().filter((field) => field === 'logsBloom')).toHaveLength(COUNT);
  const turns = reads.length;
  await face.callOtherwise(method, ...params);
  expect(reads).toHaveLength(turns);
});

test('a small block is answered at once', async () => {
  const { face, reads } = open(PER_TURN / 2);
  await face.call('eth_getBlockByNumber', '0x5', true);
  expect(reads).toHaveLength(1);
});
