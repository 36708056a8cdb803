/** Parses texts of options into values. Throws ConfigError for a malformed text. */
import type { DaemonOptions, ListenAddress } from './daemon-options.js';

/** A configuration error for users; the message names the origin of the value. */
export class ConfigError extends Error {}

/** A value and its origin, for messages. */
export interface Found {
  readonly value: string;
  readonly origin: string;
}

/** `http://127.0.0.1:26657`, or as CometBFT names it, `tcp://127.0.0.1:26657`. */
export function urlOf({ value, origin }: Found): URL {
  const text = value.replace(/^tcp:/, 'http:');
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new ConfigError(`${origin}: ${JSON.stringify(value)} is not a URL; expected http://host:port`);
  return new URL(text);
}

/** Converts a decimal number of coins to wei; fractions of a wei are cut off. */
export function weiOf(coins: string): bigint {
  const [whole = '', broken = ''] = coins.split('.');
  return BigInt(whole + broken.slice(0, WEI_DIGITS).padEnd(WEI_DIGITS, '0'));
}

/**
 * `7`, or as the SDK writes prices, `7achr` or `7.5achr,1other`: takes the first price and cuts off fractions of the
 * base unit.
 */
export function gasPriceOf(found: Found | undefined): bigint {
  if (found === undefined || found.value === '') return 0n;
  const prices = found.value.split(',').map((part) => GAS_PRICE.exec(part));
  const [price] = prices;
  if (price === undefined || prices.includes(null))
    throw new ConfigError(`${found.origin}: ${JSON.stringify(found.value)} is not a gas price; expected 7 or 7achr`);
  return BigInt(price?.[1] ?? '');
}
const GAS_PRICE = /^([0-9]{1,78})(?:\.[0-9]+)?(?:[a-zA-Z][a-zA-Z0-9/:._-]*)?$/;

/** Decimals of ether, in which Ethereum clients count the coin. */
const WEI_DIGITS = 18;

/** `tcp://127.0.0.1:26657`, `127.0.0.1:8545`, `:9090` or `[::1]:1317`. */
export function parseListenAddress({ value, origin }: Found): ListenAddress {
  const match = /^(?:[a-z]+:\/\/)?(\[[0-9a-fA-F:.]+\]|[^:/\s]*):([0-9]{1,5})$/.exec(value);
  const port = Number(match?.[2]);
  if (match === null || port > 65_535)
    throw new ConfigError(`${origin}: ${JSON.stringify(value)} is not an address; expected host:port`);
  const host = (match[1] ?? '').replace(/^\[|\]$/g, '');
  return { host: NAMED_HOSTS.get(host) ?? host, port };
}

/**
 * Addresses for host names, as Go's `net.Listen` resolves them: no name is all interfaces, `localhost` is its IPv4
 * address.
 */
const NAMED_HOSTS: ReadonlyMap<string, string> = new Map([
  ['', '0.0.0.0'],
  ['localhost', '127.0.0.1'],
]);

/** The parts of a list, separated by commas; empty ones are left out. */
export function listOf(found: Found | undefined): readonly string[] {
  return (found?.value ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * Origins whose pages may call a dev node, which holds keys: pages that this machine serves, extensions of browsers
 * (wallets), and Remix.
 */
const DEV_ORIGINS: readonly string[] = [
  ...['http', 'https'].flatMap((scheme) =>
    ['localhost', '*.localhost', '127.0.0.1', '[::1]'].flatMap((host) => [
      `${scheme}://${host}`,
      `${scheme}://${host}:*`,
    ]),
  ),
  ...['chrome', 'moz', 'safari-web'].map((browser) => `${browser}-extension://*`),
  'https://remix.ethereum.org',
];

/** Allowed origins; a dev node adds `DEV_ORIGINS`. */
export function originsOf(found: Found | undefined, mode: DaemonOptions['mode']): readonly string[] {
  const own = mode === 'dev' ? DEV_ORIGINS : [];
  if (found === undefined) return own;
  const origins = listOf(found);
  const wrong = origins.find(
    (origin) => origin !== '*' && !/^[a-z][a-z0-9+.-]*:\/\/[^/*\s]*\*?[^/*\s]*$/i.test(origin),
  );
  if (wrong !== undefined)
    throw new ConfigError(
      `${found.origin}: ${JSON.stringify(wrong)} is not an origin; expected scheme://host[:port] with at most one *`,
    );
  return [...own, ...origins];
}

/** Heights of blocks, separated by commas. */
export function heightsOf(found: Found | undefined): readonly bigint[] {
  const parts = listOf(found);
  const wrong = parts.find((part) => !/^[1-9][0-9]{0,18}$/.test(part));
  if (wrong !== undefined)
    throw new ConfigError(`${found?.origin ?? '--unsafe-skip-upgrades'}: ${JSON.stringify(wrong)} is not a height`);
  return parts.map(BigInt);
}

/** True for a pause of at least one millisecond and at most what a Node timer can wait. */
export function isPause(seconds: string): boolean {
  const milliseconds = millisecondsOf(seconds);
  return /^[0-9]+(\.[0-9]+)?$/.test(seconds) && milliseconds > 0 && milliseconds < 2 ** 31;
}

/** Milliseconds of decimal seconds, rounded to the nearest one. */
export function millisecondsOf(seconds: string): number {
  return Math.round(Number(seconds) * 1000);
}
