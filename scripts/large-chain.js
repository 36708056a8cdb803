/**
 * A home of a large chain: `node scripts/large-chain.js HOME [transactions] [accounts]`, by default 105,000 and 40,000,
 * in blocks of 1,000 transactions: transfers to fresh accounts, then transfers, every tenth of a token. Needs `npm run
 * build` and `npx tsc -p tsconfig.build.json`. A home that is there is not made again.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { getContractAddress } from 'viem';
import { openConnection } from '../bench/http.js';
import { accounts, sendBatch, sign, token, transfer } from '../bench/ethereum/transactions.js';
import { startNodeProcess } from '../bench/node-client.js';
import { residentParts } from './memory-parts.js';

const BLOCK = 1_000;
const BATCH = 100;
/** Below what the transactions offer, wei. */
const HIGH_PRICE = 50n * 10n ** 9n;
const EMPTY_BLOCKS = 30;

/** Address of the fresh account with this number. @param {number} number */
const freshAddress = (number) => `0x${'fe'.repeat(12)}${number.toString(16).padStart(16, '0')}`;

/**
 * Makes the chain, or goes on with one that was not finished. @param {string} home @param {number} transactions
 * @param {number} fresh
 */
async function makeLargeChain(home, transactions, fresh) {
  const node = await startNodeProcess('manual', home);
  // a connection without requests is closed while a block is made
  const connected = async (work) => {
    const connection = await openConnection(node.ethereumUrl);
    const answer = await work(connection);
    connection.close();
    return answer;
  };
  const send = (signed) => connected((connection) => sendBatch(connection, signed));
  for (const account of accounts)
    account.nonce = await connected(async (connection) =>
      Number(await connection.call('eth_getTransactionCount', [account.address, 'pending'])),
    );
  const tokenAddress = getContractAddress({ from: accounts[0].address, nonce: 0n });
  let sent = accounts.reduce((sum, { nonce }) => sum + nonce, 0);
  if (sent === 0) {
    await send([token.deploy(0)]);
    await node.mine(1);
    await send(accounts.slice(1).map(({ address }) => token.give(0, tokenAddress, address)));
    await node.mine(1);
    sent = accounts.length;
  }
  for (const made = accounts.length; sent < transactions;) {
    // full blocks raise the base fee, and empty ones lower it
    const price = await connected((connection) => connection.call('eth_gasPrice', []));
    if (BigInt(price) > HIGH_PRICE) await node.mine(EMPTY_BLOCKS);
    const end = Math.min(transactions, sent + BLOCK);
    while (sent < end) {
      const signed = [];
      for (; signed.length < BATCH && sent < end; sent += 1) {
        const from = sent % accounts.length;
        const number = sent - made;
        if (number < fresh) signed.push(sign(from, { to: freshAddress(number), value: 1_000n }));
        else signed.push(sent % 10 === 0 ? token.transfer(from, tokenAddress) : transfer(from));
      }
      await send(signed);
    }
    await node.mine(1);
    if (sent % 10_000 < BLOCK) process.stdout.write(`${sent} transactions\n`);
  }
  await node.stop();
}

const [, , home, transactions = '105000', fresh = '40000'] = process.argv;
if (home === undefined) throw new Error('a home is needed');
if (!existsSync(`${home}.whole`)) {
  await makeLargeChain(home, Number(transactions), Number(fresh));
  writeFileSync(`${home}.whole`, '');
}

const MAIN = process.env['CHRONICLED_BENCH_MAIN'] ?? fileURLToPath(new URL('../dist/node/main.js', import.meta.url));
const HOLDS = new URL('loop-holds.js', import.meta.url).href;
const ready = `${home}.ready`;
rmSync(ready, { force: true });
const child = fork(
  MAIN,
  ['dev', '--home', home, '--mining', 'manual', '--port-base', '0', '--ready-file', ready, '--quiet'],
  {
    execArgv: ['--import', HOLDS, ...(process.env['CHRONICLED_BENCH_EXEC_ARGV']?.split(' ') ?? [])],
  },
);
while (!existsSync(ready)) await delay(10);
const { endpoints } = JSON.parse(readFileSync(ready, 'utf8'));

/** What the process says of itself since the last question. */
async function usage() {
  const answered = once(child, 'message');
  child.send('usage');
  return (await answered)[0];
}

let before = { cpu: 0 };
/** Prints what a step took. @param {string} name @param {() => Promise<unknown>} work */
async function step(name, work) {
  const begun = performance.now();
  const told = await work();
  const taken = performance.now() - begun;
  const now = await usage();
  const tables = residentParts(child.pid).tables / 2 ** 20;
  const parts = [
    `${taken.toFixed(0)} ms, ${(now.cpu - before.cpu).toFixed(0)} ms CPU`,
    `longest hold ${now.longest.toFixed(0)} ms`,
    `resident ${now.resident.toFixed(0)} MiB (${tables.toFixed(0)} of tables), most ${now.peak.toFixed(0)} MiB`,
  ];
  before = now;
  process.stdout.write(`${name}: ${parts.join('; ')}${told === undefined ? '' : ` (${told})`}\n`);
}

await step('start', async () => undefined);
/** @param {string} url @param {string} method @param {unknown} params */
async function call(url, method, params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const { result, error } = await response.json();
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}
const ethereum = (method, ...params) => call(endpoints.eth_http, method, params);
const prove = async (number) =>
  `${(await ethereum('eth_getProof', freshAddress(number), [], 'latest')).accountProof.length} nodes`;
const search = async (method, query, page, order_by = 'asc') =>
  `${(await call(endpoints.comet, method, { query, page: String(page), per_page: '10', order_by })).total_count} found`;
const SENT = "message.action='/cosmos.evm.vm.v1.MsgEthereumTx'";
const rest = () => delay(5_000);
const steps = {
  'rest of 5 s': rest,
  'first eth_getProof': () => prove(1),
  'second eth_getProof': () => prove(2),
  'tx_search, first page': () => search('tx_search', SENT, 1),
  'tx_search, page 5,000': () => search('tx_search', SENT, 5_000),
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
  ...(process.argv.includes('--revert') && {
    'anvil_rollback of 50 blocks': () => ethereum('anvil_rollback', 50),
    'rest of a minute': () => delay(65_000),
  }),
};
const chosen = process.env['CHRONICLED_BENCH_STEPS']?.split(',');
for (const [name, work] of Object.entries(steps)) if (chosen?.includes(name) ?? true) await step(name, work);
const ended = once(child, 'exit');
child.kill('SIGTERM');
await ended;
