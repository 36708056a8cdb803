/** Light clients: states, status and proof verification (ibc-go v10 `modules/core/02-client/keeper`). */
import { fromBinary } from '@bufbuild/protobuf';
import { type Any, AnySchema } from '@bufbuild/protobuf/wkt';
import { fromTimestamp } from '../../../comet/time.js';
import { ParamsSchema } from '../../../proto/ibc/core/client/v1/client_pb.js';
import type { ClientState } from '../../../proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import type { Context } from '../../../sdk/module/context.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { clientErrors, invalidIdentifier } from '../errors.js';
import { clientTypeOf } from '../identifiers.js';
import { clientStateKey, consensusStateKey, heightText } from '../keys.js';
import { verifyOwnClaim } from './localhost.js';
import { heightOf, type RevisionHeight, selfHeight } from '../self-height.js';
import { CLIENT_PARAMS, LOCALHOST_CLIENT, readMessage, STORE } from '../store.js';
import { statusOf, TENDERMINT } from './tendermint.js';
import { type Claim, verifyClaim } from './tendermint-proofs.js';
import { getClientState, getConsensusState } from './tendermint-store.js';

/** `Unknown`: no such client. `Unauthorized`: a client type that the chain does not have or allow. */
export type ClientStatus = 'Active' | 'Frozen' | 'Expired' | 'Unknown' | 'Unauthorized';

function isAllowed(context: Context, type: string): boolean {
  const { allowedClients } = readMessage(context, CLIENT_PARAMS, ParamsSchema);
  return (allowedClients.length === 1 && allowedClients[0] === '*') || allowedClients.includes(type);
}

/** Stored client state; undefined for an unknown client. */
export function clientStateAny({ store }: Context, id: string): Any | undefined {
  const value = store.get(STORE, clientStateKey(id));
  return value === undefined ? undefined : fromBinary(AnySchema, value);
}

/** Stored consensus state of a client at a height. */
export function consensusStateAny({ store }: Context, id: string, height: RevisionHeight): Any | undefined {
  const value = store.get(STORE, consensusStateKey(id, height));
  return value === undefined ? undefined : fromBinary(AnySchema, value);
}

/** Latest height of a client. */
export function latestHeightOf({ latestHeight }: ClientState): RevisionHeight {
  return { revisionNumber: latestHeight?.revisionNumber ?? 0n, revisionHeight: latestHeight?.revisionHeight ?? 0n };
}

/** Status of a client; `Unauthorized` for types that the parameters do not allow. */
export function clientStatus(context: Context, id: string): ClientStatus {
  const type = clientTypeOf(id);
  if (type === undefined || !isAllowed(context, type)) return 'Unauthorized';
  if (type === LOCALHOST_CLIENT) return 'Active';
  return type === TENDERMINT ? tendermintStatus(context, id) : 'Unauthorized';
}

/** Status of a CometBFT client. */
export function tendermintStatus(context: Context, id: string): ClientStatus {
  const state = getClientState(context, id);
  return state === undefined
    ? 'Unknown'
    : statusOf(state, () => getConsensusState(context, id, latestHeightOf(state)), context.time);
}

/** Throws client error 29 unless a client is active; `text` formats the status. */
export function requireActive(context: Context, id: string, text: (status: ClientStatus) => string): void {
  const status = clientStatus(context, id);
  if (status !== 'Active') throw new SdkError(clientErrors.notActive, text(status));
}

/** Type of a client; throws for types that the chain does not allow or have. */
export function routeOf(context: Context, id: string): typeof TENDERMINT | typeof LOCALHOST_CLIENT {
  const type = clientTypeOf(id);
  if (type === undefined)
    throw new SdkError(
      invalidIdentifier,
      `unable to parse client identifier ${id}: invalid client identifier ${id} is not in format: \`{client-type}-{N}\``,
    );
  if (!isAllowed(context, type))
    throw new SdkError(clientErrors.invalidType, `client (${id}) type ${type} is not in the allowed client list`);
  if (type !== TENDERMINT && type !== LOCALHOST_CLIENT) throw new SdkError(clientErrors.noRoute, id);
  return type;
}

/** State of a CometBFT client; throws when there is none. */
export function requireClientState(context: Context, id: string): ClientState {
  const state = getClientState(context, id);
  if (state === undefined) throw new SdkError(clientErrors.notFound, id);
  return state;
}

/** Status of a client of a supported type. */
export function statusIn(context: Context, type: string, id: string): ClientStatus {
  return type === LOCALHOST_CLIENT ? 'Active' : tendermintStatus(context, id);
}

/** Throws client error 29 unless a client of a supported type is active. */
export function requireStatus(
  context: Context,
  type: string,
  id: string,
  text: (status: ClientStatus) => string,
): void {
  const status = statusIn(context, type, id);
  if (status !== 'Active') throw new SdkError(clientErrors.notActive, text(status));
}

/** Verifies a claim about another chain by its client; throws SdkError when the proof is invalid. */
export function verifyClaimOf(context: Context, id: string, claim: Claim): void {
  const type = routeOf(context, id);
  const what = claim.value === undefined ? 'non membership' : 'membership';
  requireStatus(context, type, id, (status) => `cannot call verify ${what} on client (${id}) with status ${status}`);
  if (type === LOCALHOST_CLIENT) verifyOwnClaim(context, claim);
  else verifyClaim(context, id, requireClientState(context, id), claim);
}

/** Latest height of a client; 0-0 for an unsupported or unknown one. */
export function latestHeight(context: Context, id: string): RevisionHeight {
  const type = clientTypeOf(id);
  if (type === undefined || !isAllowed(context, type)) return heightOf(undefined);
  if (type === LOCALHOST_CLIENT) return selfHeight(context);
  const state = type === TENDERMINT ? getClientState(context, id) : undefined;
  return heightOf(state?.latestHeight);
}

/** Time of a height in nanoseconds; throws for a height that the client does not know. */
export function timestampAt(context: Context, id: string, height: RevisionHeight): bigint {
  if (routeOf(context, id) === LOCALHOST_CLIENT) return context.time;
  requireClientState(context, id);
  const known = getConsensusState(context, id, height);
  if (known === undefined) throw new SdkError(clientErrors.noConsensusState, `height (${heightText(height)})`);
  return BigInt.asUintN(64, fromTimestamp(known.timestamp));
}
