/** Executes messages on behalf of accounts that granted it (cosmos-sdk v0.53 `x/authz/keeper/keeper.go`). */
import { create } from '@bufbuild/protobuf';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { equal } from '../../bytes/bytes.js';
import { fromTimestamp } from '../../comet/time.js';
import type { Event } from '../../proto/tendermint/abci/types_pb.js';
import { attribute, withAttribute } from '../../sdk/module/abci-event.js';
import { compactText } from '../../sdk/go/compact-text.js';
import type { Context } from '../../sdk/module/context.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { SdkError, wrapped } from '../../sdk/module/sdk-error.js';
import { decodeMessage } from '../../sdk/codec/any.js';
import { reencodeAny } from '../../sdk/codec/reencode-any.js';
import { requireQueriedAddress } from '../queried-address.js';
import { errors } from './errors.js';
import { deleteGrant, getGrant, namesOf, updateGrant } from './grants.js';
import type { Pair } from './keys.js';
import { unpackAuthorization } from './unpack.js';

/** Executes messages in order and returns their encoded responses; throws SdkError at the first failure. */
export function dispatch(context: Context, grantee: Uint8Array, messages: readonly Any[]): Uint8Array[] {
  return messages.map((message, index) => {
    const handler = context.router.find(message.typeUrl);
    const signers = handler.signers(message.value, context.chain.bech32Prefix);
    const [signer] = signers;
    if (signer === undefined || signers.length !== 1) throw new SdkError(errors.numberOfSigners);
    const granter = requireQueriedAddress(context.chain.bech32Prefix, signer);
    if (!equal(granter, grantee)) useGrant(context, { granter, grantee }, { ...message, typeUrl: handler.typeUrl });
    const events: Event[] = [];
    let response: Uint8Array;
    try {
      response = handler.handle({ ...context, events }, message.value);
    } catch (error) {
      if (!isReturned(error)) throw error;
      throw wrapped(error, `failed to execute message; message ${shown(context, handler.typeUrl, message.value)}`);
    }
    const place = attribute('authz_msg_index', index.toString());
    for (const event of events) context.events.push(withAttribute(event, place));
    return response;
  });
}

function useGrant(context: Context, pair: Pair, message: Any): void {
  const { typeUrl } = message;
  const grant = getGrant(context, pair, typeUrl);
  if (grant === undefined) {
    const { granter, grantee } = namesOf(context, pair);
    throw new SdkError(
      errors.noAuthorization,
      `failed to get grant with given granter: ${granter}, grantee: ${grantee} & msgType: ${typeUrl} `,
    );
  }
  if (grant.expiration !== undefined && fromTimestamp(grant.expiration) < context.time)
    throw new SdkError(errors.expired);
  const accepted = unpackAuthorization(grant.authorization).accept(context, message);
  if (accepted.kind === 'used up') deleteGrant(context, pair, typeUrl);
  else if (accepted.kind === 'changed') updateGrant(context, pair, typeUrl, accepted.to);
}

/** Text of a message as Go prints it, with re-encoded content. */
function shown({ router }: Context, typeUrl: string, value: Uint8Array): string {
  const schema = router.types.getMessage(typeUrl.slice(1));
  if (schema === undefined) return typeUrl;
  return compactText(
    schema,
    decodeMessage(schema, reencodeAny(router.types, create(AnySchema, { typeUrl, value })).value),
  );
}
