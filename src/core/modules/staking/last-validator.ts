import { withStore, type Context } from '../../sdk/module/context.js';
import { unmetered } from '../../sdk/module/gas.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { getLastTotalPower } from './last-powers.js';
import { potentialPower } from './validator.js';
import { validatorsByPower } from './validators.js';

/**
 * Refuses a change that takes the power of the last validator. CometBFT v0.38 refuses an empty validator set, and the
 * chain would stop (`types/validator_set.go`).
 */
export function requireValidatorLeft(context: Context): void {
  const free = withStore(context, unmetered(context.store));
  if (getLastTotalPower(free) === 0n) return;
  for (const validator of validatorsByPower(free)) {
    if (potentialPower(validator) > 0n) return;
    break;
  }
  throw new SdkError(
    sdkErrors.invalidRequest,
    'the chain would have no validator: delegate to another one first, or leave one whole coin',
  );
}
