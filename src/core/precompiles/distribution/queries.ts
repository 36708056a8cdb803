/** Queries of the distribution (cosmos/evm v0.6 `precompiles/distribution/query.go`). */
import * as pb from '../../proto/cosmos/distribution/v1beta1/query_pb.js';
import { listOf, text, tuple } from '../abi/compounds.js';
import { address, uint } from '../abi/words.js';
import { method } from '../contract.js';
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

const validatorDistributionInfo = method({
  name: 'validatorDistributionInfo',
  inputs: [text],
  outputs: [tuple({ operatorAddress: text, selfBondRewards: abiDecCoins, commission: abiDecCoins })],
  run(context, _, [validatorAddress]) {
    const { operatorAddress, selfBondRewards, commission } = ask(context, pb.Query, 'validatorDistributionInfo', {
      validatorAddress,
    });
    return [{ operatorAddress, selfBondRewards: decCoinsOut(selfBondRewards), commission: decCoinsOut(commission) }];
  },
});

const validatorOutstandingRewards = method({
  name: 'validatorOutstandingRewards',
  inputs: [text],
  outputs: [abiDecCoins],
  run: (context, _, [validatorAddress]) => [
    decCoinsOut(ask(context, pb.Query, 'validatorOutstandingRewards', { validatorAddress }).rewards?.rewards ?? []),
  ],
});

const validatorCommission = method({
  name: 'validatorCommission',
  inputs: [text],
  outputs: [abiDecCoins],
  run: (context, _, [validatorAddress]) => [
    decCoinsOut(ask(context, pb.Query, 'validatorCommission', { validatorAddress }).commission?.commission ?? []),
  ],
});

const validatorSlashes = method({
  name: 'validatorSlashes',
  inputs: [text, uint(64), uint(64), abiPageRequest],
  outputs: [listOf(tuple({ validatorPeriod: uint(64), fraction: abiDec })), abiPageResponse],
  run(context, _, [validatorAddress, startingHeight, endingHeight, page]) {
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
});

const delegationRewards = method({
  name: 'delegationRewards',
  inputs: [address, text],
  outputs: [abiDecCoins],
  run(context, _, [delegator, validatorAddress]) {
    requireAddressGiven(context, delegator, 'delegator');
    const { rewards } = ask(context, pb.Query, 'delegationRewards', {
      delegatorAddress: accountName(context, delegator),
      validatorAddress,
    });
    return [decCoinsOut(rewards)];
  },
});

const delegationTotalRewards = method({
  name: 'delegationTotalRewards',
  inputs: [address],
  outputs: [listOf(tuple({ validatorAddress: text, reward: abiDecCoins })), abiDecCoins],
  run(context, _, [delegator]) {
    requireAddressGiven(context, delegator, 'delegator');
    const { rewards, total } = ask(context, pb.Query, 'delegationTotalRewards', {
      delegatorAddress: accountName(context, delegator),
    });
    return [
      rewards.map(({ validatorAddress, reward }) => ({ validatorAddress, reward: decCoinsOut(reward) })),
      decCoinsOut(total),
    ];
  },
});

const delegatorValidators = method({
  name: 'delegatorValidators',
  inputs: [address],
  outputs: [listOf(text)],
  run(context, _, [delegator]) {
    requireAddressGiven(context, delegator, 'delegator');
    const { validators } = ask(context, pb.Query, 'delegatorValidators', {
      delegatorAddress: accountName(context, delegator),
    });
    return [validators];
  },
});

const delegatorWithdrawAddress = method({
  name: 'delegatorWithdrawAddress',
  inputs: [address],
  outputs: [text],
  run(context, _, [delegator]) {
    requireAddressGiven(context, delegator, 'delegator');
    const { withdrawAddress } = ask(context, pb.Query, 'delegatorWithdrawAddress', {
      delegatorAddress: accountName(context, delegator),
    });
    return [withdrawAddress];
  },
});

const communityPool = method({
  name: 'communityPool',
  inputs: [],
  outputs: [abiDecCoins],
  run(context) {
    const { pool } = ask(context, pb.Query, 'communityPool', {});
    return [decCoinsOut(pool)];
  },
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
