/** Keys of the ibc store that genesis writes (ibc-go v10 `modules/core/24-host`). */
import { fromBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { utf8 } from '../../bytes/bytes.js';
import type { ConnectionEnd } from '../../proto/ibc/core/connection/v1/connection_pb.js';
import type { Context } from '../../sdk/context.js';

export const STORE = 'ibc';
export const CLIENT_PARAMS = utf8('clientParams');
export const CONNECTION_PARAMS = utf8('connectionParams');
export const CONNECTIONS = utf8('connections/');

export const LOCALHOST_CLIENT = '09-localhost';
export const LOCALHOST_CONNECTION = 'connection-localhost';

export function connectionKey(id: string): Uint8Array {
  return utf8(`connections/${id}`);
}

/** The message below a key; its zero value where there is nothing. */
export function readMessage<Desc extends DescMessage>(
  { store }: Context,
  key: Uint8Array,
  schema: Desc,
): MessageShape<Desc> {
  return fromBinary(schema, store.get(STORE, key) ?? new Uint8Array());
}

/** A connection with its identifier, as lists of connections hold it. */
export function identified(id: string, end: ConnectionEnd) {
  const { clientId, versions, state, counterparty, delayPeriod } = end;
  return { id, clientId, versions, state, delayPeriod, ...(counterparty && { counterparty }) };
}
