import { Query } from '../../core/proto/cosmos/staking/v1beta1/query_pb.js';
import { unary } from '../unary.js';
import { wholeNumber } from '../whole-number.js';

const { method } = Query;

/** `query staking ...`: one method of the staking module each (cosmos-sdk v0.53 `x/staking/autocli.go`). */
export const delegation = unary(method.delegation, async (input) => ({
  delegatorAddr: await input.address(0),
  validatorAddr: await input.operator(1),
}));
export const delegations = unary(method.delegatorDelegations, async (input) => ({
  delegatorAddr: await input.address(0),
  ...input.pagination,
}));
export const delegationsTo = unary(method.validatorDelegations, async ({ operator, pagination }) => ({
  validatorAddr: await operator(0),
  ...pagination,
}));
export const delegatorValidator = unary(method.delegatorValidator, async (input) => ({
  delegatorAddr: await input.address(0),
  validatorAddr: await input.operator(1),
}));
export const delegatorValidators = unary(method.delegatorValidators, async (input) => ({
  delegatorAddr: await input.address(0),
  ...input.pagination,
}));
export const historicalInfo = unary(method.historicalInfo, ({ text }) => ({ height: wholeNumber(text(0), 'height') }));
export const params = unary(method.params, () => ({}));
export const pool = unary(method.pool, () => ({}));
export const redelegation = unary(method.redelegations, async (input) => ({
  delegatorAddr: await input.address(0),
  srcValidatorAddr: await input.operator(1),
  dstValidatorAddr: await input.operator(2),
  ...input.pagination,
}));
export const unbondingDelegation = unary(method.unbondingDelegation, async (input) => ({
  delegatorAddr: await input.address(0),
  validatorAddr: await input.operator(1),
}));
export const unbondingDelegations = unary(method.delegatorUnbondingDelegations, async (input) => ({
  delegatorAddr: await input.address(0),
  ...input.pagination,
}));
export const unbondingDelegationsFrom = unary(
  method.validatorUnbondingDelegations,
  async ({ operator, pagination }) => ({
    validatorAddr: await operator(0),
    ...pagination,
  }),
);
export const validator = unary(method.validator, async ({ operator }) => ({ validatorAddr: await operator(0) }));
export const validators = unary(method.validators, ({ flags, pagination }) => ({
  status: flags.text('status') ?? '',
  ...pagination,
}));
