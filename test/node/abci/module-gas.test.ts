/** Calls of contracts by modules, under the preset `evmd`: gas as evmd v0.6.0 used it. */
import { expect, test } from 'vitest';
import { createHostCrypto } from '../../../src/runtime/host/crypto.js';
import { MemoryStore } from '../../support/memory-store.js';
import { GAS_OF_EVMD, gasShown } from '../../peer/evm/module-gas-of-evmd.js';
import { stepsOfModuleGas } from '../../peer/evm/module-gas.js';
import { EVM_CHAIN_ID, GENESIS } from '../../peer/evm/signer.js';
import { block, started } from './engine-node.js';

test(
  'calls of contracts by modules charge the gas of evmd for each read of the state',
  { timeout: 120_000 },
  async () => {
    const founded = { genesis: GENESIS, preset: 'evmd', evmChainId: EVM_CHAIN_ID } as const;
    const node = await started(new MemoryStore(), { founded, crypto: await createHostCrypto() });
    let height = 0n;
    const commit = async (txs: readonly Uint8Array[]) => {
      height += 1n;
      const results = await node.engine.finalizeBlock(block(node, height, txs));
      await node.engine.commit();
      return results;
    };
    await commit([]);
    const { deployments, calls } = await stepsOfModuleGas(ACCOUNT_NUMBER);
    for (const txs of deployments) await commit(txs);
    const shown: string[] = [];
    for (const { name, tx } of calls) shown.push(gasShown(name, (await commit([tx])).txResult(0)));
    expect(shown).toEqual(GAS_OF_EVMD);
    await node.node.stop();
  },
);

/** Number of the account that signs. */
const ACCOUNT_NUMBER = 0n;
