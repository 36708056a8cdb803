import type { Context } from '../../sdk/module/context.js';
import { outsideSupply, setOutsideSupply } from '../../sdk/module/development-chain.js';
import { unmetered } from '../../sdk/module/gas.js';
import { getSupply, setSupply } from './balances.js';

/**
 * Lowers the supply by coins that were removed from an account. On a dev chain, amounts outside of the supply go
 * first; they cost no gas.
 */
export function lowerSupply(context: Context, denom: string, by: bigint): void {
  const free = { store: unmetered(context.store), version: context.version };
  const outside = outsideSupply(free, denom);
  const first = by < outside ? by : outside;
  if (first > 0n) setOutsideSupply(free, denom, outside - first);
  if (by > first) setSupply(context, denom, getSupply(context, denom) - (by - first));
}
