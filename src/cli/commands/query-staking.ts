import { Query } from '../../core/proto/cosmos/staking/v1beta1/query_pb.js';
import type { CommandRow } from '../command-table.js';
import { account, number, operator, paged, query } from '../query-rows.js';

const { method } = Query;

/** `query staking ...`: one method of the staking module each (cosmos-sdk v0.53 `x/staking/autocli.go`). */
export const commands: readonly CommandRow[] = [
  query('staking delegation <delegator> <validator>', 'a delegation', method.delegation, {
    delegatorAddr: account,
    validatorAddr: operator,
  }),
  paged('staking delegations <delegator>', 'delegations of an account', method.delegatorDelegations, {
    delegatorAddr: account,
  }),
  paged('staking delegations-to <validator>', 'delegations to a validator', method.validatorDelegations, {
    validatorAddr: operator,
  }),
  query(
    'staking delegator-validator <delegator> <validator>',
    'a validator that an account delegates to',
    method.delegatorValidator,
    { delegatorAddr: account, validatorAddr: operator },
  ),
  paged(
    'staking delegator-validators <delegator>',
    'validators that an account delegates to',
    method.delegatorValidators,
    { delegatorAddr: account },
  ),
  query('staking historical-info <height>', 'header and validators of a height', method.historicalInfo, {
    height: number('height'),
  }),
  query('staking params', 'parameters of staking', method.params),
  query('staking pool', 'bonded and other tokens', method.pool),
  paged(
    'staking redelegation <delegator> <source> <destination>',
    'a redelegation between two validators',
    method.redelegations,
    { delegatorAddr: account, srcValidatorAddr: operator, dstValidatorAddr: operator },
  ),
  query(
    'staking unbonding-delegation <delegator> <validator>',
    'what unbonds from a validator for an account',
    method.unbondingDelegation,
    { delegatorAddr: account, validatorAddr: operator },
  ),
  paged(
    'staking unbonding-delegations <delegator>',
    'what unbonds for an account',
    method.delegatorUnbondingDelegations,
    { delegatorAddr: account },
  ),
  paged(
    'staking unbonding-delegations-from <validator>',
    'what unbonds from a validator',
    method.validatorUnbondingDelegations,
    { validatorAddr: operator },
  ),
  query('staking validator <validator>', 'a validator', method.validator, { validatorAddr: operator }),
  paged(
    'staking validators',
    'all validators',
    method.validators,
    ({ flags, pagination }) => ({ status: flags.text('status') ?? '', ...pagination }),
    { options: [{ flag: '--status <status>', doc: 'for example BOND_STATUS_BONDED' }] },
  ),
];
