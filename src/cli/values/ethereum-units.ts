import { DEV_BASE_DENOM } from '../../core/genesis/dev-chain.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';

/** Unit names of Ethereum tools, with their decimals. */
export const ETHEREUM_UNITS: ReadonlyMap<string, number> = new Map([
  ['wei', 0],
  ['gwei', 9],
  ['eth', 18],
  ['ether', 18],
]);

const DEV_COIN = DEV_BASE_DENOM.slice(1);
/** Unit names of the dev chain's coin, as in its metadata (`src/core/genesis/dev-genesis.ts`). */
const DEV_UNITS: ReadonlyMap<string, number> = new Map([
  [DEV_BASE_DENOM, 0],
  [`g${DEV_COIN}`, 9],
  [DEV_COIN, 18],
]);

/**
 * Parses `15`, `15wei`, `1.5ether` or `1.5chr` to wei. Balances in Ethereum JSON-RPC have 18 decimals on every chain.
 * Throws a usage error for any other text, also for other coins.
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
