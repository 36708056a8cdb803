/**
 * Builds a home with a large chain and measures it: `node scripts/large-chain.js HOME [transactions] [accounts]`. The
 * defaults are 105,000 transactions and 40,000 accounts, in blocks of 1,000 transactions. Needs `npm run build` and
 * `npx tsc -p tsconfig.build.json`. A complete home is reused. `--kills COUNT` kills the node that many times while
 * the chain grows, at moments that follow from `--seed`. Arguments after `--` are options of the node, such as
 * `--pruning`.
 */
import { randomInt } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freshAddress, growChain, SENT } from './grow-chain.js';
import { startMeasured } from './measured-node.js';

const MOST_ATTEMPTS = 10;

const behind = process.argv.indexOf('--');
const flags = behind < 0 ? [] : process.argv.slice(behind + 1);
const { values, positionals } = parseArgs({
  args: process.argv.slice(2, behind < 0 ? undefined : behind),
  options: {
    kills: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    revert: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [home, transactions = '105000', accounts = '40000'] = positionals;
if (home === undefined) throw new Error('a home is needed');
if (!existsSync(`${home}.whole`)) {
  process.stdout.write(`seed ${values.seed}\n`);
  await growChain(home, {
    transactions: Number(transactions),
    fresh: Number(accounts),
    kills: Number(values.kills),
    seed: Number(values.seed),
    flags,
  });
  writeFileSync(`${home}.whole`, '');
}

const node = await startMeasured(home, flags);
const { ethereum, comet, endpoints } = node;
/** Prints the cost of a step. @param {string} name @param {() => Promise<unknown>} work */
async function step(name, work) {
  const { told, taken, cpu, longest, resident, tables, peak } = await node.step(work);
  const parts = [
    `${taken.toFixed(0)} ms, ${cpu.toFixed(0)} ms CPU`,
    `longest hold ${longest.toFixed(0)} ms`,
    `resident ${resident.toFixed(0)} MiB (${tables.toFixed(0)} of tables), most ${peak.toFixed(0)} MiB`,
  ];
  process.stdout.write(`${name}: ${parts.join('; ')}${told === undefined ? '' : ` (${told})`}\n`);
}

await step('start', async () => undefined);
/** The first proof may take longer than one request may; the next request continues it. @param {number} number */
async function prove(number, attempts = 1) {
  try {
    const { accountProof } = await ethereum('eth_getProof', freshAddress(number), [], 'latest');
    return `${accountProof.length} nodes, ${attempts} attempts`;
  } catch (error) {
    if (attempts === MOST_ATTEMPTS || !error.message.includes('timeout')) throw error;
    return prove(number, attempts + 1);
  }
}
const search = async (method, query, page, order_by = 'asc') =>
  `${(await comet(method, { query, page: String(page), per_page: '10', order_by })).total_count} found`;
const rest = () => delay(5_000);
/** Longer than the pool keeps an idle thread. */
const restOfMinute = () => delay(65_000);
const steps = {
  'rest of 5 s': rest,
  'first eth_getProof': () => prove(1),
  'second eth_getProof': () => prove(2),
  'tx_search, first page': () => search('tx_search', SENT, 1),
  'tx_search, a page in the middle': () => search('tx_search', SENT, Math.ceil(Number(transactions) / 20)),
  'tx_search, newest': () => search('tx_search', SENT, 1, 'desc'),
  'eight tx_search': async () => {
    await Promise.all(Array.from({ length: 8 }, () => search('tx_search', SENT, 1)));
  },
  block_search: () => search('block_search', 'mint.amount EXISTS', 1),
  'tx_search of all senders': () => search('tx_search', 'message.sender EXISTS', 1),
  count_total: async () => {
    const url = `${endpoints.rest}/cosmos/auth/v1beta1/accounts?pagination.limit=1&pagination.count_total=true`;
    const answer = await (await fetch(url)).json();
    return JSON.stringify(answer.pagination ?? answer);
  },
  anvil_dumpState: async () => `${(await ethereum('anvil_dumpState')).length} characters`,
  'a block': () => ethereum('evm_mine'),
  'first eth_getProof of it': () => prove(3),
  'another rest of 5 s': rest,
  'rest of a minute': restOfMinute,
  ...(values.revert && {
    'anvil_rollback of 50 blocks': () => ethereum('anvil_rollback', 50),
    'another rest of a minute': restOfMinute,
  }),
};
const chosen = process.env['CHRONICLED_BENCH_STEPS']?.split(',');
for (const [name, work] of Object.entries(steps)) if (chosen?.includes(name) ?? true) await step(name, work);
await node.end('SIGTERM');
