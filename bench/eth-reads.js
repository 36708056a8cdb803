/** Ethereum reads of our node and anvil: small requests over 16 connections, a full block, and logs. */
import { openConnection } from './http.js';
import { compare, rateRows } from './ethereum/compare.js';
import { hammer } from './ethereum/load.js';
import { startPeers } from './ethereum/peers.js';
import {
  accounts,
  perform,
  receiptOf,
  request,
  sendBatch,
  sign,
  token,
  transfer,
  worker,
} from './ethereum/transactions.js';

const BLOCK_SECONDS = 1;
const FULL_BLOCK = 200;
const LOGS = 1_000;
const LOGS_EACH = 100;
const LOGS_OF_ONE = 3;

/** Puts exactly these transactions into one block, at the start of an interval. Resolves with the height as hex. */
async function inOneBlock(connection, signed) {
  const before = await connection.call('eth_blockNumber', []);
  while ((await connection.call('eth_blockNumber', [])) === before);
  await sendBatch(connection, signed);
  const heights = new Set();
  for (const { hash } of signed) heights.add((await receiptOf(connection, hash)).blockNumber);
  const [height] = heights;
  return heights.size === 1 ? height : undefined;
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const peers = await startPeers({ blockTime: BLOCK_SECONDS });
  const made = token.deploy(0);
  const busy = worker.deploy(1);
  const emitting = Array.from({ length: LOGS / LOGS_EACH }, () =>
    sign(1, { to: busy.address, gas: 2_000_000n, data: worker.call('emitMany', [BigInt(LOGS_EACH)]) }),
  );
  const few = sign(1, { to: busy.address, gas: 2_000_000n, data: worker.call('emitMany', [BigInt(LOGS_OF_ONE)]) });
  const full = Array.from({ length: 3 }, () =>
    Array.from({ length: FULL_BLOCK }, (_, index) => transfer(2 + (index % 16))),
  );
  const places = new Map();
  await Promise.all(
    peers.map(async (peer) => {
      const connection = await openConnection(peer.url);
      await perform(connection, [made, busy]);
      await perform(connection, emitting);
      await perform(connection, [few]);
      const first = await receiptOf(connection, emitting[0].hash);
      const last = await receiptOf(connection, emitting.at(-1).hash);
      let height;
      for (const set of full) height = (await inOneBlock(connection, set)) ?? height;
      if (height === undefined) throw new Error(`${peer.name}: no block holds all ${FULL_BLOCK}`);
      const logs = { fromBlock: first.blockNumber, toBlock: last.blockNumber, address: busy.address };
      const { blockNumber } = await receiptOf(connection, few.hash);
      const one = { fromBlock: blockNumber, toBlock: blockNumber, address: busy.address };
      const found = await connection.call('eth_getLogs', [logs]);
      const block = await connection.call('eth_getBlockByNumber', [height, true]);
      if (found.length !== LOGS || block.transactions.length !== FULL_BLOCK)
        throw new Error(`${peer.name}: ${found.length} logs, ${block.transactions.length} transactions`);
      connection.close();
      places.set(peer.name, { height, logs, one });
    }),
  );
  const [owner, other] = accounts.map(({ address }) => address);
  const batch = (one) => `[${Array.from({ length: 50 }, one).join(',')}]`;
  const measure = async (name, count, bodyOf, connections) => {
    const compared = await compare(peers, { rounds: 3 }, (peer) =>
      hammer(peer.url, bodyOf(places.get(peer.name)), count, connections),
    );
    return rateRows(name, compared, name.startsWith('eth_getBlockByNumber') ? 'ratio 20' : undefined);
  };
  const figures = [
    await measure('eth_blockNumber', 10_000, () => request('eth_blockNumber', [])),
    await measure('eth_getBalance', 10_000, () => request('eth_getBalance', [owner, 'latest'])),
    await measure('eth_call balanceOf', 3_000, () =>
      request('eth_call', [{ to: made.address, data: token.balanceOf(owner) }, 'latest']),
    ),
    await measure('eth_estimateGas, transfer', 3_000, () =>
      request('eth_estimateGas', [{ from: owner, to: other, value: '0x1' }]),
    ),
    await measure('eth_estimateGas, transfer of a token', 1_500, () =>
      request('eth_estimateGas', [{ from: owner, to: made.address, data: token.sending(other, 1n) }]),
    ),
    await measure('eth_getTransactionReceipt', 5_000, () => request('eth_getTransactionReceipt', [full[0][0].hash])),
    await measure('eth_getTransactionReceipt, not there', 5_000, () =>
      request('eth_getTransactionReceipt', [`0x${'ab'.repeat(32)}`]),
    ),
    await measure('batch of 50 eth_blockNumber', 500, () => batch(() => request('eth_blockNumber', []))),
    await measure('batch of 50 eth_call balanceOf', 200, () =>
      batch(() => request('eth_call', [{ to: made.address, data: token.balanceOf(owner) }, 'latest'])),
    ),
    await measure(`eth_getBlockByNumber, full, ${FULL_BLOCK} transactions`, 60, ({ height }) =>
      request('eth_getBlockByNumber', [height, true]),
    ),
    await measure(`eth_getLogs of one block, ${LOGS_OF_ONE} logs`, 5_000, ({ one }) => request('eth_getLogs', [one])),
    await measure(`eth_getLogs of ${LOGS} logs`, 60, ({ logs }) => request('eth_getLogs', [logs])),
  ];
  await Promise.all(peers.map((peer) => peer.stop()));
  return figures.flat();
}
