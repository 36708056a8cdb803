import { RuleSet } from '../../sdk/module/rule-set.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { errors } from './errors.js';
import type { Pair } from './keys.js';

export interface FeegrantRules {
  /** The pair whose entry leaves the queue of ends when the allowance of `pair` is revoked. */
  readonly unqueued: (pair: Pair) => Pair;
  /** The refusal of a grant without an allowance. */
  readonly absentAllowance: () => SdkError;
}

export const feegrantRules = new RuleSet<FeegrantRules>({
  unqueued: (pair) => pair,
  absentAllowance: () => new SdkError(errors.noAllowance, 'failed to get allowance'),
});
