/** Distribution queries (cosmos/evm v0.6 `precompiles/distribution/query.go`). */
import * as pb from '../../proto/cosmos/distribution/v1beta1/query_pb.js';
import { listOf, text, tuple } from '../abi/compounds.js';
import { address, uint } from '../abi/words.js';
import { viewMethod } from '../contract.js';
import { ask } from '../messages.js';
import { accountName, requireAddressGiven } from '../requester.js';
import {
  abiDec,
  abiDecCoins,
  abiPageRequest,
  abiPageResponse,
  decCoinsOut,
  pageIn,
  pageOut,
  PRECISION,
} from '../structs.js';

const validatorDistributionInfo = viewMethod(
  'validatorDistributionInfo',
  [text],
  [tuple({ operatorAddress: text, selfBondRewards: abiDecCoins, commission: abiDecCoins })],
  (context, [validatorAddress]) => {
    const { operatorAddress, selfBondRewards, commission } = ask(context, pb.Query, 'validatorDistributionInfo', {
      validatorAddress,
    });
    return [{ operatorAddress, selfBondRewards: decCoinsOut(selfBondRewards), commission: decCoinsOut(commission) }];
  },
);

const validatorOutstandingRewards = viewMethod(
  'validatorOutstandingRewards',
  [text],
  [abiDecCoins],
  (context, [validatorAddress]) => [
    decCoinsOut(ask(context, pb.Query, 'validatorOutstandingRewards', { validatorAddress }).rewards?.rewards ?? []),
  ],
);

const validatorCommission = viewMethod('validatorCommission', [text], [abiDecCoins], (context, [validatorAddress]) => [
  decCoinsOut(ask(context, pb.Query, 'validatorCommission', { validatorAddress }).commission?.commission ?? []),
]);

const validatorSlashes = viewMethod(
  'validatorSlashes',
  [text, uint(64), uint(64), abiPageRequest],
  [listOf(tuple({ validatorPeriod: uint(64), fraction: abiDec })), abiPageResponse],
  (context, [validatorAddress, startingHeight, endingHeight, page]) => {
    const { slashes, pagination } = ask(context, pb.Query, 'validatorSlashes', {
      validatorAddress,
      startingHeight,
      endingHeight,
      pagination: pageIn(page),
    });
    return [
      slashes.map(({ validatorPeriod, fraction }) => ({
        validatorPeriod,
        fraction: { value: BigInt(fraction), precision: PRECISION },
      })),
      pageOut(pagination),
    ];
  },
);

const delegationRewards = viewMethod(
  'delegationRewards',
  [address, text],
  [abiDecCoins],
  (context, [delegator, validatorAddress]) => {
    requireAddressGiven(context, delegator, 'delegator');
    const { rewards } = ask(context, pb.Query, 'delegationRewards', {
      delegatorAddress: accountName(context, delegator),
      validatorAddress,
    });
    return [decCoinsOut(rewards)];
  },
);

const delegationTotalRewards = viewMethod(
  'delegationTotalRewards',
  [address],
  [listOf(tuple({ validatorAddress: text, reward: abiDecCoins })), abiDecCoins],
  (context, [delegator]) => {
    requireAddressGiven(context, delegator, 'delegator');
    const { rewards, total } = ask(context, pb.Query, 'delegationTotalRewards', {
      delegatorAddress: accountName(context, delegator),
    });
    return [
      rewards.map(({ validatorAddress, reward }) => ({ validatorAddress, reward: decCoinsOut(reward) })),
      decCoinsOut(total),
    ];
  },
);

const delegatorValidators = viewMethod('delegatorValidators', [address], [listOf(text)], (context, [delegator]) => {
  requireAddressGiven(context, delegator, 'delegator');
  const { validators } = ask(context, pb.Query, 'delegatorValidators', {
    delegatorAddress: accountName(context, delegator),
  });
  return [validators];
});

const delegatorWithdrawAddress = viewMethod('delegatorWithdrawAddress', [address], [text], (context, [delegator]) => {
  requireAddressGiven(context, delegator, 'delegator');
  const { withdrawAddress } = ask(context, pb.Query, 'delegatorWithdrawAddress', {
    delegatorAddress: accountName(context, delegator),
  });
  return [withdrawAddress];
});

const communityPool = viewMethod('communityPool', [], [abiDecCoins], (context) => {
  const { pool } = ask(context, pb.Query, 'communityPool', {});
  return [decCoinsOut(pool)];
});

export const queryMethods = [
  validatorDistributionInfo,
  validatorOutstandingRewards,
  validatorCommission,
  validatorSlashes,
  delegationRewards,
  delegationTotalRewards,
  delegatorValidators,
  delegatorWithdrawAddress,
  communityPool,
];
