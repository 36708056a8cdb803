/** Precompiles called by contracts, under the preset `evmd`: gas as evmd v0.6.0 used it. */
import { expect, test } from 'vitest';
import { createHostCrypto } from '../../../src/runtime/host/crypto.js';
import { MemoryStore } from '../../support/memory-store.js';
import { EVM_CHAIN_ID, GENESIS } from '../../peer/evm/signer.js';
import { GAS_OF_CHAIN_CONTRACTS, txsOfChainContracts } from '../../peer/evm/chain-contracts.js';
import { block, started } from './engine-node.js';

test(
  'precompiles write only when called by CALL, and their execution makes no address warm (EIP-2929)',
  { timeout: 60_000 },
  async () => {
    const founded = { genesis: GENESIS, preset: 'evmd', evmChainId: EVM_CHAIN_ID } as const;
    const node = await started(new MemoryStore(), { founded, crypto: await createHostCrypto() });
    let height = 0n;
    const commit = async (txs: readonly Uint8Array[]) => {
      height += 1n;
      const results = await node.engine.finalizeBlock(block(node, height, txs));
      await node.engine.commit();
      return results.txResult(0);
    };
    await commit([]);
    const gas: string[] = [];
    for (const { name, tx } of await txsOfChainContracts()) {
      const result = await commit([tx]);
      if (name !== 'deployment') gas.push(`${name}: ${result?.gasUsed}`);
    }
    expect(gas).toEqual(GAS_OF_CHAIN_CONTRACTS);
    await node.node.stop();
  },
);
