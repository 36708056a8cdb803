/** Other coins in the fee of the Cosmos transaction around an Ethereum one, under the preset `evmd`. */
import { expect, test } from 'vitest';
import { createHostCrypto } from '../../../src/node/host/crypto.js';
import { MemoryStore } from '../../../src/store/memory-store.js';
import { EVM_CHAIN_ID, GENESIS } from '../../peer/evm/blob-base-fee.js';
import { txsOfFees } from '../../peer/evm/fee-coins.js';
import { block, started } from './engine-node.js';

test('are taken no notice of where the fee is found, as in evmd v0.6.0', { timeout: 60_000 }, async () => {
  const founded = { genesis: GENESIS, preset: 'evmd', evmChainId: EVM_CHAIN_ID } as const;
  const node = await started(new MemoryStore(), { founded, crypto: await createHostCrypto() });
  await node.engine.finalizeBlock(block(node, 1n));
  await node.engine.commit();
  const txs = await txsOfFees();
  const bytes = txs.map(({ tx }) => tx);
  const results = await node.engine.finalizeBlock(block(node, 2n, bytes));
  expect(txs.map((_, index) => results.txResult(index)?.code)).toEqual(txs.map(({ code }) => code));
  await node.node.stop();
});
