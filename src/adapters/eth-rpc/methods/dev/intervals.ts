import { FIXED_LIMITS } from '../../../../core/limits.js';
import { looseNumber } from '../../params/numbers.js';
import { type Param, bad, good, required } from '../../params/param.js';
import type { Schema } from '../../schema.js';

const MILLISECONDS = 1_000n;

/**
 * Seconds between blocks. Hardhat's tools count milliseconds, anvil's seconds: a name of Hardhat's is taken for
 * milliseconds, and so is a number from 1,000 on under a name that both share.
 */
export function intervalOf(name: string): Param<bigint> {
  const secondsOf = (value: bigint): bigint => {
    const isMilliseconds = name.startsWith('hardhat_') || (name.startsWith('evm_') && value >= MILLISECONDS);
    return isMilliseconds ? value / MILLISECONDS : value;
  };
  const schema: Schema = { type: 'integer', minimum: 0, maximum: Number(FIXED_LIMITS.devIntervalSeconds) };
  return required('seconds', schema, (value) => {
    const number = looseNumber(value);
    return number === undefined || secondsOf(number) > FIXED_LIMITS.devIntervalSeconds
      ? bad('not a number of seconds between blocks')
      : good(secondsOf(number));
  });
}
