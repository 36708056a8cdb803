import { Query as Authz } from '../../core/proto/cosmos/authz/v1beta1/query_pb.js';
import { Query as Feegrant } from '../../core/proto/cosmos/feegrant/v1beta1/query_pb.js';
import type { CommandRow } from '../table/command-table.js';
import { paged } from '../table/query-rows.js';

/** `query authz ...`: permissions to execute messages for another account. */
export const commands: readonly CommandRow[] = [
  paged('authz grants <granter> <grantee> [msg-type-url]', 'permissions between two accounts', Authz.method.grants),
  paged('authz grants-by-granter <granter>', 'permissions that an account gave', Authz.method.granterGrants),
  paged('authz grants-by-grantee <grantee>', 'permissions that an account has', Authz.method.granteeGrants),
  paged('feegrant grant <granter> <grantee>', 'the allowance between two accounts', Feegrant.method.allowance, {
    request: async (input) => ({ granter: await input.address(0), grantee: await input.address(1) }),
  }),
  paged('feegrant grants-by-granter <granter>', 'allowances that an account gave', Feegrant.method.allowancesByGranter),
  paged('feegrant grants-by-grantee <grantee>', 'allowances that an account has', Feegrant.method.allowances),
];
