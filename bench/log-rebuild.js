/**
 * Compares `log rebuild` with executing the same chain. A node makes a chain; then this process alternately executes
 * its log again (as `log verify --execute`, without writing rows) and rebuilds its database. CHRONICLED_BENCH_CHAIN
 * names the content of the blocks (`mixed`, `transfers`, `tokens` or `contracts`). CHRONICLED_BENCH_BLOCKS is the
 * number of blocks, each with eight transactions. CHRONICLED_BENCH_HOME keeps the chain in a folder, or uses the
 * chain in it; then there are no figures of the node that made it.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toPosition, toTimeNs } from '../build/core/primitives.js';
import { deriveDatabase, wholeLogOf } from '../build/runtime/rebuild/derive-database.js';
import { readHostRows } from '../build/runtime/rebuild/host-rows.js';
import { deepestRevert, reExecute } from '../build/runtime/re-execution/re-execute-log.js';
import { createHostCrypto } from '../build/runtime/host/crypto.js';
import { openEventLog } from '../build/store/log/event-log.js';
import { fillNewDatabase, openLevelCopy } from '../build/store/leveldb/level-store.js';
import {
  accounts,
  fromGenesis,
  perform,
  receiptOf,
  sendBatch,
  token,
  transfer,
  worker,
  sign,
} from './ethereum/transactions.js';
import { median } from './figures.js';
import { openConnection } from './http.js';
import { startNodeProcess } from './node-client.js';

const BLOCKS = Number(process.env['CHRONICLED_BENCH_BLOCKS'] ?? 3_000);
const ROUNDS = Number(process.env['CHRONICLED_BENCH_ROUNDS'] ?? 3);
const CHAIN = process.env['CHRONICLED_BENCH_CHAIN'] ?? 'mixed';
const MAKER = 0;
const SENDERS = [1, 2, 3, 4, 5, 6, 7, 8];

/** Makes the chain. Returns processor milliseconds of its blocks, all threads. @param {string} home */
async function makeChain(home) {
  const node = await startNodeProcess('instant', home);
  const connection = await openConnection(node.ethereumUrl);
  fromGenesis();
  const coin = token.deploy(MAKER);
  const tool = worker.deploy(MAKER);
  await perform(connection, [coin, tool]);
  await perform(
    connection,
    SENDERS.map((owner) => token.give(MAKER, coin.address, accounts[owner].address)),
  );
  const hash = (sender, rounds) =>
    sign(sender, { to: tool.address, data: worker.call('hashing', [rounds]), gas: 60_000n + 1_000n * rounds });
  const paid = (sender) => token.transfer(sender, coin.address);
  /** The transactions of a block. */
  const kinds = {
    mixed: () => [...[3, 4, 5, 6, 7].map(transfer), ...[1, 2].map(paid), hash(8, 20n)],
    transfers: () => SENDERS.map(transfer),
    tokens: () => SENDERS.map(paid),
    contracts: () => SENDERS.map((sender) => hash(sender, 2_000n)),
  };
  const before = await node.usage();
  for (let block = 0; block < BLOCKS; block += 1) {
    const signed = kinds[CHAIN]();
    await sendBatch(connection, signed);
    const { status } = await receiptOf(connection, signed.at(-1).hash);
    if (status !== '0x1') throw new Error(`a call of block ${block} failed`);
  }
  const after = await node.usage();
  connection.close();
  await node.stop();
  return after.user + after.system - before.user - before.system;
}

/** Elapsed milliseconds and processor milliseconds of all threads. @param {() => Promise<unknown>} work */
async function cost(work) {
  globalThis.gc?.();
  const before = process.cpuUsage();
  const start = performance.now();
  await work();
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return { elapsed, cpu: (user + system) / 1_000 };
}

async function execute(store, crypto) {
  const clock = { now: () => toTimeNs(0n) };
  const log = await openEventLog({ store, crypto, clock, sync: 'os' });
  const everything = () => log.read({ from: toPosition(1n) });
  const { blocks, disagreements } = await reExecute(everything(), crypto, await deepestRevert(everything()));
  if (disagreements.length > 0) throw new Error(JSON.stringify(disagreements[0]));
  return blocks;
}

async function rebuild({ store, location }, crypto) {
  const folder = mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
  const options = { log: await wholeLogOf({ store, crypto, witnessed: undefined }), crypto };
  const host = readHostRows(store, toTimeNs(0n));
  const folders = { source: location, target: folder };
  await fillNewDatabase(folder, (target) => deriveDatabase({ ...options, host, target, folders }));
  rmSync(folder, { recursive: true, force: true });
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const kept = process.env['CHRONICLED_BENCH_HOME'];
  const home = kept ?? mkdtempSync(join(tmpdir(), 'chronicle-bench-'));
  const database = join(home, 'data', 'chronicle.db');
  const made = existsSync(database) ? undefined : await makeChain(home);
  const crypto = await createHostCrypto();
  const copy = await openLevelCopy(database);
  const rounds = [];
  let blocks = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const execution = await cost(async () => {
      blocks = await execute(copy.store, crypto);
    });
    rounds.push({ execution, rebuilt: await cost(() => rebuild(copy, crypto)) });
  }
  await copy.store.close();
  if (kept === undefined) rmSync(home, { recursive: true, force: true });
  const of = (pick) => median(rounds.map(pick));
  const live = made && {
    name: 'the node that made the chain / rebuild, processor time of all threads',
    value: median(rounds.map(({ rebuilt }) => made / rebuilt.cpu)),
    unit: 'x',
  };
  return [
    {
      name: `executing ${blocks} blocks of ${CHAIN} again, elapsed`,
      value: of(({ execution }) => execution.elapsed),
      unit: 'ms',
    },
    { name: 'making their database anew, elapsed', value: of(({ rebuilt }) => rebuilt.elapsed), unit: 'ms' },
    {
      name: 'execution / rebuild, elapsed, median of pairs',
      value: of(({ execution, rebuilt }) => execution.elapsed / rebuilt.elapsed),
      unit: 'x',
      goal: '5',
    },
    {
      name: 'execution / rebuild, processor time of all threads, median of pairs',
      value: of(({ execution, rebuilt }) => execution.cpu / rebuilt.cpu),
      unit: 'x',
    },
    ...(live ? [live] : []),
  ];
}
