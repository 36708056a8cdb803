import { Query } from '../../core/proto/cosmos/bank/v1beta1/query_pb.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { ask } from '../client/app-query.js';
import type { CoinAmount, Units } from './coins.js';
import { ETHEREUM_UNITS } from './ethereum-units.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError, RefusedByApplication } from '../command-error.js';
import type { RpcClient } from '../client/rpc-client.js';

/**
 * Throws a usage error for a probably mistyped denom: the chain has no supply and no metadata of it. Denoms with a
 * path (`ibc/...`, `erc20:...`) are accepted, because such coins may arrive later. A chain without metadata accepts
 * any denom.
 */
export async function refuseUnknownCoins(
  rpc: RpcClient,
  coins: readonly Pick<CoinAmount, 'denom'>[],
  units: Units,
  what: string,
): Promise<void> {
  const bases = new Set([...units.values()].map(({ base }) => base));
  const strange = coins.filter(({ denom }) => !bases.has(denom) && !/[/:]/.test(denom));
  if (bases.size === 0) return;
  for (const { denom } of strange.slice(0, FIXED_LIMITS.listedDenoms)) {
    if (await hasNone(rpc, denom))
      throw new CommandError(
        EXIT.usage,
        `${what}: this chain has no coin ${JSON.stringify(denom)}${hintOf(denom, units)}`,
      );
  }
}

async function hasNone(rpc: RpcClient, denom: string): Promise<boolean> {
  const { input, output } = Query.method.supplyOf;
  try {
    const { amount } = await ask(rpc, '/cosmos.bank.v1beta1.Query/SupplyOf', input, { denom }, output);
    return amount?.amount === '0';
  } catch (error) {
    if (error instanceof RefusedByApplication) return false;
    throw error;
  }
}

function hintOf(denom: string, units: Units): string {
  const names = [...units.keys()];
  const exponent = ETHEREUM_UNITS.get(denom.toLowerCase());
  const meant =
    names.find((name) => name.toLowerCase() === denom.toLowerCase()) ??
    [...units].find(([, unit]) => unit.exponent === exponent)?.[0];
  const known = `it knows ${names.slice(0, FIXED_LIMITS.listedDenoms).join(', ')}`;
  if (/^e[0-9]/i.test(denom)) return `; write the number without an exponent; ${known}`;
  return meant === undefined ? `; ${known}` : `; did you mean ${meant}? ${known}`;
}
