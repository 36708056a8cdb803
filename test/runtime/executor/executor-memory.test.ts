/**
 * Memory of the executor's thread under a steady load, in bytes of its heap and its buffers after a garbage
 * collection: memory that grows with the number of blocks would grow without end. The short form of
 * `scripts/memory-slope.js`.
 */
import { text } from 'node:stream/consumers';
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { startNode, type ChronicleNode } from '../../../src/index.js';
import { afterwards } from '../../support/temporary.js';

/** Number of transactions in a round, and bytes of data in each of them. */
const SENDERS = 4;
const DATA = 8_192;
/** Rounds after which the trees of the newest heights are full, the first of them with transactions of a byte. */
const SMALL = 120;
const WARM = 60;
const MEASURED = 60;
/** Below a tenth of the bytes of the measured transactions; pages of the trees hold new nodes. */
const BOUND = 196_000;

async function rounds(node: ChronicleNode, count: number, length = DATA): Promise<void> {
  const accounts = await node.ethereum.request({ method: 'eth_accounts' });
  const data = `0x${'a7'.repeat(length)}` as const;
  for (let round = 0; round < count; round += 1) {
    await Promise.all(
      accounts.slice(0, SENDERS).map((from) =>
        node.ethereum.request({
          method: 'eth_sendTransaction',
          params: [{ from, to: from, data, gas: '0x100000' }],
        }),
      ),
    );
    await node.ethereum.request({ method: 'evm_mine' });
  }
}

interface Snapshot {
  readonly snapshot: {
    readonly meta: { readonly node_fields: readonly string[]; readonly node_types: readonly [readonly string[]] };
  };
  readonly nodes: readonly number[];
}

/** Bytes of all objects but compiled code, which V8 makes as long as code becomes warmer. */
async function retained(worker: Worker): Promise<number> {
  const { snapshot, nodes }: Snapshot = JSON.parse(await text(await worker.getHeapSnapshot()));
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  const code = types[0].indexOf('code');
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length)
    if (nodes[at + type] !== code) bytes += nodes[at + size] ?? 0;
  return bytes;
}

test('the executor keeps no memory for executed blocks', async () => {
  const workers: Worker[] = [];
  const remember = (worker: Worker): void => void workers.push(worker);
  process.on('worker', remember);
  afterwards(() => void process.off('worker', remember));
  const node = await startNode();
  afterwards(() => node.stop());
  const [executor] = workers;
  if (executor === undefined) throw new Error('a node has an executor thread');
  // One block per round, so that each run keeps the same heights.
  await node.ethereum.request({ method: 'evm_setAutomine', params: [false] });
  await rounds(node, SMALL, 1);
  await rounds(node, WARM);
  const before = await retained(executor);
  await rounds(node, MEASURED);
  const after = await retained(executor);
  process.stdout.write(`executor after ${WARM} and ${WARM + MEASURED} rounds: ${before} and ${after} bytes\n`);
  expect(after - before).toBeLessThan(BOUND);
}, 180_000);
