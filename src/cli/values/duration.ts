import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { NS_PER_MS, NS_PER_SECOND } from '../../core/primitives.js';

const UNITS: Readonly<Record<string, bigint>> = {
  ms: NS_PER_MS,
  s: NS_PER_SECOND,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Parses a duration such as `30s` or `1m30s` to nanoseconds. Throws a usage error for any other text. */
export function durationOf(text: string, what: string): bigint {
  if (!/^([0-9]{1,9}(ms|s|m|h))+$/.test(text))
    throw new CommandError(EXIT.usage, `${what}: ${JSON.stringify(text)} is not a duration; expected for example 15s`);
  let nanos = 0n;
  for (const [, amount = '', unit = ''] of text.matchAll(/([0-9]+)(ms|s|m|h)/g))
    nanos += BigInt(amount) * (UNITS[unit] ?? 0n);
  return nanos;
}
