/** What transactions left behind that later ones refer to. */
import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { GenericAuthorizationSchema } from '../../../src/core/proto/cosmos/authz/v1beta1/authz_pb.js';
import { MsgGrantSchema } from '../../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { MsgGrantAllowanceSchema } from '../../../src/core/proto/cosmos/feegrant/v1beta1/tx_pb.js';
import { StakeAuthorizationSchema } from '../../../src/core/proto/cosmos/staking/v1beta1/authz_pb.js';
import { MsgUndelegateSchema } from '../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { TransferAuthorizationSchema } from '../../../src/core/proto/ibc/applications/transfer/v1/authz_pb.js';
import { TxBodySchema, TxRawSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import type { ResponseFinalizeBlock } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import type { Grant, World } from './world.js';

function decoded<Desc extends DescMessage>(any: Any, schema: Desc): MessageShape<Desc> | undefined {
  if (any.typeUrl !== `/${schema.typeName}`) return undefined;
  try {
    return fromBinary(schema, any.value);
  } catch {
    return undefined;
  }
}

const STAKE_TYPES = ['', 'MsgDelegate', 'MsgUndelegate', 'MsgBeginRedelegate', 'MsgCancelUnbondingDelegation'];

function urlOf(authorization: Any | undefined): string {
  if (authorization === undefined) return '';
  const generic = decoded(authorization, GenericAuthorizationSchema);
  if (generic !== undefined) return generic.msg;
  const stake = decoded(authorization, StakeAuthorizationSchema);
  if (stake !== undefined) return `/cosmos.staking.v1beta1.${STAKE_TYPES[stake.authorizationType] ?? ''}`;
  return authorization.typeUrl === `/${TransferAuthorizationSchema.typeName}`
    ? '/ibc.applications.transfer.v1.MsgTransfer'
    : '/cosmos.bank.v1beta1.MsgSend';
}

/** Grants, unbondings and ids of the block's successful transactions. */
export function noteMessages(world: World, txs: readonly Uint8Array[], { txResults }: ResponseFinalizeBlock): void {
  const between = (granter: string, grantee: string, url: string): readonly Grant[] => {
    const [from, to] = [granter, grantee].map((name) => world.actors.find(({ bech32 }) => bech32 === name));
    return from === undefined || to === undefined ? [] : [{ granter: from, grantee: to, url }];
  };
  for (const [index, result] of txResults.entries()) {
    for (const { type, attributes } of result.events)
      for (const { key, value } of attributes) {
        if (type === 'submit_proposal' && key === 'proposal_id')
          world.proposals = Math.max(world.proposals, Number(value));
        if (/^(client|connection|channel)_id$/.test(key) && value !== '') world.ibcIds.push(value);
      }
    if (result.code !== 0) continue;
    for (const any of messagesOf(txs[index])) {
      const grant = decoded(any, MsgGrantSchema);
      if (grant !== undefined)
        world.grants.push(...between(grant.granter, grant.grantee, urlOf(grant.grant?.authorization)));
      const allowance = decoded(any, MsgGrantAllowanceSchema);
      if (allowance !== undefined) world.allowances.push(...between(allowance.granter, allowance.grantee, ''));
      const unbonding = decoded(any, MsgUndelegateSchema);
      if (unbonding !== undefined)
        world.unbondings.push({
          delegator: unbonding.delegatorAddress,
          operator: unbonding.validatorAddress,
          height: world.height,
        });
    }
  }
}

function messagesOf(tx: Uint8Array | undefined): readonly Any[] {
  try {
    return fromBinary(TxBodySchema, fromBinary(TxRawSchema, tx ?? new Uint8Array()).bodyBytes).messages;
  } catch {
    return [];
  }
}
