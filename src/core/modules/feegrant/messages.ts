/** Messages of feegrant (cosmossdk.io/x/feegrant v0.2.0 `keeper/msg_server.go`). */
import * as pb from '../../proto/cosmos/feegrant/v1beta1/tx_pb.js';
import { abciEvent } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import { message } from '../../sdk/module/module.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { CHAIN_LIMITS } from '../../limits/limits.js';
import { requireQueriedAddress } from '../queried-address.js';
import { deleteExpired, grantAllowance, requireNone, revokeAllowance } from './grants.js';
import type { Pair } from './keys.js';
import { feegrantRules } from './rules.js';
import { unpackAllowance } from './unpack.js';

interface Names {
  readonly granter: string;
  readonly grantee: string;
}

function pairOf({ chain }: Context, { granter, grantee }: Names): Pair {
  return {
    grantee: requireQueriedAddress(chain.bech32Prefix, grantee),
    granter: requireQueriedAddress(chain.bech32Prefix, granter),
  };
}

const grant = message(pb.Msg, 'grantAllowance', {
  signers: ({ granter, allowance }) => {
    // The SDK unpacks the allowance when it decodes the transaction.
    if (allowance !== undefined) unpackAllowance(allowance);
    return [granter];
  },
  handle(context, request) {
    if (request.granter.toLowerCase() === request.grantee.toLowerCase())
      throw new SdkError(sdkErrors.invalidAddress, 'cannot self-grant fee authorization');
    const pair = pairOf(context, request);
    requireNone(context, pair);
    if (request.allowance === undefined) throw feegrantRules.of(context).absentAllowance();
    const allowance = unpackAllowance(request.allowance);
    allowance.validate(context);
    grantAllowance(context, pair, allowance);
  },
});

const revoke = message(pb.Msg, 'revokeAllowance', (context, request) => {
  if (request.granter === request.grantee) throw new SdkError(sdkErrors.invalidAddress, 'addresses must be different');
  revokeAllowance(context, pairOf(context, request));
});

const prune = message(pb.Msg, 'pruneAllowances', (context, { pruner }) => {
  deleteExpired(context, CHAIN_LIMITS.feegrantsPrunedByMessage);
  context.events.push(abciEvent('prune_feegrant', [['pruner', pruner]]));
});

export const messages = [grant, revoke, prune];
