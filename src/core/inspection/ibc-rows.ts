import { AnySchema } from '@bufbuild/protobuf/wkt';
import { readBe64 } from '../bytes/big-endian.js';
import { equal, text as textOf, utf8 } from '../bytes/bytes.js';
import { ChannelSchema } from '../proto/ibc/core/channel/v1/channel_pb.js';
import { PacketSchema } from '../proto/ibc/core/channel/v2/packet_pb.js';
import { ConfigSchema } from '../proto/ibc/core/client/v2/config_pb.js';
import { CounterpartyInfoSchema } from '../proto/ibc/core/client/v2/counterparty_pb.js';
import { ParamsSchema as ClientParams } from '../proto/ibc/core/client/v1/client_pb.js';
import {
  ClientPathsSchema,
  ConnectionEndSchema,
  ParamsSchema as ConnectionParams,
} from '../proto/ibc/core/connection/v1/connection_pb.js';
import { lastBytes, lastText } from './key-parts.js';
import { row } from './make-row.js';
import type { KeyPart, RowForm } from './row-form.js';
import { bytes, u64 } from './row-values.js';

/** Prefix of client ids. */
const TENDERMINT = '07-tendermint-';

/** Rows of store `ibc` (ibc-go v10 `24-host`); the first form that matches a key counts. */
export const IBC_ROWS: readonly RowForm[] = [
  row('clientParams', 'client params', [], ClientParams),
  row('connectionParams', 'connection params', [], ConnectionParams),
  row('nextClientSequence', 'next client', [], u64),
  row('nextConnectionSequence', 'next connection', [], u64),
  row('nextChannelSequence', 'next channel', [], u64),
  ...clientRows(),
  row('clients/', 'of client', [lastBytes('name')], bytes),
  row('connections/', 'connection', [lastText('id')], ConnectionEndSchema),
  row('channelEnds/', 'channel', [lastText('path')], ChannelSchema),
  row('nextSequenceSend/', 'next packet sent', [lastText('path')], u64),
  row('nextSequenceRecv/', 'next packet received', [lastText('path')], u64),
  row('nextSequenceAck/', 'next packet acknowledged', [lastText('path')], u64),
  row('commitments/', 'packet sent', [lastText('path')], bytes),
  row('receipts/', 'packet received', [lastText('path')], bytes),
  row('acks/', 'packet acknowledged', [lastText('path')], bytes),
  ...clientPacketRows(),
];

/** Rows of packets between clients, whose keys begin with the client id (ibc-go v10 `24-host/v2`). */
function clientPacketRows(): readonly RowForm[] {
  const packet = (marker: Uint8Array): KeyPart => ({
    name: 'client and sequence',
    read(from) {
      const rest = from.rest();
      // The marker precedes the last eight bytes.
      const at = rest.length - 8 - marker.length;
      if (at < 0 || !equal(rest.subarray(at, -8), marker)) return undefined;
      const client = TENDERMINT + textOf(rest.subarray(0, at));
      return { text: `${client} ${readBe64(rest, rest.length - 8)}` };
    },
  });
  return [
    row(TENDERMINT, 'packet sent by client', [packet(Uint8Array.of(1))], bytes),
    row(TENDERMINT, 'packet received by client', [packet(Uint8Array.of(2))], bytes),
    row(TENDERMINT, 'packet acknowledged by client', [packet(Uint8Array.of(3))], bytes),
    row(TENDERMINT, 'packet to be answered later', [packet(utf8('async_packet'))], PacketSchema),
  ];
}

/** Rows of a light client; its id is in the middle of their keys (ICS-24). */
function clientRows(): readonly RowForm[] {
  const of = (ending: string): KeyPart => ({
    name: 'client',
    read(from) {
      const path = lastText('path').read(from, { bech32Prefix: '', nameOf: () => undefined })?.text;
      return path?.endsWith(ending) === true ? { text: path.slice(0, -ending.length) } : undefined;
    },
  });
  const consensusState: KeyPart = {
    name: 'client and height',
    read(from) {
      const path = lastText('path').read(from, { bech32Prefix: '', nameOf: () => undefined })?.text;
      const parts = /^([^/]+)\/consensusStates\/([0-9]+-[0-9]+)$/.exec(path ?? '');
      return parts === null ? undefined : { text: `${parts[1] ?? ''} ${parts[2] ?? ''}` };
    },
  };
  return [
    row('clients/', 'client state', [of('/clientState')], AnySchema),
    row('clients/', 'connections of client', [of('/connections')], ClientPathsSchema),
    row('clients/', 'counterparty of client', [of('/counterparty')], CounterpartyInfoSchema),
    row('clients/', 'relayers of client', [of('/config')], ConfigSchema),
    row('clients/', 'consensus state', [consensusState], AnySchema),
  ];
}
