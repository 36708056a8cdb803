import type { Context } from '../../sdk/module/context.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import type { ConsensusKey } from './addresses.js';
import { stakingErrors } from './errors.js';
import { requireValidatorLeft } from './last-validator.js';
import { sharesFromTokens } from './shares.js';
import type { Validator } from './validator.js';

/** Rules of staking. */
export interface StakingRules {
  /** Throws SdkError after a change that took the power of the last validator. */
  readonly requireValidatorLeft: (context: Context) => void;
  /** Shares, with 18 decimals, of an amount that leaves a validator. Throws SdkError. */
  readonly sharesOf: (validator: Validator, amount: bigint) => bigint;
  /** The refusal of a new validator without one of its rates. */
  readonly absentRate: () => SdkError;
  /** The refusal of a new validator whose consensus key has a wrong length. */
  readonly wrongKeyLength: (kind: ConsensusKey['kind']) => SdkError;
}

export const stakingRules = new RuleSet<StakingRules>({
  requireValidatorLeft,
  sharesOf: sharesFromTokens,
  absentRate: () => new SdkError(sdkErrors.txDecode, 'not a decimal: '),
  wrongKeyLength: () => new SdkError(stakingErrors.keyLength),
});
