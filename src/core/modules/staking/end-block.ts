/** End of each block (cosmos-sdk v0.53 `x/staking/keeper/val_state_change.go`, BlockValidatorUpdates). */
import type { ValidatorUpdate } from '../../proto/tendermint/abci/types_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { formatCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { accountText, operatorText } from './addresses.js';
import { bondCoins } from './pools.js';
import { takeDueRedelegations, takeDueUnbondings } from './queues.js';
import { completeRedelegation } from './redelegate.js';
import { completeUnbondings } from './status.js';
import { completeUnbonding } from './undelegate.js';
import { updateValidatorSet } from './validator-set.js';

/** Updates the validator set, then completes unbondings and redelegations that are due. */
export function endBlock(context: Context): readonly ValidatorUpdate[] {
  const updates = updateValidatorSet(context);
  completeUnbondings(context);
  for (const path of takeDueUnbondings(context)) {
    const amount = completeUnbonding(context, path);
    if (amount === undefined) continue;
    emit(context, 'complete_unbonding', () => [
      ['amount', formatCoins(bondCoins(context, amount))],
      ['validator', operatorText(context, path.operator)],
      ['delegator', accountText(context, path.delegator)],
    ]);
  }
  for (const path of takeDueRedelegations(context)) {
    const amount = completeRedelegation(context, path);
    if (amount === undefined) continue;
    emit(context, 'complete_redelegation', () => [
      ['amount', formatCoins(bondCoins(context, amount))],
      ['delegator', accountText(context, path.delegator)],
      ['source_validator', operatorText(context, path.source)],
      ['destination_validator', operatorText(context, path.destination)],
    ]);
  }
  return updates;
}
