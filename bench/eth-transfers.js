/** Transactions through the Ethereum face, mined at once, ours (durable writes on) against anvil. */
import { durableWrite, median } from './figures.js';
import { openConnection } from './http.js';
import { compare, rateRows, row, timeRows } from './ethereum/compare.js';
import { startPeers } from './ethereum/peers.js';
import { accounts, perform, receiptOf, sendBatch, sendRequest, token, transfer } from './ethereum/transactions.js';

const ROUNDS = 4;
const WARM = 2;
const SERIAL = 150;
const ONE = 200;
const SENDERS = 16;
const EACH = 40;
const BATCH = 100;

/** Signs once for each round; every peer sends the same. */
function rounds(signOne) {
  const signed = [];
  return (round, sets) => (signed[round] ??= sets.map(({ sender, count }) => Array.from({ length: count }, () => signOne(sender))));
}

/** Every sender sends its own one after the other; counts until all are mined. */
async function send(peer, sets) {
  const connections = await Promise.all(sets.map(() => openConnection(peer.url)));
  await Promise.all(sets.map(async (set, index) => {
    for (const one of set) {
      const { error } = await connections[index].send(sendRequest(one));
      if (error !== undefined) throw new Error(`${peer.name} refused: ${JSON.stringify(error)}`);
    }
    await receiptOf(connections[index], set.at(-1).hash);
  }));
  for (const connection of connections) connection.close();
  return sets.reduce((sum, set) => sum + set.length, 0);
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const peers = await startPeers();
  const made = token.deploy(0);
  const gifts = accounts.slice(1).map(({ address }) => token.give(0, made.address, address));
  for (const peer of peers) {
    const connection = await openConnection(peer.url);
    await perform(connection, [made]);
    await perform(connection, gifts);
    connection.close();
  }
  const plan = { rounds: ROUNDS, warm: WARM };
  const throughput = (signOne, sets) => {
    const signed = rounds(signOne);
    return compare(peers, plan, (peer, round) => send(peer, signed(round, sets)));
  };
  const single = [{ sender: 17, count: ONE }];
  const many = Array.from({ length: SENDERS }, (_, sender) => ({ sender: sender + 1, count: EACH }));

  const answered = new Map(peers.map(({ name }) => [name, []]));
  const serialSets = rounds(transfer);
  const serial = await compare(peers, plan, async (peer, round) => {
    const [set] = serialSets(round, [{ sender: 18, count: SERIAL }]);
    const connection = await openConnection(peer.url);
    for (const one of set) {
      const start = performance.now();
      await connection.send(sendRequest(one));
      if (round >= WARM) answered.get(peer.name).push(performance.now() - start);
      await receiptOf(connection, one.hash);
    }
    connection.close();
    return set.length;
  });
  const batches = rounds(transfer);
  const batched = await compare(peers, plan, async (peer, round) => {
    const [set] = batches(round, [{ sender: 19, count: BATCH }]);
    const connection = await openConnection(peer.url);
    await sendBatch(connection, set);
    await receiptOf(connection, set.at(-1).hash);
    connection.close();
    return set.length;
  });
  const tokenTransfer = (sender) => token.transfer(sender, made.address);
  const figures = [
    { name: 'one write of 4 kB and fdatasync on this disk, median', value: durableWrite(), unit: 'ms' },
    ...timeRows('transfer, send to receipt, one at a time', serial, '2 ms, ratio 0.5'),
    row('of that, until it is answered', 'ms', 'less', median(answered.get('ours')), peers.length > 1 ? median(answered.get('anvil')) : undefined),
    ...rateRows('transfers mined, 1 sender', await throughput(transfer, single)),
    ...rateRows(`transfers mined, ${SENDERS} senders`, await throughput(transfer, many)),
    ...rateRows(`transfers mined, one batch of ${BATCH}`, batched),
    ...rateRows('ERC-20 transfers mined, 1 sender', await throughput(tokenTransfer, single)),
    ...rateRows(`ERC-20 transfers mined, ${SENDERS} senders`, await throughput(tokenTransfer, many)),
  ];
  await Promise.all(peers.map((peer) => peer.stop()));
  return figures;
}
