import { asObject } from '../json-object.js';
import type { ChainConfig } from '../sdk/chain-config.js';
import type { GenesisDocument } from './genesis-document.js';

/** The transactions of `app_state.genutil`, as a chain's configuration has them; nothing without any. */
export function genesisTransactions({
  initialHeight,
  appState,
}: Pick<GenesisDocument, 'initialHeight' | 'appState'>): Pick<ChainConfig, 'genesisTransactions'> {
  const transactions = asObject(asObject(appState)?.['genutil'])?.['gen_txs'];
  if (!Array.isArray(transactions) || transactions.length === 0) return {};
  const gasWanted = transactions.map(gasLimitOf).reduce((sum, gas) => sum + gas, 0n);
  return { genesisTransactions: { initialHeight, gasWanted } };
}

/** A transaction without a number there is refused by genutil. */
function gasLimitOf(transaction: unknown): bigint {
  const limit = asObject(asObject(asObject(transaction)?.['auth_info'])?.['fee'])?.['gas_limit'];
  return typeof limit === 'string' && /^[0-9]{1,20}$/.test(limit) ? BigInt(limit) : 0n;
}
