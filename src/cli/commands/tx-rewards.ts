/** `tx distribution|slashing|crisis ...` (cosmos-sdk v0.53 `x/distribution/client/cli/tx.go`, `autocli.go`). */
import type { Any } from '@bufbuild/protobuf/wkt';
import { MsgVerifyInvariantSchema } from '../../core/proto/cosmos/crisis/v1beta1/tx_pb.js';
import { Query } from '../../core/proto/cosmos/distribution/v1beta1/query_pb.js';
import * as pb from '../../core/proto/cosmos/distribution/v1beta1/tx_pb.js';
import { MsgUnjailSchema } from '../../core/proto/cosmos/slashing/v1beta1/tx_pb.js';
import { ask } from '../client/app-query.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { signed } from '../table/command-rows.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { addressOf, operatorOf } from '../values/names.js';
import { sendAs, sendOwn } from '../tx/send-as.js';
import { coinsOf, messageAny } from '../tx/draft.js';
import { coinsOfNode } from '../values/units.js';

const reward = (delegatorAddress: string, validatorAddress: string): Any =>
  messageAny(pb.MsgWithdrawDelegatorRewardSchema, { delegatorAddress, validatorAddress });
const commissionOf = (validatorAddress: string): Any =>
  messageAny(pb.MsgWithdrawValidatorCommissionSchema, { validatorAddress });

const withdrawRewards: CommandBody = (context, [validator = ''], flags) =>
  sendAs(context, flags, async (signer, prefix) => {
    const operator = await operatorOf(context, validator, prefix);
    return [reward(signer, operator), ...(flags.is('commission') ? [commissionOf(operator)] : [])];
  });

/** `tx distribution withdraw-all-rewards`: sends one message for each validator that the signer delegates to. */
const withdrawAllRewards: CommandBody = (context, _, flags) =>
  sendAs(context, flags, async (signer) => {
    const { input, output } = Query.method.delegatorValidators;
    const path = '/cosmos.distribution.v1beta1.Query/DelegatorValidators';
    const { validators } = await ask(context.rpc, path, input, { delegatorAddress: signer }, output);
    if (validators.length === 0) throw new CommandError(EXIT.notFound, `${signer} has no delegations`);
    return validators.map((validator) => reward(signer, validator));
  });

const invariantBroken: CommandBody = (context, [invariantModuleName = '', invariantRoute = ''], flags) =>
  sendOwn(context, flags, MsgVerifyInvariantSchema, (sender) => ({ sender, invariantModuleName, invariantRoute }));

const withdrawCommission: CommandBody = (context, [validator = ''], flags) =>
  sendAs(context, flags, async (_, prefix) => [commissionOf(await operatorOf(context, validator, prefix))]);

const setWithdrawAddress: CommandBody = (context, [address = ''], flags) =>
  sendOwn(context, flags, pb.MsgSetWithdrawAddressSchema, async (delegatorAddress, prefix) => ({
    delegatorAddress,
    withdrawAddress: await addressOf(context, address, prefix),
  }));

const fundCommunityPool: CommandBody = (context, [amount = ''], flags) =>
  sendOwn(context, flags, pb.MsgFundCommunityPoolSchema, async (depositor) => ({
    depositor,
    amount: coinsOf(await coinsOfNode(context, amount, 'amount')),
  }));

const fundValidatorRewards: CommandBody = (context, [validator = '', amount = ''], flags) =>
  sendOwn(context, flags, pb.MsgDepositValidatorRewardsPoolSchema, async (depositor, prefix) => ({
    depositor,
    validatorAddress: await operatorOf(context, validator, prefix),
    amount: coinsOf(await coinsOfNode(context, amount, 'amount')),
  }));

/** `tx slashing unjail`: the signer must be the validator's operator. */
const unjail: CommandBody = (context, _, flags) =>
  sendOwn(context, flags, MsgUnjailSchema, async (signer, prefix) => ({
    validatorAddr: await operatorOf(context, signer, prefix),
  }));

export const commands: readonly CommandRow[] = [
  signed(
    'crisis invariant-broken <module-name> <invariant-route>',
    'check an invariant for a fee; a broken one fails the transaction',
    invariantBroken,
  ),
  signed('distribution fund-community-pool <amount>', 'give coins to the community pool', fundCommunityPool),
  signed(
    'distribution fund-validator-rewards-pool <validator> <amount>',
    'give coins to a validator and its delegators',
    fundValidatorRewards,
  ),
  signed('distribution set-withdraw-addr <address>', 'name the account that gets rewards', setWithdrawAddress),
  signed(
    'distribution withdraw-all-rewards',
    'withdraw the rewards of all delegations in one transaction',
    withdrawAllRewards,
    { options: [{ flag: '--max-msgs <count>', doc: 'has no effect, as in the SDK with its broadcast modes' }] },
  ),
  signed('distribution withdraw-rewards <validator>', 'withdraw the rewards of a delegation', withdrawRewards, {
    options: [{ flag: '--commission', doc: 'also withdraw the commission, as the operator' }],
  }),
  signed(
    'distribution withdraw-validator-commission <validator>',
    'withdraw commission, as its operator',
    withdrawCommission,
  ),
  signed('slashing unjail', 'unjail a validator, as its operator', unjail),
];
