/** Store name and keys without identifiers (ibc-go v10 `modules/core/24-host`). */
import { fromBinary, toBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { utf8 } from '../../bytes/bytes.js';
import type { ConnectionEnd } from '../../proto/ibc/core/connection/v1/connection_pb.js';
import type { Context } from '../../sdk/module/context.js';

export const STORE = 'ibc';
export const CLIENT_PARAMS = utf8('clientParams');
export const CONNECTION_PARAMS = utf8('connectionParams');
export const CONNECTIONS = utf8('connections/');
export const CHANNELS = utf8('channelEnds/');
export const CLIENTS = utf8('clients/');

/** Prefix for pagination: page keys begin with the slash (ibc-go v10 `modules/core/24-host`). */
export const pagesOf = (prefix: Uint8Array): Uint8Array => prefix.subarray(0, -1);
export const NEXT_CLIENT = utf8('nextClientSequence');
export const NEXT_CONNECTION = utf8('nextConnectionSequence');
export const NEXT_CHANNEL = utf8('nextChannelSequence');

export const LOCALHOST_CLIENT = '09-localhost';
export const LOCALHOST_CONNECTION = 'connection-localhost';

/** Reads a message under a key; its zero value when absent. */
export function readMessage<Desc extends DescMessage>(
  { store }: Context,
  key: Uint8Array,
  schema: Desc,
): MessageShape<Desc> {
  return fromBinary(schema, store.get(STORE, key) ?? new Uint8Array());
}

/** Stores a message under a key. */
export function writeMessage<Desc extends DescMessage>(
  { store }: Context,
  key: Uint8Array,
  schema: Desc,
  message: MessageShape<Desc>,
): void {
  store.set(STORE, key, toBinary(schema, message));
}

/** A connection with its id, as in lists of connections. */
export function identified(id: string, end: ConnectionEnd) {
  const { clientId, versions, state, counterparty, delayPeriod } = end;
  return { id, clientId, versions, state, delayPeriod, ...(counterparty && { counterparty }) };
}
