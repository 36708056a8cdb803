/** Messages of authz (cosmos-sdk v0.53 `x/authz/keeper/msg_server.go`). */
import type { Any } from '@bufbuild/protobuf/wkt';
import * as pb from '../../proto/cosmos/authz/v1beta1/tx_pb.js';
import { requireAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { message } from '../../sdk/module/module.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { invalidRequest, plainError, SdkError, sdkErrors, wrapped } from '../../sdk/module/sdk-error.js';
import { createAccount, getAccount } from '../auth/accounts.js';
import { requireReceiver } from '../bank/send-rules.js';
import { errors } from './errors.js';
import { dispatch } from './exec.js';
import { deleteGrant, saveGrant } from './grants.js';
import type { Pair } from './keys.js';
import { grantedType, unpackAuthorization } from './unpack.js';

interface Names {
  readonly granter: string;
  readonly grantee: string;
}

function pairOf({ chain }: Context, { granter, grantee }: Names): Pair {
  if (granter.toLowerCase() === grantee.toLowerCase()) throw new SdkError(errors.granteeIsGranter);
  return {
    grantee: requireAddress(chain.bech32Prefix, grantee, 'invalid grantee address'),
    granter: requireAddress(chain.bech32Prefix, granter, 'invalid granter address'),
  };
}

const grant = message(pb.Msg, 'grant', {
  signers: ({ granter, grant: requested }) => {
    // The SDK unpacks the authorization when it decodes the transaction.
    if (requested?.authorization !== undefined) unpackAuthorization(requested.authorization);
    return [granter];
  },
  handle(context, request) {
    const pair = pairOf(context, request);
    const authorization = unpackAuthorization(request.grant?.authorization);
    authorization.validate(context);
    if (getAccount(context, pair.grantee) === undefined) {
      requireReceiver(context, pair.grantee, request.grantee);
      createAccount(context, pair.grantee);
    }
    const msgTypeUrl = grantedType(context, authorization);
    if (!context.router.knows(msgTypeUrl)) throw new SdkError(sdkErrors.invalidType, `${msgTypeUrl} doesn't exist.`);
    saveGrant(context, pair, { authorization, expiration: request.grant?.expiration });
  },
});

const revoke = message(pb.Msg, 'revoke', (context, request) => {
  const pair = pairOf(context, request);
  if (request.msgTypeUrl === '') throw invalidRequest('missing msg method name');
  deleteGrant(context, pair, request.msgTypeUrl);
});

const exec = message(pb.Msg, 'exec', (context, { grantee, msgs }) => {
  if (grantee === '') throw plainError('empty address string is not allowed');
  const executor = requireAddress(context.chain.bech32Prefix, grantee, 'invalid grantee address');
  if (msgs.length === 0) throw invalidRequest('messages cannot be empty');
  msgs.forEach((any, index) => requireValid(context, any, index));
  return { results: dispatch(context, executor, msgs) };
});

/** Stateless validation of a message, before any message is executed. */
function requireValid(context: Context, { typeUrl, value }: Any, index: number): void {
  const handler = context.router.find(typeUrl);
  try {
    handler.validate?.(value, context);
  } catch (error) {
    if (!isReturned(error)) throw error;
    throw wrapped(error, `msg ${index}`);
  }
}

export const messages = [grant, exec, revoke];
