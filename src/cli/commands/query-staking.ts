import { Query } from '../../core/proto/cosmos/staking/v1beta1/query_pb.js';
import type { CommandRow } from '../table/command-table.js';
import { query, paged } from '../table/query-rows.js';

const { method } = Query;

/** `query staking ...`: one method of the staking module each (cosmos-sdk v0.53 `x/staking/autocli.go`). */
export const commands: readonly CommandRow[] = [
  query('staking delegation <delegator> <validator>', 'a delegation', method.delegation),
  paged('staking delegations <delegator>', 'delegations of an account', method.delegatorDelegations),
  paged('staking delegations-to <validator>', 'delegations to a validator', method.validatorDelegations),
  query(
    'staking delegator-validator <delegator> <validator>',
    'a validator that an account delegates to',
    method.delegatorValidator,
  ),
  paged(
    'staking delegator-validators <delegator>',
    'validators that an account delegates to',
    method.delegatorValidators,
  ),
  query('staking historical-info <height>', 'header and validators of a height', method.historicalInfo),
  query('staking params', 'parameters of staking', method.params),
  query('staking pool', 'bonded and other tokens', method.pool),
  paged(
    'staking redelegation <delegator> <source> <destination>',
    'a redelegation between two validators',
    method.redelegations,
  ),
  query(
    'staking unbonding-delegation <delegator> <validator>',
    'what unbonds from a validator for an account',
    method.unbondingDelegation,
  ),
  paged(
    'staking unbonding-delegations <delegator>',
    'what unbonds for an account',
    method.delegatorUnbondingDelegations,
  ),
  paged(
    'staking unbonding-delegations-from <validator>',
    'what unbonds from a validator',
    method.validatorUnbondingDelegations,
  ),
  query('staking validator <validator>', 'a validator', method.validator),
  paged('staking validators', 'all validators', method.validators, {
    request: ({ flags, pagination }) => ({ status: flags.text('status') ?? '', ...pagination }),
    options: [{ flag: '--status <status>', doc: 'for example BOND_STATUS_BONDED' }],
  }),
];
