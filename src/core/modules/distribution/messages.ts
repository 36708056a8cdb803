/** Messages of the distribution (cosmos-sdk v0.53 `x/distribution/keeper/msg_server.go`). */
import { create } from '@bufbuild/protobuf';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { ParamsSchema } from '../../proto/cosmos/distribution/v1beta1/distribution_pb.js';
import * as pb from '../../proto/cosmos/distribution/v1beta1/tx_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { requireAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { decCoinsOf } from '../../sdk/coins/dec-coins.js';
import { message } from '../../sdk/module/module.js';
import { decOfMessage } from '../../sdk/codec/proto-dec.js';
import { requireValidCoins } from '../../sdk/coins/require-coins.js';
import { invalidRequest, plainError, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { requireGovernance } from '../authority.js';
import { sendToModule } from '../bank/module-accounts.js';
import { isBlocked } from '../bank/send-rules.js';
import { requireQueriedAddress } from '../queried-address.js';
import { accountText, requireDelegator, requireOperator, signerOfOperator } from '../staking/addresses.js';
import { requireValidator } from '../staking/validators.js';
import { allocateToValidator } from './allocation.js';
import { withdrawCommission } from './commission.js';
import { fundCommunityPool, spendCommunityPool } from './community-pool.js';
import { withdrawRewards } from './delegation-rewards.js';
import { setWithdrawAddress } from './delegators.js';
import { distributionErrors } from './errors.js';
import { DISTRIBUTION } from './keys.js';
import { getParams, paramsOfMessage, paramsProblem, setParams } from './params.js';
import { getCurrent, getHistorical } from './records.js';

const withdrawAddress = message(pb.Msg, 'setWithdrawAddress', (context, request) => {
  const delegator = requireDelegator(context, request.delegatorAddress);
  const address = requireAddress(context.chain.bech32Prefix, request.withdrawAddress, 'invalid withdraw address');
  refuseBlocked(context, address);
  if (!getParams(context).withdrawAddrEnabled) throw new SdkError(distributionErrors.withdrawAddressDisabled);
  emit(context, 'set_withdraw_address', () => [['withdraw_address', accountText(context, address)]]);
  setWithdrawAddress(context, delegator, address);
});

const delegatorReward = message(
  pb.Msg,
  'withdrawDelegatorReward',
  (context, { delegatorAddress, validatorAddress }) => {
    const operator = requireOperator(context, validatorAddress);
    const amount = withdrawRewards(context, requireDelegator(context, delegatorAddress), operator);
    return { amount: [...amount] };
  },
);

const validatorCommission = message(pb.Msg, 'withdrawValidatorCommission', {
  signers: ({ validatorAddress }, prefix) => [signerOfOperator(validatorAddress, prefix)],
  handle(context, { validatorAddress }) {
    const amount = withdrawCommission(context, requireOperator(context, validatorAddress));
    return { amount: [...amount] };
  },
});

const fund = message(pb.Msg, 'fundCommunityPool', (context, { depositor, amount }) => {
  const sender = requireAddress(context.chain.bech32Prefix, depositor, 'invalid depositor address');
  requireCoins(amount);
  fundCommunityPool(context, sender, amount);
});

const spend = message(pb.Msg, 'communityPoolSpend', (context, { authority, recipient, amount }) => {
  requireAuthority(context, authority);
  requireCoins(amount);
  const receiver = requireQueriedAddress(context.chain.bech32Prefix, recipient);
  refuseBlocked(context, receiver, recipient);
  spendCommunityPool(context, receiver, amount);
});

/** Deposits rewards as if the validator had earned them. */
const deposit = message(pb.Msg, 'depositValidatorRewardsPool', (context, { depositor, validatorAddress, amount }) => {
  const { bech32Prefix } = context.chain;
  sendToModule(context, requireQueriedAddress(bech32Prefix, depositor), DISTRIBUTION, amount);
  const operator = requireQueriedAddress(`${bech32Prefix}valoper`, validatorAddress);
  const validator = requireValidator(context, operator);
  allocateToValidator(context, validator, decCoinsOf(amount));
  // The SDK reads both to check that their sum does not overflow, which consumes gas.
  if (validator.tokens > 0n) getHistorical(context, operator, getCurrent(context, operator).period - 1n);
});

const updateParams = message(pb.Msg, 'updateParams', (context, { authority, params = create(ParamsSchema) }) => {
  requireAuthority(context, authority);
  if ((decOfMessage(params.baseProposerReward) ?? 0n) !== 0n || (decOfMessage(params.bonusProposerReward) ?? 0n) !== 0n)
    throw invalidRequest('cannot update base or bonus proposer reward because these are deprecated fields');
  const problem = paramsProblem(params);
  if (problem !== undefined) throw plainError(problem);
  setParams(context, paramsOfMessage(params));
});

/** Throws SDK error 7 for an authority that is not an address, otherwise the usual error. */
function requireAuthority(context: Context, authority: string): void {
  requireAddress(context.chain.bech32Prefix, authority, 'invalid authority address');
  requireGovernance(context, authority);
}

/** Rejects module accounts and precompiles as receivers; `shown` is the address in the error text. */
function refuseBlocked(context: Context, address: Uint8Array, shown = accountText(context, address)): void {
  if (isBlocked(context, address))
    throw new SdkError(sdkErrors.unauthorized, `${shown} is not allowed to receive external funds`);
}

/** Requires a non-empty list; on the wire an empty list is an absent one. */
function requireCoins(amount: readonly Coin[]): void {
  if (amount.length === 0) throw new SdkError(sdkErrors.invalidCoins, 'amount cannot be nil');
  requireValidCoins(amount);
}

export const messages = [withdrawAddress, delegatorReward, validatorCommission, fund, spend, deposit, updateParams];
