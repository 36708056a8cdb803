/** Storage of connections, and the first handshake step (ibc-go v10 `modules/core/03-connection/keeper`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { be64, readBe64 } from '../../../bytes/big-endian.js';
import * as pb from '../../../proto/ibc/core/connection/v1/connection_pb.js';
import type { MsgConnectionOpenInit } from '../../../proto/ibc/core/connection/v1/tx_pb.js';
import { emit } from '../../../sdk/module/abci-event.js';
import type { Context } from '../../../sdk/module/context.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { requireActive } from '../client/clients.js';
import { getClientState } from '../client/tendermint-store.js';
import { clientErrors, connectionErrors } from '../errors.js';
import { clientConnectionsKey, connectionKey } from '../keys.js';
import { NEXT_CONNECTION, STORE } from '../store.js';

/** The only connection version, with the channel orders that it allows. */
export const VERSION = { identifier: '1', features: ['ORDER_ORDERED', 'ORDER_UNORDERED'] };

/** Reads a connection by its id; undefined where there is none. */
export function getConnection({ store }: Context, id: string): pb.ConnectionEnd | undefined {
  const value = store.get(STORE, connectionKey(id));
  return value === undefined ? undefined : fromBinary(pb.ConnectionEndSchema, value);
}

/** Ids of the connections of a client. */
export function clientConnections({ store }: Context, clientId: string): readonly string[] | undefined {
  const value = store.get(STORE, clientConnectionsKey(clientId));
  return value === undefined ? undefined : fromBinary(pb.ClientPathsSchema, value).paths;
}

type Offer = Pick<pb.Version, 'identifier' | 'features'>;

/** True for a version whose identifier is supported and whose features are a subset of the supported one's. */
export function isSupportedBy(supported: readonly Offer[], { identifier, features }: Offer): boolean {
  const found = supported.find((each) => each.identifier === identifier);
  return found !== undefined && features.length > 0 && features.every((feature) => found.features.includes(feature));
}

/** Formats a version like Go. */
export function versionText({ identifier, features }: Offer): string {
  return [`identifier:"${identifier}" `, ...features.map((feature) => `features:"${feature}" `)].join('');
}

/** Takes the next connection id. */
export function nextConnectionId({ store }: Context): string {
  const sequence = readBe64(store.get(STORE, NEXT_CONNECTION) ?? be64(0n));
  store.set(STORE, NEXT_CONNECTION, be64(sequence + 1n));
  return `connection-${sequence}`;
}

/** Adds a connection to its client's list; throws for an unknown client. */
export function addToClient(context: Context, clientId: string, id: string): void {
  if (getClientState(context, clientId) === undefined) throw new SdkError(clientErrors.notFound, clientId);
  const paths = [...(clientConnections(context, clientId) ?? []), id];
  context.store.set(
    STORE,
    clientConnectionsKey(clientId),
    toBinary(pb.ClientPathsSchema, create(pb.ClientPathsSchema, { paths })),
  );
}

/** ConnOpenInit: starts the handshake of a connection. */
export function openConnection(context: Context, message: MsgConnectionOpenInit): void {
  const { clientId, counterparty, version, delayPeriod } = message;
  const failed = 'connection handshake open init failed';
  if (version !== undefined && !isSupportedBy([VERSION], version))
    throw new SdkError(connectionErrors.invalidVersion, `${failed}: version is not supported`);
  requireActive(context, clientId, (status) => `${failed}: client (${clientId}) status is ${status}`);
  const id = nextConnectionId(context);
  wrapping(failed, () => addToClient(context, clientId, id));
  const end = create(pb.ConnectionEndSchema, {
    clientId,
    versions: [version ?? VERSION],
    state: pb.State.INIT,
    delayPeriod,
    ...(counterparty && { counterparty }),
  });
  context.store.set(STORE, connectionKey(id), toBinary(pb.ConnectionEndSchema, end));
  emit(context, 'connection_open_init', () => [
    ['connection_id', id],
    ['client_id', clientId],
    ['counterparty_client_id', counterparty?.clientId ?? ''],
  ]);
  emit(context, 'message', () => [['module', 'ibc_connection']]);
}
