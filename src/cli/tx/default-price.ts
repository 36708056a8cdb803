import { DEV_BASE_DENOM } from '../../core/genesis/dev-chain.js';
import { isValidDenom } from '../../core/sdk/coins/coins.js';
import { ETHER_DECIMALS } from '../../core/sdk/coins/evm-coin.js';
import type { GasPrice } from '../coins.js';
import type { CommandContext } from '../context.js';
import { evmConfigOf } from '../evm-config.js';
import { RefusedByApplication } from '../exit-codes.js';

/** Two gwei in wei, of which the coin of a dev chain is one. */
const WEI = 2_000_000_000n;
const OF_DEV_CHAINS: GasPrice = { denom: DEV_BASE_DENOM, numerator: WEI, decimals: 0 };

/**
 * The price of gas where no flag says one: two gwei in the coin of the node's chain, the only one that it takes for a
 * fee (cosmos/evm v0.6 `ante/cosmos/min_gas_price.go`). A coin with fewer decimals than ether is more wei. Offline, or
 * where the chain has no EVM, the price is in the coin of dev chains.
 */
export async function defaultGasPrice({ rpc }: Pick<CommandContext, 'rpc'>): Promise<GasPrice> {
  if (rpc.offline) return OF_DEV_CHAINS;
  try {
    const { denom = '', decimals = 0n } = (await evmConfigOf(rpc)) ?? {};
    if (!isValidDenom(denom)) return OF_DEV_CHAINS;
    // no decimals: an application that does not tell them
    const hasFewer = decimals > 0n && decimals < BigInt(ETHER_DECIMALS);
    return { denom, numerator: WEI, decimals: hasFewer ? ETHER_DECIMALS - Number(decimals) : 0 };
  } catch (error) {
    if (error instanceof RefusedByApplication) return OF_DEV_CHAINS;
    throw error;
  }
}
