/** Pruning strategies under the SDK's names (cosmossdk.io/store v1.1.2 `pruning/types/options.go`). */
import { MAX_INT64 } from '../core/bigint.js';
import type { DaemonOptions, PruningOptions, PruningStrategy } from './daemon-options.js';
import { ConfigError, type Found } from './values.js';

const LEAST = { keepRecent: 2n, interval: 10n } as const;

type Named = Exclude<PruningStrategy, 'custom'>;
const NAMED: Readonly<Record<Named, Omit<PruningOptions, 'strategy'>>> = {
  nothing: { keepRecent: undefined, interval: LEAST.interval },
  default: { keepRecent: 362_880n, interval: LEAST.interval },
  everything: LEAST,
};
const NAMES = Object.keys(NAMED) as readonly Named[];

/**
 * Resolves the pruning options; the default of a dev chain is `nothing`, which keeps every state. Throws ConfigError.
 */
export function pruningOf(
  values: { find(key: string): Found | undefined },
  mode: DaemonOptions['mode'],
): PruningOptions {
  const word = values.find('pruning')?.value ?? (mode === 'dev' ? 'nothing' : 'default');
  const strategy = NAMES.find((name) => name === word);
  if (strategy !== undefined) return { strategy, ...NAMED[strategy] };
  return {
    strategy: 'custom',
    keepRecent: custom(values.find('pruning-keep-recent'), LEAST.keepRecent),
    interval: custom(values.find('pruning-interval'), LEAST.interval),
  };
}

function custom(found: Found | undefined, least: bigint): bigint {
  const { value, origin } = found ?? { value: '0', origin: '--pruning custom' };
  const number = BigInt(value);
  if (number < least)
    throw new ConfigError(
      `${origin}: must not be less than ${least}. For the most aggressive pruning, select pruning = "everything"`,
    );
  if (number > MAX_INT64)
    throw new ConfigError(`${origin}: must not be greater than 2^63-1. Select pruning = "nothing"`);
  return number;
}
