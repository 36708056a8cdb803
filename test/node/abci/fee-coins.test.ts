/** Cosmos transactions that wrap Ethereum ones with another fee coin or sender, under the preset `evmd`. */
import { expect, test } from 'vitest';
import { createHostCrypto } from '../../../src/runtime/host/crypto.js';
import { MemoryStore } from '../../support/memory-store.js';
import { EVM_CHAIN_ID, GENESIS } from '../../peer/evm/signer.js';
import { CODES_OF_SENDERS, txsOfFees, txsOfSenders } from '../../peer/evm/fee-coins.js';
import { block, started } from './engine-node.js';

test(
  'wrapped Ethereum transactions with other fee coins or senders get the result codes of evmd v0.6.0',
  { timeout: 60_000 },
  async () => {
    const founded = { genesis: GENESIS, preset: 'evmd', evmChainId: EVM_CHAIN_ID } as const;
    const node = await started(new MemoryStore(), { founded, crypto: await createHostCrypto() });
    await node.engine.finalizeBlock(block(node, 1n));
    await node.engine.commit();
    const txs = await txsOfFees();
    const bytes = txs.map(({ tx }) => tx);
    const results = await node.engine.finalizeBlock(block(node, 2n, bytes));
    expect(txs.map((_, index) => results.txResult(index)?.code)).toEqual(txs.map(({ code }) => code));
    await node.engine.commit();
    const senders = await txsOfSenders();
    const refused = await node.engine.finalizeBlock(block(node, 3n, senders));
    expect(senders.map((_, index) => refused.txResult(index)?.code)).toEqual(CODES_OF_SENDERS);
    await node.node.stop();
  },
);
