/**
 * Builds a large chain over many restarts of a node. First it sends transfers to fresh accounts; later every tenth
 * transfer is of a token. Some runs end with SIGKILL in the middle of a block. Each start checks everything that was
 * acknowledged before.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { getContractAddress } from 'viem';
import { openConnection } from '../bench/http.js';
import { accounts, sendBatch, sign, token, transfer } from '../bench/ethereum/transactions.js';
import { startMeasured } from './measured-node.js';

const BLOCK = 1_000;
const BATCH = 100;
/** Below the price that the transactions offer, in wei. */
const HIGH_PRICE = 50n * 10n ** 9n;
const EMPTY_BLOCKS = 30;
const FRESH_VALUE = 1_000n;
/** A kill comes within this many milliseconds of the start of a block, which takes about as long. */
const KILL_WITHIN = 2_000;
const ROWS = 10;

/** Query that matches all Ethereum transactions. */
export const SENT = "message.action='/cosmos.evm.vm.v1.MsgEthereumTx'";

/** Address of the fresh account with this number. @param {number} number */
export const freshAddress = (number) => `0x${'fe'.repeat(12)}${number.toString(16).padStart(16, '0')}`;

/** Number of a transfer. Account 0 starts later: it first deploys the token and sends it to the first holders. */
const numberOf = (index, nonce) => accounts.length * (index === 0 ? nonce - accounts.length : nonce) + index;

/** Random numbers in [0, 1) from a seed (mulberry32, a public 32-bit generator). @param {number} seed */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Size of a folder in bytes. @param {string} folder */
const bytesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

/**
 * Builds the chain, or continues an unfinished one. @param {string} home
 *
 * @param {{ transactions: number; fresh: number; kills: number; seed: number; flags: readonly string[] }} options
 */
export async function growChain(home, { transactions, fresh, kills, seed, flags }) {
  const random = seeded(seed);
  const told = { blocks: 0, mined: 0, admitted: accounts.map(() => 0) };
  const state = { told, fresh, random, transactions, isWhole: flags.length === 0 };
  const moments = Array.from({ length: kills }, () => Math.floor(random() * transactions)).sort((a, b) => a - b);
  const start = () => startMeasured(home, ['--accounts', String(accounts.length), ...flags]);
  let node = await start();
  let sent = await checked(node, state);
  let row = Math.floor((sent * ROWS) / transactions);
  while (moments[0] < sent) moments.shift();
  while (sent < transactions) {
    const isKilled = moments[0] < sent + BLOCK;
    try {
      const after = isKilled ? random() * KILL_WITHIN : undefined;
      if (isKilled) moments.shift();
      const grown = addBlock(node, state, sent);
      if (after !== undefined) void delay(after).then(() => node.end('SIGKILL'));
      sent = await grown;
      if (isKilled) await node.alive(delay(KILL_WITHIN));
    } catch (error) {
      if (!isKilled) throw error;
      process.stdout.write(`killed at ${sent}: ${error.message}\n`);
      node = await start();
      sent = await checked(node, state);
    }
    const due = Math.floor((sent * ROWS) / transactions);
    if (due <= row) continue;
    row = due;
    await node.end('SIGTERM');
    process.stdout.write(`${sent} transactions: ${await measured(home, flags)}\n`);
    node = await start();
    sent = await checked(node, state);
  }
  await node.end('SIGTERM');
}

/** Throws if the node lost something that it acknowledged. Returns its number of transactions. */
async function checked(node, { told, fresh, random, isWhole }) {
  const count = async (account, tag) => Number(await node.ethereum('eth_getTransactionCount', account.address, tag));
  let mined = 0;
  for (const [index, account] of accounts.entries()) {
    account.nonce = await count(account, 'pending');
    mined += await count(account, 'latest');
    const least = told.admitted[index];
    if (account.nonce < least) throw new Error(`account ${index} has ${account.nonce} of ${least} transactions`);
  }
  const blocks = Number(await node.ethereum('eth_blockNumber'));
  if (blocks < told.blocks || mined < told.mined)
    throw new Error(`${blocks} of ${told.blocks} blocks, ${mined} of ${told.mined} transactions`);
  if (isWhole) {
    const { total_count: found } = await node.comet('tx_search', { query: SENT, per_page: '1' });
    if (Number(found) !== mined) throw new Error(`a search finds ${found} of ${mined} transactions`);
  }
  const funded = Math.min(fresh, told.mined - accounts.length);
  for (let probe = 0; probe < 20 && funded > 0; probe += 1) {
    const number = Math.floor(random() * funded);
    const balance = BigInt(await node.ethereum('eth_getBalance', freshAddress(number), 'latest'));
    if (balance !== FRESH_VALUE) throw new Error(`fresh account ${number} has ${balance}`);
  }
  return accounts.reduce((sum, { nonce }) => sum + nonce, 0);
}

