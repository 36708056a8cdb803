/**
 * Makes a large chain over many lives of a node: transfers to fresh accounts, then transfers, every tenth of a token.
 * Some lives end with SIGKILL in the middle of a block; each life checks all that was acknowledged before it.
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
/** Below what the transactions offer, wei. */
const HIGH_PRICE = 50n * 10n ** 9n;
const EMPTY_BLOCKS = 30;
const FRESH_VALUE = 1_000n;
/** Milliseconds from the beginning of a block within which a kill comes; a block takes about as long. */
const KILL_WITHIN = 2_000;
const ROWS = 10;

/** Query of all Ethereum transactions. */
export const SENT = "message.action='/cosmos.evm.vm.v1.MsgEthereumTx'";

/** Address of the fresh account with this number. @param {number} number */
export const freshAddress = (number) => `0x${'fe'.repeat(12)}${number.toString(16).padStart(16, '0')}`;

/** Account 0 first sends as many transactions as there are accounts: the token, and its first holders. */
const numberOf = (index, nonce) => accounts.length * (index === 0 ? nonce - accounts.length : nonce) + index;

/** A random number from 0 up to 1 by a seed (mulberry32, a public generator of 32 bits). @param {number} seed */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Bytes of a folder. @param {string} folder */
const bytesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

/**
 * Makes the chain, or goes on with one that was not finished. @param {string} home
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

/** Refuses a node that lost what it acknowledged; answers how many transactions it has. */
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

/** Sends the transactions of a block and makes it; answers how many the chain has. */
async function addBlock(node, { told, transactions, fresh }, before) {
  // a connection without requests is closed while a block is made
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
  // full blocks raise the base fee, and empty ones lower it
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

/** A row of the curve: what a new process over the home takes, the second of each question. */
async function measured(home, flags) {
  const node = await startMeasured(home, flags);
  const started = await node.step(async () => undefined);
  await node.step(() => node.ethereum('evm_mine'));
  const block = await node.step(() => node.ethereum('evm_mine'));
  const found = async (query, order_by) => (await node.comet('tx_search', { query, per_page: '1', order_by })).txs[0];
  const { height } = await found(SENT, 'desc');
  // a trace executes the transactions before its own too
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
