/**
 * Blocks through the executor in this process: the same bytes as between threads, without database or other work.
 */
import { readGenesis } from '../build/core/app/chain-of-genesis.js';
import { createApplication } from '../build/core/app/create-application.js';
import { presets } from '../build/core/app/presets.js';
import { decodeTransaction } from '../build/core/ethereum/transaction-codec.js';
import { devGenesis } from '../build/core/genesis/dev-genesis.js';
import { wrapEthereumTransaction } from '../build/core/modules/evm/ethereum-message.js';
import { toHeight, toTimeNs } from '../build/core/primitives.js';
import { createInProcessExecutor } from '../build/runtime/executor/executor.js';
import { devAccounts } from './accounts.js';
import { fromGenesis, transfer } from './ethereum/transactions.js';
import { median } from './figures.js';
import { ACCOUNTS, CHAIN_ID, DENOM, PREFIX } from './node-options.js';

const SENDER = 5;
const SECOND = 1_000_000_000n;
/** Blocks of each part and transfers in a block. The parts run in order in one executor. */
const PARTS = [
  { name: 'block of 1 transfer, the first 200', blocks: 200, transfers: 1 },
  { name: undefined, blocks: 1_800, transfers: 1 },
  { name: 'block of 1 transfer, after 2,000', blocks: 2_000, transfers: 1 },
  { name: 'empty block, after those', blocks: 2_000, transfers: 0 },
  { name: 'block of 100 transfers, after those', blocks: 30, transfers: 100 },
];

const bytesOf = (hex) => Uint8Array.from(Buffer.from(hex.slice(2), 'hex'));

/** @param {import('../src/core/ports/crypto.js').Crypto} crypto @returns {Promise<import('./figures.js').Figure[]>} */
export async function blockFigures(crypto) {
  const accounts = devAccounts(ACCOUNTS, PREFIX);
  const from = bytesOf(accounts[SENDER].hex.toLowerCase());
  const genesis = devGenesis(crypto, {
    chainId: CHAIN_ID,
    time: toTimeNs(SECOND),
    accounts: accounts.map(({ bech32 }) => bech32),
    validators: [{ publicKey: new Uint8Array(32).fill(7), power: 1n, name: 'bench' }],
  });
  const chain = { chainId: CHAIN_ID, evmChainId: 271_828n, bech32Prefix: PREFIX, baseDenom: DENOM, minGasPrice: 0n };
  const begun = createApplication({ version: presets.chronicle, chain, crypto }).initChain(
    readGenesis(new TextEncoder().encode(JSON.stringify(genesis))),
  );
  const placeOf = (store, key) => `${store}/${Buffer.from(key).toString('latin1')}`;
  const values = new Map(begun.writes.map(({ store, key, value }) => [placeOf(store, key), value]));
  const executor = createInProcessExecutor(crypto, async () => ({
    latest: (store, key) => values.get(placeOf(store, key)),
    at: () => () => undefined,
  }));
  await executor.open({ preset: 'chronicle', chain, handlers: [], skipUpgradeHeights: [] }, 'none');
  await executor.genesis(begun.writes);
  fromGenesis();
  let height = 0n;
  const request = (transfers) => {
    height += 1n;
    const txs = Array.from({ length: transfers }, () => {
      const raw = bytesOf(transfer(SENDER).raw);
      return wrapEthereumTransaction(raw, decodeTransaction(raw).transaction, from, DENOM);
    });
    return {
      height: toHeight(height),
      time: toTimeNs(height * SECOND),
      chainId: CHAIN_ID,
      hash: crypto.sha256(Buffer.from(`${height}`)),
      proposerAddress: new Uint8Array(20),
      nextValidatorsHash: new Uint8Array(32),
      previousAppHash: new Uint8Array(32),
      txs,
      lastCommitVotes: [],
      lastCommitRound: 0,
      misbehavior: [],
      verified: new Set(txs.keys()),
    };
  };
  const figures = [];
  for (const { name, blocks, transfers } of PARTS) {
    const requests = Array.from({ length: blocks }, () => request(transfers));
    const elapsed = [];
    const before = process.cpuUsage();
    for (const one of requests) {
      const start = performance.now();
      const { results } = await executor.execute(one);
      elapsed.push(performance.now() - start);
      await executor.commit(one.height);
      if (results.txResults.some(({ code }) => code !== 0)) throw new Error('a transfer failed');
    }
    const { user, system } = process.cpuUsage(before);
    if (name === undefined) continue;
    figures.push(
      { name: `${name}: to its results, median`, value: median(elapsed), unit: 'ms' },
      { name: `${name}: CPU of the process`, value: (user + system) / 1_000 / blocks, unit: 'ms' },
    );
  }
  await executor.stop();
  return figures;
}
