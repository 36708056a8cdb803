/** Ethereum transactions that are mined at once, our node with durable writes compared with anvil. */
import { durableWrite, median } from './figures.js';
import { openConnection } from './http.js';
import { compare, rateRows, row } from './ethereum/compare.js';
import { startPeers } from './ethereum/peers.js';
import {
  accounts,
  fromGenesis,
  perform,
  receiptOf,
  sendBatch,
  sendRequest,
  token,
  transfer,
} from './ethereum/transactions.js';

/** Number of measured rounds. */
const ROUNDS = 3;
/** Warm-up transactions of each process, in which V8 compiles our code. */
const WARM = Number(process.env['CHRONICLED_BENCH_WARM'] ?? 1_200);
const SERIAL = 80;
const ONE = 80;
const SENDERS = 16;
const EACH = 25;
const BATCH = 100;

/**
 * Runs one part on chains of its own, because blocks of anvil cost more as its chain grows. `work` gets the
 * transactions signed for its round, and whether the round counts. It resolves with their number.
 */
async function part(signOne, sets, work, prepare = () => Promise.resolve()) {
  fromGenesis();
  const peers = await startPeers();
  const warm = Math.ceil(WARM / sets.reduce((sum, { count }) => sum + count, 0));
  try {
    const prepared = await prepare(peers);
    const signed = [];
    return await compare(peers, { rounds: ROUNDS, warm }, (peer, round) => {
      signed[round] ??= sets.map(({ sender, count }) => Array.from({ length: count }, () => signOne(sender, prepared)));
      return work(peer, signed[round], round >= warm);
    });
  } finally {
    await Promise.all(peers.map((peer) => peer.stop()));
  }
}

/** Each sender sends its transactions in order; resolves when all are mined. */
async function send(peer, sets) {
  const connections = await Promise.all(sets.map(() => openConnection(peer.url)));
  await Promise.all(
    sets.map(async (set, index) => {
      for (const one of set) {
        const { error } = await connections[index].send(sendRequest(one));
        if (error !== undefined) throw new Error(`${peer.name} refused: ${JSON.stringify(error)}`);
      }
      await receiptOf(connections[index], set.at(-1).hash);
    }),
  );
  for (const connection of connections) connection.close();
  return sets.reduce((sum, set) => sum + set.length, 0);
}

/** Deploys a token and gives each account some. */
async function deployToken(peers) {
  const made = token.deploy(0);
  const gifts = accounts.slice(1).map(({ address }) => token.give(0, made.address, address));
  for (const peer of peers) {
    const connection = await openConnection(peer.url);
    await perform(connection, [made, ...gifts]);
    connection.close();
  }
  return made;
}

/** Sends one transaction at a time and polls for its receipt before the next. */
async function latency() {
  const answered = { ours: [], anvil: [] };
  const mined = { ours: [], anvil: [] };
  await part(transfer, [{ sender: 18, count: SERIAL }], async (peer, [set], counts) => {
    const connection = await openConnection(peer.url);
    for (const one of set) {
      const start = performance.now();
      await connection.send(sendRequest(one));
      const accepted = performance.now();
      await receiptOf(connection, one.hash);
      if (!counts) continue;
      answered[peer.name].push(accepted - start);
      mined[peer.name].push(performance.now() - start);
    }
    connection.close();
    return set.length;
  });
  const of = (samples) => (samples.length === 0 ? undefined : median(samples));
  return [
    row(
      'transfer, one at a time: send to receipt, median',
      'ms',
      'less',
      of(mined.ours),
      of(mined.anvil),
      '2 ms, ratio 0.5',
    ),
    row('transfer, one at a time: send to answer, median', 'ms', 'less', of(answered.ours), of(answered.anvil)),
  ];
}

async function batch(peer, [set]) {
  const connection = await openConnection(peer.url);
  await sendBatch(connection, set);
  await receiptOf(connection, set.at(-1).hash);
  connection.close();
  return set.length;
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const single = [{ sender: 17, count: ONE }];
  const many = Array.from({ length: SENDERS }, (_, sender) => ({ sender: sender + 1, count: EACH }));
  const tokenTransfer = (sender, made) => token.transfer(sender, made.address);
  return [
    { name: 'one write of 4 kB and fdatasync on this disk, median', value: durableWrite(), unit: 'ms' },
    ...(await latency()),
    ...rateRows('transfers mined, 1 sender', await part(transfer, single, send)),
    ...rateRows(`transfers mined, ${SENDERS} senders`, await part(transfer, many, send)),
    ...rateRows(`transfers mined, one batch of ${BATCH}`, await part(transfer, [{ sender: 19, count: BATCH }], batch)),
    ...rateRows('ERC-20 transfers mined, 1 sender', await part(tokenTransfer, single, send, deployToken)),
    ...rateRows(`ERC-20 transfers mined, ${SENDERS} senders`, await part(tokenTransfer, many, send, deployToken)),
  ];
}
