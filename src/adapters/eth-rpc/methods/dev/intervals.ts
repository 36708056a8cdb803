/**
 * Times between blocks. Hardhat's tools count milliseconds, anvil's seconds: a name of Hardhat's is taken for
 * milliseconds, and so is a number from 1,000 on under a name that both share.
 */
import { FIXED_LIMITS } from '../../../../core/limits/limits.js';
import { looseNumber } from '../../params/numbers.js';
import { type Decoded, type Param, bad, good, required } from '../../params/param.js';
import type { Schema } from '../../schema.js';

const MILLISECONDS = 1_000n;
/** In the unit of the name: milliseconds have room for more. */
const INTERVAL: Schema = { type: 'integer', minimum: 0, maximum: Number(FIXED_LIMITS.devIntervalSeconds) };
const TOO_LONG = bad('not a number of seconds between blocks');

/** Milliseconds of a number under this name. */
function millisecondsOf(name: string, value: bigint): bigint {
  const isMilliseconds = name.startsWith('hardhat_') || (name.startsWith('evm_') && value >= MILLISECONDS);
  return isMilliseconds ? value : value * MILLISECONDS;
}

/** The units of a number under this name in words; `hasLists` where a list of two, in milliseconds, is taken, too. */
export function unitsOf(name: string, hasLists = false): string {
  if (name.startsWith('hardhat_')) return 'milliseconds';
  const others = [...(name.startsWith('evm_') ? ['from 1,000 on'] : []), ...(hasLists ? ['in lists'] : [])];
  return others.length === 0 ? 'seconds' : `seconds, ${others.join(' and ')} in milliseconds`;
}

function bounded(milliseconds: bigint): Decoded<bigint> {
  return milliseconds / MILLISECONDS > FIXED_LIMITS.devIntervalSeconds ? TOO_LONG : good(milliseconds);
}

/** Seconds between the times of blocks, from a number in the unit of the name. */
export function intervalOf(name: string): Param<bigint> {
  return required('interval', INTERVAL, (value) => {
    const number = looseNumber(value);
    const milliseconds = number === undefined ? TOO_LONG : bounded(millisecondsOf(name, number));
    return milliseconds.ok ? good(milliseconds.value / MILLISECONDS) : milliseconds;
  });
}

/** Milliseconds between blocks. */
export interface Pause {
  readonly shortest: number;
  /** Undefined where all pauses are alike. */
  readonly longest: number | undefined;
}

/**
 * The pause between blocks, or the shortest and the longest one, which is hardhat's form and counts its milliseconds
 * (EDR `IntervalConfig` in `crates/edr_provider/src/requests/methods.rs`). No schema has an order of two numbers, so it
 * names the first form alone.
 */
export function pauseOf(name: string): Param<Pause> {
  return required('pause', INTERVAL, (value): Decoded<Pause> => {
    if (!Array.isArray(value)) {
      const number = looseNumber(value);
      const pause = number === undefined ? TOO_LONG : bounded(millisecondsOf(name, number));
      return pause.ok ? good({ shortest: Number(pause.value), longest: undefined }) : pause;
    }
    const [shortest, longest, ...rest] = value.map(looseNumber);
    if (shortest === undefined || longest === undefined || rest.length > 0)
      return bad('not the shortest and the longest number of milliseconds between blocks');
    if (shortest > longest) return bad('Minimum value in range is greater than maximum value');
    const pause = bounded(longest);
    return pause.ok ? good({ shortest: Number(shortest), longest: Number(longest) }) : pause;
  });
}
