/** Queries of authz (cosmos-sdk v0.53 `x/authz/keeper/grpc_query.go`). */
import { create } from '@bufbuild/protobuf';
import { equal } from '../../bytes/bytes.js';
import { GrantAuthorizationSchema, GrantSchema } from '../../proto/cosmos/authz/v1beta1/authz_pb.js';
import * as pb from '../../proto/cosmos/authz/v1beta1/query_pb.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import { query } from '../../sdk/module/module.js';
import { paginate } from '../../sdk/module/pagination.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { requireQueriedAddress } from '../queried-address.js';
import { errors } from './errors.js';
import { decodeGrant, getGrant } from './grants.js';
import { GRANT_PREFIX, grantsOf, grantsOfGranter, parseGrantKey, STORE } from './keys.js';

const grants = query(pb.Query, 'grants', (context, { granter, grantee, msgTypeUrl, pagination }) => {
  const prefix = context.chain.bech32Prefix;
  const pair = { granter: requireQueriedAddress(prefix, granter), grantee: requireQueriedAddress(prefix, grantee) };
  if (msgTypeUrl !== '') {
    const grant = getGrant(context, pair, msgTypeUrl);
    if (grant === undefined)
      throw new SdkError(errors.noAuthorization, `authorization not found for ${msgTypeUrl} type`);
    return { grants: [grant] };
  }
  const { rows, page } = paginate({ context, store: STORE, prefix: grantsOf(pair) }, pagination, ({ value }) =>
    create(GrantSchema, decodeGrant(value)),
  );
  return { grants: rows, pagination: page };
});

const granterGrants = query(pb.Query, 'granterGrants', (context, { granter, pagination }) => {
  const prefix = grantsOfGranter(requireQueriedAddress(context.chain.bech32Prefix, granter));
  return paginate({ context, store: STORE, prefix }, pagination, ({ key, value }) => {
    const { authorization, expiration } = decodeGrant(value);
    const grantee = encodeAddress(context.chain.bech32Prefix, parseGrantKey(key).grantee);
    return create(GrantAuthorizationSchema, {
      granter,
      grantee,
      ...(authorization && { authorization }),
      ...(expiration && { expiration }),
    });
  });
});

const granteeGrants = query(pb.Query, 'granteeGrants', (context, { grantee, pagination }) => {
  const granteeAddress = requireQueriedAddress(context.chain.bech32Prefix, grantee);
  return paginate({ context, store: STORE, prefix: GRANT_PREFIX }, pagination, ({ key, value }) => {
    const pair = parseGrantKey(key);
    if (!equal(pair.grantee, granteeAddress)) return undefined;
    const { authorization, expiration } = decodeGrant(value);
    return create(GrantAuthorizationSchema, {
      granter: encodeAddress(context.chain.bech32Prefix, pair.granter),
      grantee,
      ...(authorization && { authorization }),
      ...(expiration && { expiration }),
    });
  });
});

export const queries = [grants, granterGrants, granteeGrants];
