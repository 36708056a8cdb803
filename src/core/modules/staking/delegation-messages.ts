/** Messages of delegators (cosmos-sdk v0.53 `x/staking/keeper/msg_server.go`). */
import { formatTime, toTimestamp } from '../../comet/time.js';
import type { TimeNs } from '../../primitives.js';
import * as pb from '../../proto/cosmos/staking/v1beta1/tx_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { coin, formatCoins } from '../../sdk/coins/coins.js';
import { formatDec } from '../../sdk/coins/dec.js';
import { message } from '../../sdk/module/module.js';
import { requireDelegator, requireOperator } from './addresses.js';
import { requireBondDenom, requirePositive } from './bond-denom.js';
import { delegate as delegateTokens } from './delegate.js';
import { redelegate } from './redelegate.js';
import { sharesToUnbond, undelegate as undelegateShares } from './undelegate.js';
import { requireValidator } from './validators.js';

/** Formats like Go's RFC3339, without fractional seconds. */
const secondsText = (time: TimeNs): string => `${formatTime(time).slice(0, 19)}Z`;

const delegate = message(pb.Msg, 'delegate', (context, { delegatorAddress, validatorAddress, amount: token }) => {
  const operator = requireOperator(context, validatorAddress);
  const delegator = requireDelegator(context, delegatorAddress);
  const amount = requirePositive(token, 'invalid delegation amount');
  const validator = requireValidator(context, operator);
  requireBondDenom(context, amount);
  const shares = delegateTokens(context, delegator, BigInt(amount.amount), 'account', validator);
  emit(context, 'delegate', () => [
    ['validator', validatorAddress],
    ['delegator', delegatorAddress],
    ['amount', formatCoins([amount])],
    ['new_shares', formatDec(shares)],
  ]);
});

const beginRedelegate = message(
  pb.Msg,
  'beginRedelegate',
  (context, { delegatorAddress, validatorSrcAddress, validatorDstAddress, amount: token }) => {
    const source = requireOperator(context, validatorSrcAddress, 'invalid source validator address');
    const destination = requireOperator(context, validatorDstAddress, 'invalid destination validator address');
    const delegator = requireDelegator(context, delegatorAddress);
    const amount = requirePositive(token, 'invalid shares amount');
    const shares = sharesToUnbond(context, delegator, source, BigInt(amount.amount));
    requireBondDenom(context, amount);
    const completionTime = redelegate(context, { delegator, source, destination }, shares);
    emit(context, 'redelegate', () => [
      ['source_validator', validatorSrcAddress],
      ['destination_validator', validatorDstAddress],
      ['amount', formatCoins([amount])],
      ['completion_time', secondsText(completionTime)],
    ]);
    return { completionTime: toTimestamp(completionTime) };
  },
);

const undelegate = message(pb.Msg, 'undelegate', (context, { delegatorAddress, validatorAddress, amount: token }) => {
  const operator = requireOperator(context, validatorAddress);
  const delegator = requireDelegator(context, delegatorAddress);
  const requested = requirePositive(token, 'invalid shares amount');
  const shares = sharesToUnbond(context, delegator, operator, BigInt(requested.amount));
  requireBondDenom(context, requested);
  const { completionTime, amount } = undelegateShares(context, delegator, operator, shares);
  const returned = coin(requested.denom, amount);
  emit(context, 'unbond', () => [
    ['validator', validatorAddress],
    ['delegator', delegatorAddress],
    ['amount', formatCoins([returned])],
    ['completion_time', secondsText(completionTime)],
  ]);
  return {
    completionTime: toTimestamp(completionTime),
    amount: returned,
  };
});

export const delegationMessages = [delegate, beginRedelegate, undelegate];
