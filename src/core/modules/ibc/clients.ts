/** Light clients of other chains in the state (ibc-go v10 `modules/core/02-client/keeper`). */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { type Any, AnySchema, anyUnpack } from '@bufbuild/protobuf/wkt';
import { be64, readBe64 } from '../../bytes/big-endian.js';
import { concat, utf8 } from '../../bytes/bytes.js';
import { ParamsSchema } from '../../proto/ibc/core/client/v1/client_pb.js';
import {
  type ClientState,
  ClientStateSchema,
  type ConsensusState,
  ConsensusStateSchema,
} from '../../proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { packAny } from '../../sdk/codec/any.js';
import type { Context } from '../../sdk/module/context.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { clientErrors } from './errors.js';
import { clientTypeOf } from './identifiers.js';
import { clientKey, clientStateKey, consensusStateKey, heightText } from './keys.js';
import { type RevisionHeight, selfHeight } from './self-height.js';
import { CLIENT_PARAMS, LOCALHOST_CLIENT, NEXT_CLIENT, readMessage, STORE } from './store.js';
import { statusOf, TENDERMINT } from './tendermint.js';

/** `Unknown` for no such client, `Unauthorized` for a type of clients that the chain lacks or does not allow. */
export type ClientStatus = 'Active' | 'Frozen' | 'Expired' | 'Unknown' | 'Unauthorized';

function isAllowed(context: Context, type: string): boolean {
  const { allowedClients } = readMessage(context, CLIENT_PARAMS, ParamsSchema);
  return (allowedClients.length === 1 && allowedClients[0] === '*') || allowedClients.includes(type);
}

/** The state of a client as the store has it; undefined where there is no such client. */
export function clientStateAny({ store }: Context, id: string): Any | undefined {
  const value = store.get(STORE, clientStateKey(id));
  return value === undefined ? undefined : fromBinary(AnySchema, value);
}

/** The consensus state of a client at a height, as the store has it. */
export function consensusStateAny({ store }: Context, id: string, height: RevisionHeight): Any | undefined {
  const value = store.get(STORE, consensusStateKey(id, height));
  return value === undefined ? undefined : fromBinary(AnySchema, value);
}

/** The state of a client; undefined where there is no such client. */
export function getClientState(context: Context, id: string): ClientState | undefined {
  const any = clientStateAny(context, id);
  return any && anyUnpack(any, ClientStateSchema);
}

function getConsensusState(context: Context, id: string, height: RevisionHeight): ConsensusState | undefined {
  const any = consensusStateAny(context, id, height);
  return any && anyUnpack(any, ConsensusStateSchema);
}

/** The height that a client knows last. */
export function latestHeightOf({ latestHeight }: ClientState): RevisionHeight {
  return { revisionNumber: latestHeight?.revisionNumber ?? 0n, revisionHeight: latestHeight?.revisionHeight ?? 0n };
}

/** Computes the status of a client; types that the parameters do not allow are `Unauthorized`. */
export function clientStatus(context: Context, id: string): ClientStatus {
  const type = clientTypeOf(id);
  if (type === undefined || !isAllowed(context, type)) return 'Unauthorized';
  if (type === LOCALHOST_CLIENT) return 'Active';
  return type === TENDERMINT ? tendermintStatus(context, id) : 'Unauthorized';
}

function tendermintStatus(context: Context, id: string): ClientStatus {
  const state = getClientState(context, id);
  return state === undefined
    ? 'Unknown'
    : statusOf(state, () => getConsensusState(context, id, latestHeightOf(state)), context.time);
}

/** Fails with client error 29 unless a client is active; `text` makes the text of the status. */
export function requireActive(context: Context, id: string, text: (status: ClientStatus) => string): void {
  const status = clientStatus(context, id);
  if (status !== 'Active') throw new SdkError(clientErrors.notActive, text(status));
}

/** Makes a client from its first states; answers its identifier. */
export function createClient(context: Context, state: ClientState, consensus: ConsensusState): string {
  const { store } = context;
  const sequence = readBe64(store.get(STORE, NEXT_CLIENT) ?? be64(0n));
  const id = `${TENDERMINT}-${sequence}`;
  store.set(STORE, NEXT_CLIENT, be64(sequence + 1n));
  if (!isAllowed(context, TENDERMINT))
    throw new SdkError(clientErrors.invalidType, `client (${id}) type ${TENDERMINT} is not in the allowed client list`);
  const height = latestHeightOf(state);
  const known = consensusStateKey(id, height);
  store.set(STORE, clientStateKey(id), toBinary(AnySchema, packAny(ClientStateSchema, state)));
  store.set(STORE, known, toBinary(AnySchema, packAny(ConsensusStateSchema, consensus)));
  store.set(STORE, concat(known, utf8('/processedTime')), be64(context.time));
  store.set(STORE, concat(known, utf8('/processedHeight')), utf8(heightText(selfHeight(context))));
  store.set(STORE, iterationKey(id, height), utf8(`consensusStates/${heightText(height)}`));
  const status = tendermintStatus(context, id);
  if (status !== 'Active')
    throw new SdkError(clientErrors.notActive, `cannot create client (${id}) with status ${status}`);
  // its last height is read again
  getClientState(context, id);
  emit(context, 'create_client', () => [
    ['client_id', id],
    ['client_type', TENDERMINT],
    ['consensus_height', heightText(height)],
  ]);
  emit(context, 'message', () => [['module', 'ibc_client']]);
  return id;
}

/** Key of a height of a client in the order of heights. */
function iterationKey(id: string, { revisionNumber, revisionHeight }: RevisionHeight): Uint8Array {
  return concat(clientKey(id, 'iterateConsensusStates'), be64(revisionNumber), be64(revisionHeight));
}
