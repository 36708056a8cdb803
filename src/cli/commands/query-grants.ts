import { Query as Authz } from '../../core/proto/cosmos/authz/v1beta1/query_pb.js';
import { Query as Feegrant } from '../../core/proto/cosmos/feegrant/v1beta1/query_pb.js';
import { unary } from '../unary.js';

/** `query authz ...`: permissions to execute messages for another account. */
export const grants = unary(Authz.method.grants, async (input) => ({
  granter: await input.address(0),
  grantee: await input.address(1),
  msgTypeUrl: input.text(2),
  ...input.pagination,
}));
export const grantsByGranter = unary(Authz.method.granterGrants, async (input) => ({
  granter: await input.address(0),
  ...input.pagination,
}));
export const grantsByGrantee = unary(Authz.method.granteeGrants, async (input) => ({
  grantee: await input.address(0),
  ...input.pagination,
}));

/** `query feegrant ...`: fees that one account pays for another. */
export const allowance = unary(Feegrant.method.allowance, async (input) => ({
  granter: await input.address(0),
  grantee: await input.address(1),
}));
export const allowancesByGranter = unary(Feegrant.method.allowancesByGranter, async (input) => ({
  granter: await input.address(0),
  ...input.pagination,
}));
export const allowancesByGrantee = unary(Feegrant.method.allowances, async (input) => ({
  grantee: await input.address(0),
  ...input.pagination,
}));
