/** SELFDESTRUCT at addresses of ordinary accounts, under the preset `evmd`: results as evmd v0.6.0 gave them. */
import { expect, test } from 'vitest';
import { createHostCrypto } from '../../../src/runtime/host/crypto.js';
import { MemoryStore } from '../../support/memory-store.js';
import { EVM_CHAIN_ID, GENESIS } from '../../peer/evm/signer.js';
import { txsOfSelfDestructions } from '../../peer/evm/self-destructions.js';
import { block, started } from './engine-node.js';

const FAILED =
  /^failed to execute message; message index: 0: failed to apply transaction: failed to apply ethereum core message: failed to commit stateDB: failed to delete account 0x[0-9a-fA-F]{40}: only smart contracts can be self-destructed$/;

test(
  'self-destructs of accounts that are no contracts fail at commit and use all gas',
  { timeout: 60_000 },
  async () => {
    const founded = { genesis: GENESIS, preset: 'evmd', evmChainId: EVM_CHAIN_ID } as const;
    const node = await started(new MemoryStore(), { founded, crypto: await createHostCrypto() });
    await node.engine.finalizeBlock(block(node, 1n));
    await node.engine.commit();
    const txs = await txsOfSelfDestructions();
    const bytes = txs.map(({ tx }) => tx);
    const results = await node.engine.finalizeBlock(block(node, 2n, bytes));
    const told = txs.map((_, index) => results.txResult(index));
    expect(told.map((result) => [result?.code, result?.codespace])).toEqual(
      txs.map(({ fails }) => (fails ? [1, 'undefined'] : [0, ''])),
    );
    const failed = told.filter((_, index) => txs[index]?.fails);
    expect(failed).toHaveLength(4);
    for (const result of failed) {
      expect(result?.log).toMatch(FAILED);
      expect(result?.gasUsed).toBe(1_000_000n);
    }
    await node.node.stop();
  },
);
