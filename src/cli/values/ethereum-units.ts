import { DEV_BASE_DENOM } from '../../core/genesis/dev-chain.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';

/** Decimals of the names that Ethereum's tools use for their coin. */
export const ETHEREUM_UNITS: ReadonlyMap<string, number> = new Map([
  ['wei', 0],
  ['gwei', 9],
  ['eth', 18],
  ['ether', 18],
]);

const DEV_COIN = DEV_BASE_DENOM.slice(1);
/** Names of the same on a dev chain, as the metadata of its coin has them (`src/core/genesis/dev-genesis.ts`). */
const DEV_UNITS: ReadonlyMap<string, number> = new Map([
  [DEV_BASE_DENOM, 0],
  [`g${DEV_COIN}`, 9],
  [DEV_COIN, 18],
]);

/**
 * Wei of `15`, `15wei`, `1.5ether` or `1.5chr`: a balance as the Ethereum JSON-RPC counts it, which on every chain has
 * 18 decimals and no name. Throws a usage error for any other text, also for names of other coins.
 */
export function weiOf(text: string): bigint {
  const [, whole, fraction = '', name = ''] = /^([0-9]{1,60})(?:\.([0-9]{1,18}))?([^0-9.].*)?$/.exec(text) ?? [];
  if (whole === undefined)
    throw new CommandError(EXIT.usage, `${JSON.stringify(text)} is no amount; expected for example 1.5chr or 1000achr`);
  const decimals = name === '' ? 0 : (ETHEREUM_UNITS.get(name) ?? DEV_UNITS.get(name));
  if (decimals === undefined)
    throw new CommandError(
      EXIT.usage,
      `${JSON.stringify(text)}: ${JSON.stringify(name)} is no unit of a balance; it may be ${[...ETHEREUM_UNITS.keys(), ...DEV_UNITS.keys()].join(', ')}`,
    );
  if (fraction.length > decimals)
    throw new CommandError(
      EXIT.usage,
      `${JSON.stringify(text)} is no whole number of wei: ${name === '' ? 'a number without a unit' : name} has ${decimals === 0 ? 'no' : decimals} decimals`,
    );
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}
