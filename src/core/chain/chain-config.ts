import { readGenesis } from '../app/chain-of-genesis.js';
import { detectBaseDenom, detectWei } from '../genesis/genesis-document.js';
import { genesisModules, genesisTokens } from '../genesis/genesis-sections.js';
import { genesisTransactions } from '../genesis/genesis-transactions.js';
import type { ChainStarted } from '../log-events.js';
import type { ChainConfig } from '../sdk/module/chain-config.js';

/** Builds the chain configuration from its `ChainStarted` event. */
export function chainConfigOf(started: ChainStarted['data'], minGasPrice: bigint, invariantPeriod = 0n): ChainConfig {
  const { chainId, evmChainId, bech32Prefix, genesis } = started;
  const document = readGenesis(genesis);
  return {
    chainId,
    evmChainId,
    bech32Prefix,
    baseDenom: detectBaseDenom(document.appState) ?? '',
    minGasPrice,
    invariantPeriod,
    ...genesisTransactions(document),
    ...genesisTokens(document),
    ...genesisModules(document),
    ...detectWei(document.appState),
  };
}
