import { type Context, withStore } from '../../sdk/module/context.js';
import { RuleSet } from '../../sdk/module/rule-set.js';
import { invalidRequest, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import type { ConsensusKey } from './addresses.js';
import { stakingErrors } from './errors.js';
import { sharesFromTokens } from './shares.js';
import { type Validator, potentialPower } from './validator.js';
import { unmetered } from '../../sdk/module/gas.js';
import { getLastTotalPower } from './last-powers.js';
import { validatorsByPower } from './validators.js';

/**
 * Rejects a change that removes the last validator's power: CometBFT v0.38 rejects an empty validator set
 * (`types/validator_set.go`), which would halt the chain.
 */
function requireValidatorLeft(context: Context): void {
  const free = withStore(context, unmetered(context.store));
  if (getLastTotalPower(free) === 0n) return;
  for (const validator of validatorsByPower(free)) {
    if (potentialPower(validator) > 0n) return;
    break;
  }
  throw invalidRequest('the chain would have no validator: delegate to another one first, or leave one whole coin');
}

export interface StakingRules {
  /** Called after a change that removed a validator's power; throws SdkError when none is left. */
  readonly requireValidatorLeft: (context: Context) => void;
  /** Shares (10^-18) for an amount that leaves a validator. Throws SdkError. */
  readonly sharesOf: (validator: Validator, amount: bigint) => bigint;
  /** Error for a new validator without one of its rates. */
  readonly absentRate: () => SdkError;
  /** Error for a new validator whose consensus key has a wrong length. */
  readonly wrongKeyLength: (kind: ConsensusKey['kind']) => SdkError;
}

export const stakingRules = new RuleSet<StakingRules>({
  requireValidatorLeft,
  sharesOf: sharesFromTokens,
  absentRate: () => new SdkError(sdkErrors.txDecode, 'not a decimal: '),
  wrongKeyLength: () => new SdkError(stakingErrors.keyLength),
});
