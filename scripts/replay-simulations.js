/**
 * Replays the recordings of `eth_simulateV1` of the execution-apis repository against the build: `npm run build`, then
 * `node scripts/replay-simulations.js FOLDER`, where FOLDER is its `tests` with `genesis.json` and `eth_simulateV1/`.
 *
 * The node starts with the accounts, chain id, height, gas limit and base fee of the recorded chain. Hashes, roots
 * and sizes belong to another chain and are not compared. Times are compared relative to the head, also within return
 * data.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../dist/node/main.js', import.meta.url));
/** Facts of the recorded head. */
const CHAIN_ID = '3503995874084926';
const HEAD = 0x36;
const HEAD_TIME = 0x21cn;
const BLOCK_SECONDS = 10;
const GAS_LIMIT = '0xbebc200';
/** Base fee of an empty head; the next block then has the recorded base fee. */
const BASE_FEE = '0x1a2478c';
/** Fields that differ between chains, and `totalDifficulty`, which only our blocks have. */
const OF_THE_CHAIN = new Set([
  'hash',
  'parentHash',
  'stateRoot',
  'blockHash',
  'receiptsRoot',
  'transactionsRoot',
  'transactionHash',
  'size',
  'miner',
  'logsBloom',
  'totalDifficulty',
]);

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('node scripts/replay-simulations.js FOLDER');
const home = mkdtempSync(join(tmpdir(), 'chronicle-simulations-'));
const ready = join(home, 'ready.json');
const node = spawn(
  process.execPath,
  [
    MAIN,
    'dev',
    '--ephemeral',
    '--mining',
    'manual',
    '--port-base',
    '0',
    '--evm-chain-id',
    CHAIN_ID,
    '--ready-file',
    ready,
    '-q',
  ],
  { stdio: ['ignore', 'ignore', 'inherit'] },
);
try {
  await replayAll(await address());
} finally {
  node.kill('SIGTERM');
  rmSync(home, { recursive: true, force: true });
}

async function address() {
  for (;;) {
    try {
      return JSON.parse(readFileSync(ready, 'utf8')).endpoints.eth_http;
    } catch {
      if (node.exitCode !== null) throw new Error(`the node ended with code ${node.exitCode}`);
      await delay(20);
    }
  }
}

async function replayAll(url) {
  const post = async (message) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    });
    return answer.json();
  };
  const ask = async (method, ...params) => {
    const { result, error } = await post({ jsonrpc: '2.0', id: 1, method, params });
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  await prepare(ask);
  const head = await ask('eth_getBlockByNumber', 'latest', false);
  const shift = BigInt(head.timestamp) - HEAD_TIME;
  const files = readdirSync(join(folder, 'eth_simulateV1')).toSorted();
  let equal = 0;
  for (const file of files) {
    const lines = readFileSync(join(folder, 'eth_simulateV1', file), 'utf8').split('\n');
    const [sent, due] = ['>> ', '<< '].map((mark) => JSON.parse(lines.find((line) => line.startsWith(mark)).slice(3)));
    const came = await post(withTimes(sent, shift));
    const differences = [...compare({ due, came, shift })];
    if (differences.length === 0) equal += 1;
    else process.stdout.write(`${file}\n${differences.map((line) => `  ${line}\n`).join('')}`);
  }
  process.stdout.write(`${equal} of ${files.length} are equal\n`);
}

/** Accounts of the recorded genesis and the recorded head. */
async function prepare(ask) {
  const { alloc } = JSON.parse(readFileSync(join(folder, 'genesis.json'), 'utf8'));
  for (const [digits, { balance, code, nonce, storage = {} }] of Object.entries(alloc)) {
    const account = `0x${digits}`;
    await ask('anvil_setBalance', account, balance);
    if (code !== undefined) await ask('anvil_setCode', account, code);
    if (nonce !== undefined) await ask('anvil_setNonce', account, nonce);
    for (const [slot, value] of Object.entries(storage)) await ask('anvil_setStorageAt', account, slot, value);
  }
  // the coinbase of the recorded blocks, which earned tips
  await ask('anvil_setBalance', `0x${'00'.repeat(20)}`, '0x1');
  await ask('evm_setBlockGasLimit', GAS_LIMIT);
  await ask('anvil_setCoinbase', `0x${'00'.repeat(20)}`);
  await ask('anvil_setBlockTimestampInterval', BLOCK_SECONDS);
  const height = Number(await ask('eth_blockNumber'));
  // the method that sets the base fee also mines a block
  await ask('anvil_mine', `0x${(HEAD - 2 - height).toString(16)}`);
  await ask('anvil_setNextBlockBaseFeePerGas', BASE_FEE);
  await ask('anvil_mine', '0x1');
  const reached = Number(await ask('eth_blockNumber'));
  if (reached !== HEAD) throw new Error(`the head is ${reached}, not ${HEAD}`);
}

/** The request with shifted block times. */
function withTimes(value, shift) {
  if (Array.isArray(value)) return value.map((item) => withTimes(item, shift));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === 'time' ? `0x${(BigInt(item) + shift).toString(16)}` : withTimes(item, shift),
    ]),
  );
}

function* compare({ due, came, shift }) {
  if (due.error === undefined && came.error === undefined) {
    const hashes = [due, came].map((answer) => new Set(JSON.stringify(answer).match(/(?<=0x)[0-9a-f]{64}/g)));
    yield* compareValues(due.result, came.result, 'result', { shift, hashes });
    return;
  }
  const moved = (text) =>
    /timestamps/.test(text) ? text.replace(/\d+/g, (digits) => String(BigInt(digits) + shift)) : text;
  const show = ({ error, result }) => JSON.stringify(error ?? result).slice(0, 120);
  if (due.error?.code !== came.error?.code || moved(due.error.message) !== came.error.message)
    yield `due ${show(due)}, came ${show(came)}`;
}

function* compareValues(due, came, path, context) {
  const { shift, hashes } = context;
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (due === null || came === null || typeof due !== 'object' || typeof came !== 'object') {
    const isTime = name === 'timestamp' || name === 'blockTimestamp';
    const expected = isTime && due !== undefined ? `0x${(BigInt(due) + shift).toString(16)}` : due;
    // block 0 and the blocks before the head have their own times
    if (expected === came || (name === 'returnData' && areMovedWords(due, came, shift, hashes))) return;
    yield `${path}: due ${String(expected).slice(0, 120)}, came ${String(came).slice(0, 120)}`;
    return;
  }
  for (const key of new Set([...Object.keys(due), ...Object.keys(came)])) {
    if (OF_THE_CHAIN.has(key) || (name === 'transactions' && typeof due[key] === 'string')) continue;
    yield* compareValues(due[key], came[key], `${path}.${key}`, context);
  }
}

/** True for words of return data that are equal, differ by the shift of the times, or are block hashes. */
function areMovedWords(due, came, shift, [dueHashes, cameHashes]) {
  const [words, others] = [due, came].map((text) => text.slice(2).match(/.{1,64}/g) ?? []);
  return (
    words.length === others.length &&
    words.every((word, at) => {
      const other = others[at];
      if (word === other || BigInt(`0x${other}`) - BigInt(`0x${word}`) === shift) return true;
      return dueHashes.has(word) && cameHashes.has(other);
    })
  );
}
