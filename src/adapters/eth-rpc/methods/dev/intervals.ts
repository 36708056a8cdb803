/**
 * Parameters for the time between blocks. Hardhat uses milliseconds and anvil seconds: Hardhat's method names take
 * milliseconds. For names of both, numbers from 1,000 on are milliseconds.
 */
import { FIXED_LIMITS } from '../../../../core/limits/limits.js';
import { looseNumber } from '../../params/numbers.js';
import { type Decoded, type Param, bad, good, required } from '../../params/param.js';
import type { Schema } from '../../schema.js';

const MILLISECONDS = 1_000n;
/** Schema of the parameter; its maximum is in seconds, so it also fits as milliseconds. */
const INTERVAL: Schema = { type: 'integer', minimum: 0, maximum: Number(FIXED_LIMITS.devIntervalSeconds) };
const TOO_LONG = bad('not a number of seconds between blocks');

/** Converts a number under this method name to milliseconds. */
function millisecondsOf(name: string, value: bigint): bigint {
  const isMilliseconds = name.startsWith('hardhat_') || (name.startsWith('evm_') && value >= MILLISECONDS);
  return isMilliseconds ? value : value * MILLISECONDS;
}

/** Describes the unit under this method name; `hasLists`: the method also accepts a list of two, in milliseconds. */
export function unitsOf(name: string, hasLists = false): string {
  if (name.startsWith('hardhat_')) return 'milliseconds';
  const others = [...(name.startsWith('evm_') ? ['from 1,000 on'] : []), ...(hasLists ? ['in lists'] : [])];
  return others.length === 0 ? 'seconds' : `seconds, ${others.join(' and ')} in milliseconds`;
}

function bounded(milliseconds: bigint): Decoded<bigint> {
  return milliseconds / MILLISECONDS > FIXED_LIMITS.devIntervalSeconds ? TOO_LONG : good(milliseconds);
}

/** Parameter with the seconds between block times, in the unit of the method name. */
export function intervalOf(name: string): Param<bigint> {
  return required('interval', INTERVAL, (value) => {
    const number = looseNumber(value);
    const milliseconds = number === undefined ? TOO_LONG : bounded(millisecondsOf(name, number));
    return milliseconds.ok ? good(milliseconds.value / MILLISECONDS) : milliseconds;
  });
}

/** Milliseconds between blocks, fixed or random in a range. */
export interface Pause {
  readonly shortest: number;
  /** Undefined for a fixed pause. */
  readonly longest: number | undefined;
}

/**
 * Parameter with the pause between blocks: a number, or hardhat's form `[shortest, longest]` in milliseconds (EDR
 * `IntervalConfig` in `crates/edr_provider/src/requests/methods.rs`). The schema describes only the first form,
 * because it cannot express that the numbers are ordered.
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
