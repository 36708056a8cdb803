/**
 * Token transfers that wait in the mempool and are mined at an interval: our node with durable writes compared with
 * anvil. Each gas limit is three times the gas that the transfer uses, and their sum exceeds the gas of many blocks.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { median } from './figures.js';
import { openConnection } from './http.js';
import { row } from './ethereum/compare.js';
import { startPeers, threadsTime } from './ethereum/peers.js';
import { accounts, fromGenesis, perform, sendBatch, sign, token } from './ethereum/transactions.js';

const SENDERS = 16;
const EACH = 200;
const BATCH = 100;
const GAS_LIMIT = 100_000n;
const INTERVAL_SECONDS = 1;
const ROUNDS = 3;
const WARM = 1;
/** Milliseconds between two requests for the head. */
const LOOK_MS = 20;

/** Deploys a token and gives each sender some. */
async function deployToken(peers) {
  const made = token.deploy(0);
  const gifts = accounts.slice(1).map(({ address }) => token.give(0, made.address, address));
  for (const peer of peers) {
    const connection = await openConnection(peer.url);
    await perform(connection, [made, ...gifts]);
    connection.close();
  }
  return made.address;
}

/** Waits until the blocks from `from` on hold `count` transactions. Resolves with the number in each block. */
async function minedFrom(connection, from, count) {
  const sizes = [];
  for (let found = 0; found < count; await delay(LOOK_MS)) {
    const head = Number(await connection.call('eth_blockNumber', []));
    while (from + sizes.length <= head) {
      const height = `0x${(from + sizes.length).toString(16)}`;
      const size = Number(await connection.call('eth_getBlockTransactionCountByNumber', [height]));
      sizes.push(size);
      found += size;
    }
  }
  return sizes;
}

/**
 * One round: sends all transfers, then waits until they are mined. Measures transactions per second, transactions in
 * the fullest block, and microseconds of CPU for each transaction.
 */
async function round(peer, signed) {
  const connection = await openConnection(peer.url);
  await connection.call('evm_setAutomine', [false]);
  const next = Number(await connection.call('eth_blockNumber', [])) + 1;
  for (let first = 0; first < signed.length; first += BATCH)
    await sendBatch(connection, signed.slice(first, first + BATCH));
  const used = threadsTime(peer);
  const begun = performance.now();
  await connection.call('evm_setIntervalMining', [INTERVAL_SECONDS]);
  const sizes = (await minedFrom(connection, next, signed.length)).filter((size) => size > 0);
  const seconds = (performance.now() - begun) / 1_000;
  const cpu = (threadsTime(peer) - used) / 1e3 / signed.length;
  await connection.call('evm_setIntervalMining', [0]);
  await connection.call('evm_setAutomine', [true]);
  connection.close();
  return { rate: signed.length / seconds, full: Math.max(...sizes), cpu };
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  fromGenesis();
  const peers = await startPeers();
  const samples = new Map(peers.map(({ name }) => [name, []]));
  try {
    const address = await deployToken(peers);
    for (let index = 0; index < ROUNDS + WARM; index += 1) {
      const sets = Array.from({ length: SENDERS }, (_, sender) =>
        Array.from({ length: EACH }, () =>
          sign(sender, { to: address, gas: GAS_LIMIT, data: token.sending(accounts[sender + 1].address, 1n) }),
        ),
      );
      const signed = sets.flat();
      for (const peer of index % 2 === 0 ? peers : [...peers].reverse()) {
        const sample = await round(peer, signed);
        if (index >= WARM) samples.get(peer.name)?.push(sample);
      }
    }
  } finally {
    await Promise.all(peers.map((peer) => peer.stop()));
  }
  const of = (name, value) => {
    const all = (samples.get(name) ?? []).map(value);
    return all.length === 0 ? undefined : median(all);
  };
  const name = 'ERC-20 transfers that wait, a block every second';
  const [rate, full, cpu] = [({ rate: value }) => value, ({ full: value }) => value, ({ cpu: value }) => value];
  return [
    row(`${name}, mined`, '1/s', 'more', of('ours', rate), of('anvil', rate), 'ratio 1.0'),
    row(`${name}, in the fullest block`, 'transactions', 'more', of('ours', full), of('anvil', full)),
    row(`${name}: CPU each while they are mined`, 'us', 'less', of('ours', cpu), of('anvil', cpu)),
  ];
}
