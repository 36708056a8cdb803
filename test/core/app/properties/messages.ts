/** Turns random actions into messages. */
import type { Any } from '@bufbuild/protobuf/wkt';
import { equal } from '../../../../src/core/bytes/bytes.js';
import { getGrant } from '../../../../src/core/modules/authz/grants.js';
import { getBalance } from '../../../../src/core/modules/bank/balances.js';
import { nextId } from '../../../../src/core/modules/gov/proposals.js';
import { delegationsOfDelegator, getDelegation } from '../../../../src/core/modules/staking/delegations.js';
import { allUnbondings } from '../../../../src/core/modules/staking/unbonding-delegations.js';
import { tokensFromShares } from '../../../../src/core/modules/staking/shares.js';
import { getValidator } from '../../../../src/core/modules/staking/validators.js';
import * as authz from '../../../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { GenericAuthorizationSchema } from '../../../../src/core/proto/cosmos/authz/v1beta1/authz_pb.js';
import { SendAuthorizationSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/authz_pb.js';
import { MsgMultiSendSchema, MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import * as distribution from '../../../../src/core/proto/cosmos/distribution/v1beta1/tx_pb.js';
import * as feegrant from '../../../../src/core/proto/cosmos/feegrant/v1beta1/tx_pb.js';
import { BasicAllowanceSchema } from '../../../../src/core/proto/cosmos/feegrant/v1beta1/feegrant_pb.js';
import * as gov from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import * as mint from '../../../../src/core/proto/cosmos/mint/v1beta1/tx_pb.js';
import { MsgUnjailSchema } from '../../../../src/core/proto/cosmos/slashing/v1beta1/tx_pb.js';
import * as staking from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import * as vesting from '../../../../src/core/proto/cosmos/vesting/v1beta1/tx_pb.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import { truncateDec } from '../../../../src/core/sdk/coins/dec.js';
import { toTimestamp } from '../../../../src/core/comet/time.js';
import { toTimeNs } from '../../../../src/core/primitives.js';
import { type Action, type Amount, CHR, type Proposed, type Simple } from './actions.js';
import { achr, any, bytesOf, consensusKey, moduleText, operator, PEOPLE, person } from './people.js';

function worth(context: Context, who: string, operatorIndex: number): bigint {
  const at = bytesOf(person(operatorIndex));
  const delegation = getDelegation(context, bytesOf(who), at);
  const found = getValidator(context, at);
  return delegation === undefined || found === undefined || found.shares === 0n
    ? 0n
    : truncateDec(tokensFromShares(found, delegation.shares));
}

/** The message of an action by account `from`; amounts and targets depend on the state in `context`. */
export function messageOf(context: Context, from: number, act: Action): Any {
  const own = person(from);
  const valAddress = operator(from % 4);
  const held = (wanted: Amount): { denom: string; amount: string } =>
    achr(wanted === 'all' ? getBalance(context, bytesOf(own), 'achr') / 2n : wanted);
  const staked = (wanted: Amount, index: number) => achr(wanted === 'all' ? worth(context, own, index) : wanted);
  const at = (index: number) => ({ delegatorAddress: own, validatorAddress: operator(index) });
  /** Index of a validator to which the account delegates; `index` itself if it has no delegation. */
  const stakedAt = (index: number): number => stakeOf(context, own, index);
  /** One of the last proposals. */
  const id = (back: bigint): bigint => (nextId(context) > back ? nextId(context) - back : back);
  switch (act.kind) {
    case 'send':
      return any(MsgSendSchema, { fromAddress: own, toAddress: person(act.to), amount: [held(act.amount)] });
    case 'multi-send': {
      const coin = held(act.amount);
      const twice = { denom: coin.denom, amount: (BigInt(coin.amount) * 2n).toString() };
      return any(MsgMultiSendSchema, {
        inputs: [{ address: own, coins: [twice] }],
        outputs: [act.to, act.other].map((to) => ({ address: person(to), coins: [coin] })),
      });
    }
    case 'delegate':
      return any(staking.MsgDelegateSchema, { ...at(act.validator), amount: held(act.amount) });
    case 'undelegate':
      return any(staking.MsgUndelegateSchema, {
        ...at(stakedAt(act.validator)),
        amount: staked(act.amount, stakedAt(act.validator)),
      });
    case 'redelegate': {
      const source = stakedAt(act.validator);
      return any(staking.MsgBeginRedelegateSchema, {
        delegatorAddress: own,
        validatorSrcAddress: operator(source),
        validatorDstAddress: operator(act.to),
        amount: staked(act.amount, source),
      });
    }
    case 'cancel unbonding': {
      const entries = [...allUnbondings(context)].flatMap(({ delegator, operator: to, entries: all }) =>
        all.map((entry) => ({ delegator, to, entry })),
      );
      const mine = entries.filter(({ delegator }) => equal(delegator, bytesOf(own)));
      const chosen = mine[act.entry % Math.max(mine.length, 1)];
      const index = [0, 1, 2, 3].find((one) => chosen && equal(bytesOf(person(one)), chosen.to)) ?? 0;
      return any(staking.MsgCancelUnbondingDelegationSchema, {
        ...at(index),
        amount: achr(act.amount === 'all' ? (chosen?.entry.balance ?? 1n) : act.amount),
        creationHeight: chosen?.entry.creationHeight ?? 1n,
      });
    }
    case 'create validator':
      return any(staking.MsgCreateValidatorSchema, {
        description: { moniker: 'm' },
        commission: { rate: '100000000000000000', maxRate: '500000000000000000', maxChangeRate: '100000000000000000' },
        minSelfDelegation: '1',
        validatorAddress: valAddress,
        pubkey: any(PubKeySchema, { key: consensusKey(act.key) }),
        value: held(act.amount),
      });
    case 'edit validator':
      return any(staking.MsgEditValidatorSchema, {
        description: { moniker: '[do-not-modify]' },
        validatorAddress: valAddress,
        commissionRate: (act.rate * 10n ** 16n).toString(),
        minSelfDelegation: '',
      });
    case 'unjail':
      return any(MsgUnjailSchema, { validatorAddr: valAddress });
    case 'withdraw address':
      return any(distribution.MsgSetWithdrawAddressSchema, { delegatorAddress: own, withdrawAddress: person(act.to) });
    case 'withdraw':
      return any(distribution.MsgWithdrawDelegatorRewardSchema, at(stakedAt(act.validator)));
    case 'withdraw commission':
      return any(distribution.MsgWithdrawValidatorCommissionSchema, { validatorAddress: valAddress });
    case 'fund pool':
      return any(distribution.MsgFundCommunityPoolSchema, { depositor: own, amount: [held(act.amount)] });
    case 'deposit rewards':
      return any(distribution.MsgDepositValidatorRewardsPoolSchema, {
        depositor: own,
        validatorAddress: operator(act.validator),
        amount: [held(act.amount)],
      });
    case 'vote':
      return any(gov.MsgVoteSchema, { proposalId: id(act.proposal), voter: own, option: act.option });
    case 'weighted vote':
      return any(gov.MsgVoteWeightedSchema, {
        proposalId: id(act.proposal),
        voter: own,
        options: [
          { option: 1, weight: tenths(act.yes) },
          { option: 3, weight: tenths(10n - act.yes) },
        ],
      });
    case 'deposit':
      return any(gov.MsgDepositSchema, { proposalId: id(act.proposal), depositor: own, amount: [achr(act.amount)] });
    case 'cancel proposal':
      return any(gov.MsgCancelProposalSchema, { proposalId: id(act.proposal), proposer: own });
    case 'submit':
      return any(gov.MsgSubmitProposalSchema, {
        proposer: own,
        initialDeposit: act.deposit === 0n ? [] : [achr(act.deposit)],
        title: 't',
        summary: 's',
        metadata: 'm',
        expedited: act.expedited,
        messages: act.proposed.map(proposedMessage),
      });
    case 'grant': {
      const inner = messageOf(context, from, act.of);
      const expiration = toTimestamp(toTimeNs(context.time + (act.limit % 20n) * 1_000_000_000n));
      const authorization =
        act.of.kind === 'send'
          ? any(SendAuthorizationSchema, { spendLimit: [achr(act.limit)] })
          : any(GenericAuthorizationSchema, { msg: inner.typeUrl });
      return any(authz.MsgGrantSchema, {
        granter: own,
        grantee: person(act.to),
        grant: { authorization, expiration },
      });
    }
    case 'exec':
      return any(authz.MsgExecSchema, { grantee: own, msgs: [granted(context, own, act)] });
    case 'revoke':
      return any(authz.MsgRevokeSchema, {
        granter: own,
        grantee: person(act.to),
        msgTypeUrl: `/${staking.MsgDelegateSchema.typeName}`,
      });
    case 'allow fees':
      return any(feegrant.MsgGrantAllowanceSchema, {
        granter: own,
        grantee: person(act.to),
        allowance: any(BasicAllowanceSchema, { spendLimit: act.limit === 0n ? [] : [achr(act.limit)] }),
      });
    case 'revoke fees':
      return any(feegrant.MsgRevokeAllowanceSchema, { granter: own, grantee: person(act.to) });
    case 'vest':
      return vestMessage(context, own, act);
  }
}

function stakeOf(context: Context, who: string, index: number): number {
  const found = [...delegationsOfDelegator(context, bytesOf(who))];
  const chosen = found[index % Math.max(found.length, 1)];
  return [0, 1, 2, 3].find((one) => chosen && equal(bytesOf(person(one)), chosen.operator)) ?? index;
}

/** A message of an account that granted it to `own`, if one exists; else one without a grant. */
function granted(context: Context, own: string, act: Extract<Action, { kind: 'exec' }>): Any {
  const all = Array.from({ length: PEOPLE + 3 }, (_, index) => ({
    granter: bytesOf(person(index)),
    message: messageOf(context, index, act.of),
  }));
  const found = all.find(
    ({ granter, message }) => getGrant(context, { granter, grantee: bytesOf(own) }, message.typeUrl) !== undefined,
  );
  return (found ?? all[act.by])?.message ?? messageOf(context, act.by, act.of);
}

const tenths = (count: bigint): string => (count === 10n ? '1' : `0.${count}`);

function vestMessage(context: Context, own: string, act: Extract<Simple, { kind: 'vest' }>): Any {
  const coins = [achr(act.amount)];
  const now = context.time / 1_000_000_000n;
  const parties = { fromAddress: own, toAddress: person(act.to) };
  switch (act.form) {
    case 'permanent':
      return any(vesting.MsgCreatePermanentLockedAccountSchema, { ...parties, amount: coins });
    case 'periodic':
      return any(vesting.MsgCreatePeriodicVestingAccountSchema, {
        ...parties,
        startTime: now,
        vestingPeriods: [1n, 2n].map((part) => ({ length: act.seconds * part, amount: coins })),
      });
    case 'delayed':
    case 'continuous':
      return any(vesting.MsgCreateVestingAccountSchema, {
        ...parties,
        amount: coins,
        endTime: now + act.seconds,
        delayed: act.form === 'delayed',
      });
  }
}

function proposedMessage(act: Proposed): Any {
  const authority = moduleText('gov');
  switch (act.kind) {
    case 'spend deposits':
      return any(MsgSendSchema, { fromAddress: authority, toAddress: person(0), amount: [achr(act.amount)] });
    case 'spend pool':
      return any(distribution.MsgCommunityPoolSpendSchema, {
        authority,
        recipient: person(act.to),
        amount: [achr(act.amount)],
      });
    case 'staking':
      return any(staking.MsgUpdateParamsSchema, {
        authority,
        params: {
          unbondingTime: { seconds: act.seconds },
          maxValidators: act.maxValidators,
          maxEntries: 3,
          historicalEntries: 2,
          bondDenom: 'achr',
          minCommissionRate: '0',
        },
      });
    case 'mint':
      return any(mint.MsgUpdateParamsSchema, {
        authority,
        params: {
          mintDenom: 'achr',
          inflationRateChange: CHR.toString(),
          inflationMax: act.most.toString(),
          inflationMin: '0',
          goalBonded: CHR.toString(),
          blocksPerYear: 10n,
        },
      });
    case 'tax':
      return any(distribution.MsgUpdateParamsSchema, {
        authority,
        params: {
          communityTax: act.tax.toString(),
          withdrawAddrEnabled: true,
          baseProposerReward: '0',
          bonusProposerReward: '0',
        },
      });
  }
}
