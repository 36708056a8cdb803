import { asObject } from '../text/json-object.js';
import type { ChainConfig } from '../sdk/module/chain-config.js';
import type { GenesisDocument } from './genesis-document.js';

/**
 * Transactions of `app_state.genutil` in the chain configuration's form; empty without any. Their gas counts where
 * base fees start at height 0 (cosmos/evm v0.6 `ante/evm/10_gas_wanted.go`).
 */
export function genesisTransactions({
  initialHeight,
  appState,
}: Pick<GenesisDocument, 'initialHeight' | 'appState'>): Pick<ChainConfig, 'genesisTransactions'> {
  const transactions = asObject(asObject(appState)?.['genutil'])?.['gen_txs'];
  if (!Array.isArray(transactions) || transactions.length === 0) return {};
  const isCounted = isBaseFeeOn(asObject(asObject(asObject(appState)?.['feemarket'])?.['params']));
  const gasWanted = isCounted ? transactions.map(gasLimitOf).reduce((sum, gas) => sum + gas, 0n) : 0n;
  return { genesisTransactions: { initialHeight, gasWanted } };
}

function isBaseFeeOn(params: ReturnType<typeof asObject>): boolean {
  return params?.['no_base_fee'] !== true && Number(params?.['enable_height'] ?? 0) <= 0;
}

/** Gas limit of a genesis transaction; genutil rejects one without it later. */
function gasLimitOf(transaction: unknown): bigint {
  const limit = asObject(asObject(asObject(transaction)?.['auth_info'])?.['fee'])?.['gas_limit'];
  return typeof limit === 'string' && /^[0-9]{1,20}$/.test(limit) ? BigInt(limit) : 0n;
}
