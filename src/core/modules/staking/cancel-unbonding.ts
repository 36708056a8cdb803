/** Cancels unbonding delegations (cosmos-sdk v0.53 `x/staking/keeper/msg_server.go`). */
import * as pb from '../../proto/cosmos/staking/v1beta1/tx_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { formatCoins } from '../../sdk/coins/coins.js';
import { message } from '../../sdk/module/module.js';
import { invalidRequest, plainError, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { requireDelegator, requireOperator } from './addresses.js';
import { requireBondDenom, requirePositive } from './bond-denom.js';
import { delegate } from './delegate.js';
import { stakingErrors } from './errors.js';
import { NOT_BONDED_POOL } from './pools.js';
import { hasNoExchangeRate } from './shares.js';
import { getUnbonding, setOrRemoveUnbonding } from './unbonding-delegations.js';
import { requireValidator } from './validators.js';

export const cancelUnbonding = message(
  pb.Msg,
  'cancelUnbondingDelegation',
  (context, { delegatorAddress, validatorAddress, amount: token, creationHeight }) => {
    const operator = requireOperator(context, validatorAddress);
    const delegator = requireDelegator(context, delegatorAddress);
    const amount = requirePositive(token, 'invalid amount');
    if (creationHeight <= 0n) throw invalidRequest('invalid height');
    requireBondDenom(context, amount);
    const validator = requireValidator(context, operator);
    if (hasNoExchangeRate(validator)) throw new SdkError(stakingErrors.noExchangeRate);
    if (validator.jailed) throw new SdkError(stakingErrors.jailed);

    const unbonding = getUnbonding(context, delegator, operator);
    if (unbonding === undefined) {
      throw plainError(
        `rpc error: code = NotFound desc = unbonding delegation with delegator ${delegatorAddress} not found for validator ${validatorAddress}`,
      );
    }
    const index = unbonding.entries.findIndex((one) => one.creationHeight === creationHeight);
    const entry = unbonding.entries[index];
    if (entry === undefined) {
      throw new SdkError(
        sdkErrors.notFound,
        `unbonding delegation entry is not found at block height ${creationHeight}`,
      );
    }
    const tokens = BigInt(amount.amount);
    if (entry.balance < tokens) throw invalidRequest('amount is greater than the unbonding delegation entry balance');
    if (entry.completionTime < context.time) throw invalidRequest('unbonding delegation is already processed');

    delegate(context, delegator, tokens, NOT_BONDED_POOL, validator);
    const { entries } = unbonding;
    const balance = entry.balance - tokens;
    setOrRemoveUnbonding(context, {
      ...unbonding,
      entries:
        balance === 0n
          ? entries.toSpliced(index, 1)
          : entries.with(index, { ...entry, balance, initialBalance: entry.initialBalance - tokens }),
    });
    emit(context, 'cancel_unbonding_delegation', () => [
      ['amount', formatCoins([amount])],
      ['validator', validatorAddress],
      ['delegator', delegatorAddress],
      ['creation_height', creationHeight.toString()],
    ]);
  },
);
