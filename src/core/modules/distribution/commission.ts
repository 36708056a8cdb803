/** Commission of validators (cosmos-sdk v0.53 `x/distribution/keeper/keeper.go`). */
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { formatCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { decCoinsOf, subtractDecCoins, truncateDecCoins } from '../../sdk/coins/dec-coins.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { sendFromModule } from '../bank/module-accounts.js';
import { withdrawAddressOf } from './delegators.js';
import { distributionErrors } from './errors.js';
import { DISTRIBUTION } from './keys.js';
import { getCommission, getOutstanding, setCommission, setOutstanding } from './records.js';

/** Pays the whole coins of a validator's commission; keeps the fractions. */
export function withdrawCommission(context: Context, operator: Uint8Array): readonly Coin[] {
  const commission = getCommission(context, operator);
  if (commission.length === 0) throw new SdkError(distributionErrors.noCommission);
  const { whole, rest } = truncateDecCoins(commission);
  setCommission(context, operator, rest);
  setOutstanding(context, operator, subtractDecCoins(getOutstanding(context, operator), decCoinsOf(whole)));
  if (whole.length > 0) sendFromModule(context, DISTRIBUTION, withdrawAddressOf(context, operator), whole);
  emit(context, 'withdraw_commission', () => [['amount', formatCoins(whole)]]);
  return whole;
}