/** Sends the transactions of a block and mines it. Returns the number of transactions of the chain. */
async function addBlock(node, { told, transactions, fresh }, before) {
  // the node closes connections without requests while it makes a block
  const send = async (signed) => {
    const connection = await node.alive(openConnection(node.endpoints.eth_http));
    await node.alive(sendBatch(connection, signed));
    connection.close();
    for (const [index, { nonce }] of accounts.entries()) told.admitted[index] = nonce;
  };
  let sent = before;
  const mine = async (blocks) => {
    await node.ethereum('anvil_mine', `0x${blocks.toString(16)}`);
    told.blocks = Number(await node.ethereum('eth_blockNumber'));
    told.mined = sent;
  };
  const tokenAddress = getContractAddress({ from: accounts[0].address, nonce: 0n });
  if (sent === 0) {
    await send([token.deploy(0)]);
    sent = 1;
    await mine(1);
  }
  if (sent < accounts.length) {
    await send(accounts.slice(sent).map(({ address }) => token.give(0, tokenAddress, address)));
    sent = accounts.length;
    await mine(1);
    return sent;
  }
  // full blocks raise the base fee, and empty blocks lower it
  if (BigInt(await node.ethereum('eth_gasPrice')) > HIGH_PRICE) await mine(EMPTY_BLOCKS);
  const end = Math.min(transactions, sent + BLOCK);
  while (sent < end) {
    const signed = [];
    for (; signed.length < BATCH && sent < end; sent += 1) {
      const numbers = accounts.map(({ nonce }, index) => numberOf(index, nonce));
      const number = Math.min(...numbers);
      const from = numbers.indexOf(number);
      if (number < fresh) signed.push(sign(from, { to: freshAddress(number), value: FRESH_VALUE }));
      else signed.push(number % 10 === 0 ? token.transfer(from, tokenAddress) : transfer(from));
    }
    await send(signed);
  }
  await mine(1);
  return sent;
}

/** A row of measurements: the start of a new process on the home, and the second run of each query. */
async function measured(home, flags) {
  const node = await startMeasured(home, flags);
  const started = await node.step(async () => undefined);
  await node.step(() => node.ethereum('evm_mine'));
  const block = await node.step(() => node.ethereum('evm_mine'));
  const found = async (query, order_by) => (await node.comet('tx_search', { query, per_page: '1', order_by })).txs[0];
  const { height } = await found(SENT, 'desc');
  // a trace also executes the earlier transactions of its block
  const first = await found(`tx.height=${height}`, 'asc');
  const hash = first.tx_result.events
    .flatMap(({ attributes }) => attributes)
    .find(({ key }) => key === 'ethereumTxHash').value;
  const tracing = () => node.ethereum('debug_traceTransaction', hash, { tracer: 'callTracer' });
  await node.step(tracing);
  const trace = await node.step(tracing);
  const search = await node.step(() => node.comet('tx_search', { query: SENT, per_page: '10', order_by: 'desc' }));
  await node.end('SIGTERM');
  return [
    `${(bytesOf(home) / 1e6).toFixed(0)} MB on the disk`,
    `start ${started.cpu.toFixed(0)} ms CPU, ${started.resident.toFixed(0)} MiB`,
    `a block ${block.cpu.toFixed(0)} ms CPU`,
    `trace ${trace.cpu.toFixed(0)} ms CPU`,
    `a page of tx_search ${search.cpu.toFixed(0)} ms CPU (${search.told.total_count} found)`,
  ].join('; ');
}
