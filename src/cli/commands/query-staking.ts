import { Query } from '../../core/proto/cosmos/staking/v1beta1/query_pb.js';
import { wholeNumber } from '../whole-number.js';
import type { CommandRow } from '../command-table.js';
import { paged, query } from '../query-rows.js';

const { method } = Query;

/** `query staking ...`: one method of the staking module each (cosmos-sdk v0.53 `x/staking/autocli.go`). */
export const commands: readonly CommandRow[] = [
  query('staking delegation <delegator> <validator>', 'a delegation', method.delegation, async (input) => ({
    delegatorAddr: await input.address(0),
    validatorAddr: await input.operator(1),
  })),
  paged('staking delegations <delegator>', 'delegations of an account', method.delegatorDelegations, async (input) => ({
    delegatorAddr: await input.address(0),
    ...input.pagination,
  })),
  paged(
    'staking delegations-to <validator>',
    'delegations to a validator',
    method.validatorDelegations,
    async ({ operator, pagination }) => ({ validatorAddr: await operator(0), ...pagination }),
  ),
  query(
    'staking delegator-validator <delegator> <validator>',
    'a validator that an account delegates to',
    method.delegatorValidator,
    async (input) => ({ delegatorAddr: await input.address(0), validatorAddr: await input.operator(1) }),
  ),
  paged(
    'staking delegator-validators <delegator>',
    'validators that an account delegates to',
    method.delegatorValidators,
    async (input) => ({ delegatorAddr: await input.address(0), ...input.pagination }),
  ),
  query('staking historical-info <height>', 'header and validators of a height', method.historicalInfo, ({ text }) => ({
    height: wholeNumber(text(0), 'height'),
  })),
  query('staking params', 'parameters of staking', method.params),
  query('staking pool', 'bonded and other tokens', method.pool),
  paged(
    'staking redelegation <delegator> <source> <destination>',
    'a redelegation between two validators',
    method.redelegations,
    async (input) => ({
      delegatorAddr: await input.address(0),
      srcValidatorAddr: await input.operator(1),
      dstValidatorAddr: await input.operator(2),
      ...input.pagination,
    }),
  ),
  query(
    'staking unbonding-delegation <delegator> <validator>',
    'what unbonds from a validator for an account',
    method.unbondingDelegation,
    async (input) => ({ delegatorAddr: await input.address(0), validatorAddr: await input.operator(1) }),
  ),
  paged(
    'staking unbonding-delegations <delegator>',
    'what unbonds for an account',
    method.delegatorUnbondingDelegations,
    async (input) => ({ delegatorAddr: await input.address(0), ...input.pagination }),
  ),
  paged(
    'staking unbonding-delegations-from <validator>',
    'what unbonds from a validator',
    method.validatorUnbondingDelegations,
    async ({ operator, pagination }) => ({ validatorAddr: await operator(0), ...pagination }),
  ),
  query('staking validator <validator>', 'a validator', method.validator, async ({ operator }) => ({
    validatorAddr: await operator(0),
  })),
  paged(
    'staking validators',
    'all validators',
    method.validators,
    ({ flags, pagination }) => ({ status: flags.text('status') ?? '', ...pagination }),
    { options: [{ flag: '--status <status>', doc: 'for example BOND_STATUS_BONDED' }] },
  ),
];
