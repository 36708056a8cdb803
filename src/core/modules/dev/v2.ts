import { isEnabled, renameEnabled } from '../../sdk/module/development-chain.js';
import type { Module } from '../../sdk/module/module.js';
import { getBlockHashes } from '../evm/block-hashes.js';
import { devModule } from './module.js';
import { getSequence } from './store.js';

/** Version 2 of the module: renames its parameter `enabled` to `unsigned_transactions`. */
export const devModuleV2: Module = {
  ...devModule,
  consensusVersion: 2n,
  exportGenesis: (context) => ({
    unsigned_transactions: isEnabled(context),
    sequence: getSequence(context.store).toString(),
    header_hashes: getBlockHashes(context) !== undefined,
  }),
  migrations: new Map([[1n, renameEnabled]]),
};
