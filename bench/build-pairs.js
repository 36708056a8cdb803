/**
 * Compares the processor time of two builds of this node, measured alternately: `node bench/build-pairs.js <other
 * worktree> [rounds]`. The other worktree needs `npm run build`; this one also needs `npx tsc -p
 * tsconfig.build.json`. Times include all threads of the node. Other load on the machine affects both builds.
 */
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { hammer } from './ethereum/load.js';
import { residentBytes, startOurs, threadsTime } from './ethereum/peers.js';
import { accounts, receiptOf, request, sendRequest, sign, token, transfer, worker } from './ethereum/transactions.js';
import { median } from './figures.js';
import { openConnection } from './http.js';

const SENDERS = 16;
const EACH = 250;
const LOGS = 1_000;
const LOGS_EACH = 100;
const FULL_BLOCK = 200;
const EMPTY_BLOCKS = 1_000;
/** Warm-up rounds of each part. */
const WARM = 2;

const [other, rounds = '5'] = process.argv.slice(2);
if (other === undefined) throw new Error('name the worktree to compare with');
const here = fileURLToPath(new URL('..', import.meta.url));
const builds = [
  { name: 'before', main: join(resolve(other), 'dist/node/main.js') },
  { name: 'after', main: join(here, 'dist/node/main.js') },
];

/** Waits until the node is idle, so that its deferred work is charged to the part that caused it. */
async function rest(peer) {
  for (let before = threadsTime(peer); ;) {
    await delay(500);
    const now = threadsTime(peer);
    if (now - before < 15_000_000) return;
    before = now;
  }
}

/** Runs `work` once. Returns microseconds of processor time for each of its `count` units. */
async function costOf(peer, count, work) {
  const before = threadsTime(peer);
  await work();
  return (threadsTime(peer) - before) / 1_000 / count;
}

const nodes = [];
for (const build of builds) {
  const peer = await startOurs({ main: build.main, mining: 'manual' });
  nodes.push({ ...build, peer, samples: new Map() });
}

function keep(node, round, name, value) {
  process.stderr.write(`${round} ${node.name} ${name}: ${value.toFixed(0)}\n`);
  if (round < WARM) return;
  const kept = node.samples.get(name) ?? [];
  node.samples.set(name, [...kept, value]);
}

/** Runs `work` with that many new connections: the node closes idle ones. */
async function connected({ peer }, count, work) {
  const connections = await Promise.all(Array.from({ length: count }, () => openConnection(peer.url)));
  await work(connections);
  for (const connection of connections) connection.close();
}

const busy = worker.deploy(17);
const emitting = Array.from({ length: LOGS / LOGS_EACH }, () =>
  sign(17, { to: busy.address, gas: 2_000_000n, data: worker.call('emitMany', [BigInt(LOGS_EACH)]) }),
);
const owner = accounts[0].address;
const coin = token.deploy(18);
const full = Array.from({ length: FULL_BLOCK }, (_, index) => transfer(index % SENDERS));
const small = sign(17, { to: busy.address, gas: 200_000n, data: worker.call('emitMany', [1n]) });
for (const node of nodes) {
  await connected(node, 1, async ([connection]) => {
    const heights = [];
    for (const one of [busy, ...emitting, small]) {
      await connection.send(sendRequest(one));
      await connection.call('evm_mine', []);
      heights.push((await receiptOf(connection, one.hash)).blockNumber);
    }
    await connection.send(sendRequest(coin));
    for (const one of full) await connection.send(sendRequest(one));
    while ((await connection.call('eth_getTransactionReceipt', [full.at(-1).hash])) === null)
      await connection.call('evm_mine', []);
    node.full = (await receiptOf(connection, full.at(-1).hash)).blockNumber;
    // enough that the index contains the requested ones
    for (let block = 0; block < 40; block += 1) await connection.call('evm_mine', []);
    node.logs = { fromBlock: heights.at(1), toBlock: heights.at(-2), address: busy.address };
    node.one = { fromBlock: heights.at(-1), toBlock: heights.at(-1), address: busy.address };
  });
}

for (let round = 0; round < Number(rounds) + WARM; round += 1) {
  const order = round % 2 === 0 ? nodes : [...nodes].reverse();
  for (const node of order) {
    const { peer } = node;
    await rest(peer);
    const called = { to: coin.address, data: token.balanceOf(owner) };
    for (const [name, count, body] of [
      ['eth_blockNumber', 10_000, request('eth_blockNumber', [])],
      ['eth_getBalance', 10_000, request('eth_getBalance', [owner, 'latest'])],
      ['eth_call balanceOf', 4_000, request('eth_call', [called, 'latest'])],
      ['eth_estimateGas', 4_000, request('eth_estimateGas', [{ from: owner, to: accounts[1].address, value: '0x1' }])],
      [
        `eth_getBlockByNumber, full, ${FULL_BLOCK} transactions`,
        200,
        request('eth_getBlockByNumber', [node.full, true]),
      ],
      ['eth_getLogs of one block', 3_000, request('eth_getLogs', [node.one])],
      [`eth_getLogs of ${LOGS} logs`, 100, request('eth_getLogs', [node.logs])],
    ])
      keep(node, round, `${name}, us`, await costOf(peer, count, () => hammer(peer.url, body, count)));
  }
}
for (let round = 0; round < Number(rounds) + WARM; round += 1) {
  const order = round % 2 === 0 ? nodes : [...nodes].reverse();
  for (const node of order) {
    await rest(node.peer);
    const mine = ([connection]) => connection.call('anvil_mine', [`0x${EMPTY_BLOCKS.toString(16)}`]);
    const cost = await costOf(node.peer, EMPTY_BLOCKS, async () => {
      await connected(node, 1, mine);
      await rest(node.peer);
    });
    keep(node, round, 'an empty block, us', cost);
  }
}
for (let round = 0; round < Number(rounds) + WARM; round += 1) {
  const sets = Array.from({ length: SENDERS }, (_, sender) => Array.from({ length: EACH }, () => transfer(sender)));
  const order = round % 2 === 0 ? nodes : [...nodes].reverse();
  for (const node of order) {
    const { peer } = node;
    const count = SENDERS * EACH;
    await rest(peer);
    let submit = 0;
    await connected(node, SENDERS, async (connections) => {
      const send = async (set, index) => {
        for (const one of set) {
          const { error } = await connections[index].send(sendRequest(one));
          if (error !== undefined) throw new Error(`${node.name} refused: ${JSON.stringify(error)}`);
        }
      };
      submit = await costOf(peer, count, () => Promise.all(sets.map(send)));
    });
    const blocks = await costOf(peer, count, async () => {
      await connected(node, 1, async ([connection]) => {
        const isMined = async ([{ hash }]) => (await connection.call('eth_getTransactionReceipt', [hash])) !== null;
        for (const set of sets) while (!(await isMined(set.slice(-1)))) await connection.call('evm_mine', []);
      });
      await rest(peer);
    });
    keep(node, round, 'a transfer, sent, us', submit);
    keep(node, round, 'a transfer, mined and indexed, us', blocks);
    keep(node, round, 'a transfer in all, us', submit + blocks);
    keep(node, round, 'resident, MB', residentBytes(peer) / 1e6);
  }
}
const [before, after] = nodes;
for (const name of before.samples.keys()) {
  const [was, is] = [median(before.samples.get(name)), median(after.samples.get(name))];
  process.stdout.write(`| ${name} | ${was.toFixed(0)} | ${is.toFixed(0)} | ${(is / was).toFixed(2)} |\n`);
}
for (const { peer } of nodes) await peer.stop();
