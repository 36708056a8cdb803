/** `eth_getProof` with tries that are built on demand: time, memory, and delay of other requests meanwhile. */
import { gzipSync } from 'node:zlib';
import { openConnection } from './http.js';
import { residentBytes, startOurs } from './ethereum/peers.js';

const MEBIBYTE = 1024 * 1024;
const SIZES = [1_000, 10_000];
const FURTHER = 20;
const SLOTS = 50_000;
const CONTRACT = `0x${'c0'.repeat(20)}`;

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const figures = [];
  for (const accounts of SIZES) figures.push(...(await measure(accounts)));
  figures.push(...(await measureSlots()));
  return figures;
}

/** @param {bigint | number} number */
const word = (number) => `0x${number.toString(16).padStart(64, '0')}`;

/** Deploys a contract with many slots; each later block writes one of them. */
async function measureSlots() {
  const peer = await startOurs({ mining: 'manual' });
  const connection = await openConnection(peer.url);
  const storage = Object.fromEntries(Array.from({ length: SLOTS }, (_, at) => [word(at), word(at + 1)]));
  const accounts = { [CONTRACT]: { nonce: 1, balance: '0x0', code: '0x6000', storage } };
  await connection.call('anvil_loadState', [`0x${gzipSync(JSON.stringify({ accounts })).toString('hex')}`]);
  await connection.call('evm_mine', []);
  const prove = async () => {
    const started = performance.now();
    await connection.call('eth_getProof', [CONTRACT, [word(1)], 'latest']);
    return performance.now() - started;
  };
  const first = await prove();
  let further = 0;
  let later = 0;
  for (let asked = 0; asked < FURTHER; asked += 1) {
    further += (await prove()) / FURTHER;
    await connection.call('anvil_setStorageAt', [CONTRACT, word(asked), word(asked + 2)]);
    await connection.call('evm_mine', []);
    later += (await prove()) / FURTHER;
  }
  connection.close();
  await peer.stop();
  const name = `eth_getProof of a slot, ${SLOTS.toLocaleString('en')} slots`;
  return [
    { name: `${name}: the first`, value: first, unit: 'ms' },
    { name: `${name}: each further one of a block`, value: further, unit: 'ms', goal: '100 ms' },
    { name: `${name}: the first of a later block`, value: later, unit: 'ms', goal: '100 ms' },
  ];
}

/** @param {number} accounts */
async function measure(accounts) {
  const peer = await startOurs({ mining: 'manual', accounts });
  const connection = await openConnection(peer.url);
  const other = await openConnection(peer.url);
  const [account] = await connection.call('eth_accounts', []);
  await connection.call('evm_mine', []);
  const before = residentBytes(peer);
  const prove = async () => {
    const started = performance.now();
    await connection.call('eth_getProof', [account, [], 'latest']);
    return performance.now() - started;
  };
  let longest = 0;
  let isProving = true;
  const beside = async () => {
    while (isProving) {
      const started = performance.now();
      await other.call('eth_blockNumber', []);
      longest = Math.max(longest, performance.now() - started);
    }
  };
  const asking = beside();
  const first = await prove();
  let further = 0;
  for (let asked = 0; asked < FURTHER; asked += 1) further += (await prove()) / FURTHER;
  isProving = false;
  await asking;
  const name = `eth_getProof, ${accounts.toLocaleString('en')} accounts`;
  const grown = (residentBytes(peer) - before) / MEBIBYTE;
  connection.close();
  other.close();
  await peer.stop();
  return [
    { name: `${name}: the first of a block`, value: first, unit: 'ms' },
    { name: `${name}: each further one`, value: further, unit: 'ms' },
    { name: `${name}: longest eth_blockNumber beside them`, value: longest, unit: 'ms', goal: '50 ms' },
    { name: `${name}: resident memory, with a thread of the pool`, value: grown, unit: 'MiB' },
  ];
}
