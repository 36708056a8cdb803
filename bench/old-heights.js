/**
 * Reads of one height, first while it is the head and then with many empty blocks above it: a single trace,
 * concurrent traces, a call, an estimate, the slots of a contract, and ranges by REST. `CHRONICLED_BENCH_ABOVE` is
 * the number of blocks above.
 */
import { median } from './figures.js';
import { openConnection } from './http.js';
import { startOurs, threadsTime } from './ethereum/peers.js';
import { accounts, fromGenesis, perform, token } from './ethereum/transactions.js';

const ABOVE = Number(process.env['CHRONICLED_BENCH_ABOVE'] ?? 5_000);
/** Number of blocks in one `anvil_mine`. */
const COMMAND = 1_000;
const ROUNDS = 5;
const BESIDE = 8;
const hexOf = (number) => `0x${number.toString(16)}`;

/** Median milliseconds of `work`, without its first run. */
async function timeOf(work) {
  const samples = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const begun = performance.now();
    await work();
    if (round > 0) samples.push(performance.now() - begun);
  }
  return median(samples);
}

async function readRest(url, height) {
  const answer = await fetch(url, { headers: { 'x-cosmos-block-height': String(height) } });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${body.slice(0, 200)}`);
}

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  fromGenesis();
  const peer = await startOurs({ mining: 'instant' });
  const connections = await Promise.all(Array.from({ length: BESIDE }, () => openConnection(peer.url)));
  const [connection] = connections;
  const deployed = token.deploy(0);
  await perform(connection, [deployed]);
  const sent = Array.from({ length: 20 }, () => token.transfer(0, deployed.address));
  await perform(connection, sent);
  const { hash } = sent.at(-1);
  const { blockNumber, blockHash } = await connection.call('eth_getTransactionReceipt', [hash]);
  const height = Number(blockNumber);
  const call = { to: deployed.address, data: token.balanceOf(accounts[1].address) };
  const trace = (other) => other.call('debug_traceTransaction', [hash, { tracer: 'callTracer' }]);
  const { rest } = peer.endpoints;
  const works = {
    'trace of a transaction': () => trace(connection),
    [`${BESIDE} traces side by side`]: () => Promise.all(connections.map(trace)),
    eth_call: () => connection.call('eth_call', [call, blockNumber]),
    eth_estimateGas: () => connection.call('eth_estimateGas', [call, blockNumber]),
    debug_storageRangeAt: () =>
      connection.call('debug_storageRangeAt', [blockHash, 0, deployed.address, `0x${'00'.repeat(32)}`, 100]),
    'balances of a denomination': () => readRest(`${rest}/cosmos/bank/v1beta1/supply`, height),
    'validators by REST': () => readRest(`${rest}/cosmos/staking/v1beta1/validators`, height),
  };
  const measure = async () => {
    const times = {};
    for (const [name, work] of Object.entries(works))
      times[name] = await timeOf(work).catch(
        (error) => (process.stderr.write(`${name}: ${error.message}\n`), Number.NaN),
      );
    return times;
  };
  const young = await measure();
  const used = threadsTime(peer);
  for (let mined = 0; mined < ABOVE; mined += COMMAND)
    await connection.call('anvil_mine', [hexOf(Math.min(COMMAND, ABOVE - mined))]);
  const cpu = (threadsTime(peer) - used) / 1e6 / ABOVE;
  const old = await measure();
  for (const other of connections) other.close();
  await peer.stop();
  const above = `${ABOVE.toLocaleString('en')} blocks above`;
  return [
    ...Object.keys(works).flatMap((name) => [
      { name: `${name}, at the head`, value: young[name], unit: 'ms' },
      { name: `${name}, ${above}`, value: old[name], unit: 'ms' },
    ]),
    { name: 'CPU of each of these blocks, all threads', value: cpu, unit: 'ms' },
  ];
}
