import { RuleSet } from '../../sdk/module/rule-set.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { errors } from './errors.js';
import type { Pair } from './keys.js';

export interface FeegrantRules {
  /** Pair whose expiry queue entry is removed when the allowance of `pair` is revoked. */
  readonly unqueued: (pair: Pair) => Pair;
  /** Error for a grant without an allowance. */
  readonly absentAllowance: () => SdkError;
}

export const feegrantRules = new RuleSet<FeegrantRules>({
  unqueued: (pair) => pair,
  absentAllowance: () => new SdkError(errors.noAllowance, 'failed to get allowance'),
});
