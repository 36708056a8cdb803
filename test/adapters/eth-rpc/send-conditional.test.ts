/** `eth_sendRawTransactionConditional`: what it compares with the head, and what it refuses. */
import { expect, it } from 'vitest';
import { hexData } from '../../../src/core/bytes/hex.js';
import { encodeTransaction } from '../../../src/core/ethereum/transaction-codec.js';
import { toHeight } from '../../../src/core/primitives.js';
import { CONTRACT, crypto, OTHER, TOPIC, transfer } from './fake-node.js';
import { openFace } from './face.js';

const raw = encodeTransaction(transfer);
const [contract, other, word] = [hexData(CONTRACT), hexData(OTHER), hexData(TOPIC)];
const ROOT = `0x${'00'.repeat(32)}`;

async function sent(condition: unknown): Promise<readonly unknown[]> {
  const face = openFace();
  const { result, error } = await face.call('eth_sendRawTransactionConditional', hexData(raw), condition);
  return [error === undefined ? result : [error.code, error.message], face.node.asked.sent.length];
}

it.each([
  {},
  { blockNumberMin: '0x4', blockNumberMax: 4, timestampMin: 1_800_000_004, timestampMax: '0x6b49d204' },
  // Each slot of the fake node holds its key.
  { knownAccounts: { [contract]: { [word]: word }, [other]: ROOT } },
])('admits a transaction whose condition holds: %j', async (condition) => {
  expect(await sent(condition)).toEqual([hexData(crypto.keccak256(raw)), 1]);
});

it('compares with one head, although blocks are made meanwhile', async () => {
  const face = openFace();
  const { api } = face.node;
  const asked: bigint[] = [];
  let head = 3n;
  Object.assign(api, {
    blockNumber: () => toHeight(head++),
    storage: (...args: Parameters<typeof api.storage>) => {
      asked.push(args[2]);
      return { ok: true, value: args[1] };
    },
    block: (height: bigint) => {
      asked.push(height);
      return face.node.blocks[Number(height)];
    },
  });
  const known = { [contract]: { [word]: word, [ROOT]: ROOT } };
  const condition = { blockNumberMax: 3, timestampMax: '0x6b49d203', knownAccounts: known };
  const { result } = await face.call('eth_sendRawTransactionConditional', hexData(raw), condition);
  expect(result).toBe(hexData(crypto.keccak256(raw)));
  expect(asked).toEqual([3n, 3n, 3n]);
});

it.each([
  [{ blockNumberMin: 5 }, 'block number 4 is below 5'],
  [{ blockNumberMax: '0x3' }, 'block number 4 is above 3'],
  [{ timestampMin: 1_800_000_005 }, 'timestamp 1800000004 is below 1800000005'],
  [{ timestampMax: 1_800_000_003 }, 'timestamp 1800000004 is above 1800000003'],
  [{ knownAccounts: { [contract]: { [word]: ROOT } } }, `storage of ${contract} is ${word}, not ${ROOT}`],
  [{ knownAccounts: { [contract]: word } }, `storage of ${contract} is ${ROOT}, not ${word}`],
])('refuses a transaction whose condition fails: %j', async (condition, why) => {
  expect(await sent(condition)).toEqual([[-32003, `transaction condition is not met: ${why}`], 0]);
});

/** A root with the given number of slots, and a slot that cannot be decoded. */
const manySlots = (count: number) => ({
  [other]: ROOT,
  [contract]: {
    ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`0x${at.toString(16)}`, '0x0'])),
    x: '0x0',
  },
});

it("refuses more slots and roots than the limit with ERC-7796's code, without decoding more", async () => {
  expect(await sent({ knownAccounts: manySlots(1_024) })).toEqual([[-32005, 'limit storageSlots (1024) exceeded'], 0]);
  expect(await sent({ knownAccounts: manySlots(1_023) })).toEqual([
    [-32602, 'invalid argument 1: invalid hex in storage key: "x"'],
    0,
  ]);
});

it.each([
  ['x', 'json: cannot unmarshal string into Go value of type TransactionConditional'],
  [{ blockNumberMin: 'x' }, 'TransactionConditional.blockNumberMin is not a number'],
  [{ knownAccounts: 5 }, 'json: cannot unmarshal number into Go struct field knownAccounts'],
  [{ knownAccounts: { [contract]: 5 } }, `the storage of ${contract} is no root and no slots`],
  [{ knownAccounts: { [contract]: { balance: '0x1' } } }, 'invalid hex in storage key: "balance"'],
])('refuses the malformed condition %#', async (condition, message) => {
  expect(await sent(condition)).toEqual([[-32602, `invalid argument 1: ${message}`], 0]);
});
