/** Things of the chain that messages refer to; this program is asked for them before each block. */
import { type DescMessage, fromBinary, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { GenericAuthorizationSchema } from '../../../src/core/proto/cosmos/authz/v1beta1/authz_pb.js';
import * as authz from '../../../src/core/proto/cosmos/authz/v1beta1/query_pb.js';
import * as feegrant from '../../../src/core/proto/cosmos/feegrant/v1beta1/query_pb.js';
import { ProposalStatus } from '../../../src/core/proto/cosmos/gov/v1/gov_pb.js';
import * as gov from '../../../src/core/proto/cosmos/gov/v1/query_pb.js';
import { StakeAuthorizationSchema } from '../../../src/core/proto/cosmos/staking/v1beta1/authz_pb.js';
import * as staking from '../../../src/core/proto/cosmos/staking/v1beta1/query_pb.js';
import { TransferAuthorizationSchema } from '../../../src/core/proto/ibc/applications/transfer/v1/authz_pb.js';
import type { Pair } from '../pair.js';
import type { Delegation, Grant, Proposal, Unbonding, Validator, World } from './world.js';
import { encode } from '../../support/encode.js';

export interface Standing {
  readonly validators: readonly Validator[];
  readonly delegations: readonly Delegation[];
  readonly unbondings: readonly Unbonding[];
  readonly proposals: readonly Proposal[];
  readonly grants: readonly Grant[];
  readonly allowances: readonly Grant[];
}

export const NOTHING: Standing = {
  validators: [],
  delegations: [],
  unbondings: [],
  proposals: [],
  grants: [],
  allowances: [],
};

type Ask = <Request extends DescMessage, Response extends DescMessage>(
  path: string,
  request: Request,
  value: MessageInitShape<Request>,
  response: Response,
) => Promise<MessageShape<Response>>;

const asking =
  (ours: Pair['ours']): Ask =>
  async (path, request, value, response) => {
    const data = encode(request, value);
    const answer = await ours.engine.query({ path, data, height: 0n, prove: false } as never);
    return fromBinary(response, answer.value);
  };

export async function readStanding({ actors }: World, ours: Pair['ours']): Promise<Standing> {
  const ask = asking(ours);
  const pagination = { limit: 100n };
  const { validators } = await ask(
    '/cosmos.staking.v1beta1.Query/Validators',
    staking.QueryValidatorsRequestSchema,
    { pagination },
    staking.QueryValidatorsResponseSchema,
  );
  const { proposals } = await ask(
    '/cosmos.gov.v1.Query/Proposals',
    gov.QueryProposalsRequestSchema,
    { pagination: { limit: 20n, reverse: true } },
    gov.QueryProposalsResponseSchema,
  );
  const between = (granter: string, grantee: string, url: string): readonly Grant[] => {
    const [from, to] = [granter, grantee].map((name) => actors.find(({ bech32 }) => bech32 === name));
    return from === undefined || to === undefined ? [] : [{ granter: from, grantee: to, url }];
  };
  const found = { delegations: [], unbondings: [], grants: [], allowances: [] } as {
    readonly delegations: Delegation[];
    readonly unbondings: Unbonding[];
    readonly grants: Grant[];
    readonly allowances: Grant[];
  };
  for (const { bech32 } of actors) {
    const { delegationResponses } = await ask(
      '/cosmos.staking.v1beta1.Query/DelegatorDelegations',
      staking.QueryDelegatorDelegationsRequestSchema,
      { delegatorAddr: bech32, pagination },
      staking.QueryDelegatorDelegationsResponseSchema,
    );
    for (const { delegation, balance } of delegationResponses)
      found.delegations.push({
        delegator: bech32,
        operator: delegation?.validatorAddress ?? '',
        amount: BigInt(balance?.amount ?? '0'),
      });
    const { unbondingResponses } = await ask(
      '/cosmos.staking.v1beta1.Query/DelegatorUnbondingDelegations',
      staking.QueryDelegatorUnbondingDelegationsRequestSchema,
      { delegatorAddr: bech32, pagination },
      staking.QueryDelegatorUnbondingDelegationsResponseSchema,
    );
    for (const { validatorAddress: operator, entries } of unbondingResponses)
      for (const { creationHeight: height, balance } of entries)
        found.unbondings.push({ delegator: bech32, operator, height, amount: BigInt(balance) });
    const { grants } = await ask(
      '/cosmos.authz.v1beta1.Query/GranterGrants',
      authz.QueryGranterGrantsRequestSchema,
      { granter: bech32, pagination },
      authz.QueryGranterGrantsResponseSchema,
    );
    for (const { grantee, authorization } of grants)
      found.grants.push(...between(bech32, grantee, urlOf(authorization)));
    const { allowances } = await ask(
      '/cosmos.feegrant.v1beta1.Query/AllowancesByGranter',
      feegrant.QueryAllowancesByGranterRequestSchema,
      { granter: bech32, pagination },
      feegrant.QueryAllowancesByGranterResponseSchema,
    );
    for (const { grantee } of allowances) found.allowances.push(...between(bech32, grantee, ''));
  }
  return {
    ...found,
    validators: validators.map(({ operatorAddress: operator, jailed }) => ({ operator, jailed })),
    proposals: proposals.flatMap(({ id, status, proposer }): readonly Proposal[] => {
      if (status === ProposalStatus.VOTING_PERIOD) return [{ id, proposer, isVoted: true }];
      return status === ProposalStatus.DEPOSIT_PERIOD ? [{ id, proposer, isVoted: false }] : [];
    }),
  };
}

const STAKE_TYPES = ['', 'MsgDelegate', 'MsgUndelegate', 'MsgBeginRedelegate', 'MsgCancelUnbondingDelegation'];

/** Type of the messages that the authorization allows. */
function urlOf(authorization: Any | undefined): string {
  if (authorization === undefined) return '';
  switch (authorization.typeUrl) {
    case `/${GenericAuthorizationSchema.typeName}`:
      return fromBinary(GenericAuthorizationSchema, authorization.value).msg;
    case `/${StakeAuthorizationSchema.typeName}`: {
      const { authorizationType } = fromBinary(StakeAuthorizationSchema, authorization.value);
      return `/cosmos.staking.v1beta1.${STAKE_TYPES[authorizationType] ?? ''}`;
    }
    case `/${TransferAuthorizationSchema.typeName}`:
      return '/ibc.applications.transfer.v1.MsgTransfer';
    default:
      return '/cosmos.bank.v1beta1.MsgSend';
  }
}
