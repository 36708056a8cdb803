/** Staking queries (cosmos/evm v0.6 `precompiles/staking/query.go`); missing records are returned as zeros. */
import * as pb from '../../proto/cosmos/staking/v1beta1/query_pb.js';
import { getParams } from '../../modules/staking/params.js';
import { getRedelegation, redelegationMessage } from '../../modules/staking/redelegations.js';
import type { Context } from '../../sdk/module/context.js';
import { plainError, SdkError } from '../../sdk/module/sdk-error.js';
import { listOf, text } from '../abi/compounds.js';
import { address, uint256 } from '../abi/words.js';
import { viewMethod } from '../contract.js';
import { ask } from '../messages.js';
import { accountName, operatorName, requireAddressGiven, requireOperatorName } from '../requester.js';
import { abiCoin, abiPageRequest, abiPageResponse, beginIn, pageIn, pageOut } from '../structs.js';
import {
  abiRedelegation,
  abiRedelegations,
  abiUnbonding,
  abiValidator,
  NO_VALIDATOR,
  redelegationOut,
  redelegationsOut,
  unbondingOut,
  validatorOut,
} from './structs.js';

/** Runs `run`; undefined when it fails with the text `missing`. */
function unlessMissing<Answer>(missing: string, run: () => Answer): Answer | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof SdkError && error.message.includes(missing)) return undefined;
    throw error;
  }
}

const delegation = viewMethod(
  'delegation',
  [address, text],
  [uint256, abiCoin],
  (context, [delegator, validatorAddr]) => {
    requireAddressGiven(context, delegator, 'delegator');
    const delegatorAddr = accountName(context, delegator);
    const found = unlessMissing(
      `delegation with delegator ${delegatorAddr} not found for validator ${validatorAddr}`,
      () =>
        ask(context, pb.Query, 'delegation', {
          delegatorAddr,
          validatorAddr,
        }).delegationResponse,
    );
    if (found === undefined) return [0n, { denom: getParams(context).bondDenom, amount: 0n }];
    const { denom = '', amount = '0' } = found.balance ?? {};
    return [BigInt(found.delegation?.shares ?? '0'), { denom, amount: BigInt(amount) }];
  },
);

const unbondingDelegation = viewMethod(
  'unbondingDelegation',
  [address, text],
  [abiUnbonding],
  (context, [delegator, validatorAddr]) => {
    requireAddressGiven(context, delegator, 'delegator');
    const delegatorAddr = accountName(context, delegator);
    const found = unlessMissing(
      `unbonding delegation with delegator ${delegatorAddr} not found for validator ${validatorAddr}`,
      () => ask(context, pb.Query, 'unbondingDelegation', { delegatorAddr, validatorAddr }).unbond,
    );
    return [unbondingOut(found)];
  },
);

const validator = viewMethod('validator', [address], [abiValidator], (context, [operator]) => {
  requireAddressGiven(context, operator, 'validator');
  const validatorAddr = operatorName(context, operator);
  const found = unlessMissing(
    `validator ${validatorAddr} not found`,
    () =>
      ask(context, pb.Query, 'validator', {
        validatorAddr,
      }).validator,
  );
  return [found === undefined ? NO_VALIDATOR : validatorOut(context, found)];
});

const validators = viewMethod(
  'validators',
  [text, abiPageRequest],
  [listOf(abiValidator), abiPageResponse],
  (context, [status, page]) => {
    const answer = ask(context, pb.Query, 'validators', {
      status,
      pagination: beginIn(page),
    });
    return [answer.validators.map((one) => validatorOut(context, one)), pageOut(answer.pagination)];
  },
);

const redelegation = viewMethod(
  'redelegation',
  [address, text, text],
  [abiRedelegation],
  (context, [delegator, source, destination]) => {
    requireAddressGiven(context, delegator, 'delegator');
    const found = getRedelegation(context, {
      delegator,
      source: requireOperatorName(context, source),
      destination: requireOperatorName(context, destination),
    });
    return [redelegationOut(found && redelegationMessage(context, found))];
  },
);

const redelegations = viewMethod(
  'redelegations',
  [address, text, text, abiPageRequest],
  [abiRedelegations, abiPageResponse],
  (context, [delegator, srcValidatorAddr, dstValidatorAddr, page]) => {
    const delegatorAddr = delegatorOf(context, delegator);
    if (delegatorAddr === '' && srcValidatorAddr === '')
      throw plainError('invalid query. Need to specify at least a source validator address or delegator address');
    const answer = ask(context, pb.Query, 'redelegations', {
      delegatorAddr,
      srcValidatorAddr,
      dstValidatorAddr,
      pagination: pageIn(page),
    });
    return [redelegationsOut(answer.redelegationResponses), pageOut(answer.pagination)];
  },
);

/** Converts the delegator filter; the zero address means all delegators. */
function delegatorOf(context: Context, delegator: Uint8Array): string {
  return delegator.every((byte) => byte === 0) ? '' : accountName(context, delegator);
}

export const queryMethods = [delegation, unbondingDelegation, validator, validators, redelegation, redelegations];
