/** Packets in a genesis, and its consistency check (ibc-go v10 `modules/core/04-channel/genesis.go`). */
import { text } from '../../bytes/bytes.js';
import { prefixRange } from '../../bytes/key-order.js';
import type { GenesisState } from '../../proto/ibc/core/types/v1/genesis_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError } from '../../sdk/module/genesis-section.js';
import { clientTypeOf } from './identifiers.js';
import { packetKey, packetsPrefix, type PortChannel } from './keys.js';
import { LOCALHOST_CLIENT, LOCALHOST_CONNECTION, STORE } from './store.js';
import { requireConsistentGenesisV2 } from './v2/genesis.js';

const PATH = 'app_state.ibc';
const LISTS = { acknowledgements: 'acks', commitments: 'commitments', receipts: 'receipts' } as const;
const SEQUENCES = ['sendSequences', 'recvSequences', 'ackSequences'] as const;
const FIELDS = { sendSequences: 'send_sequences', recvSequences: 'recv_sequences', ackSequences: 'ack_sequences' };

const nameOf = ({ portId, channelId }: PortChannel): string => `${portId}/${channelId}`;

/**
 * Rejects connections without client, channels without connection or sequences, packets without channel, and ids that
 * would be assigned again.
 */
export function requireConsistentGenesis({
  clientGenesis,
  connectionGenesis,
  channelGenesis,
  ...rest
}: GenesisState): void {
  const refuse = (where: string, reason: string): GenesisError => new GenesisError(`${PATH}.${where}`, reason);
  const clients = new Set((clientGenesis?.clients ?? []).map(({ clientId }) => clientId).concat(LOCALHOST_CLIENT));
  for (const clientId of clients)
    if (clientTypeOf(clientId) === undefined)
      throw refuse('client_genesis.clients', `invalid client identifier ${clientId}`);
  requireConsistentGenesisV2(rest, clients);
  const connections = new Set([LOCALHOST_CONNECTION]);
  for (const { id, clientId } of connectionGenesis?.connections ?? []) {
    if (!clients.has(clientId))
      throw refuse('connection_genesis.connections', `connection ${id} is of client ${clientId}, which is not there`);
    connections.add(id);
    requireNext('connection_genesis.next_connection_sequence', id, connectionGenesis?.nextConnectionSequence);
  }
  const channels = new Set<string>();
  for (const { connectionHops, ...names } of channelGenesis?.channels ?? []) {
    const [hop = ''] = connectionHops;
    if (!connections.has(hop))
      throw refuse('channel_genesis.channels', `channel ${nameOf(names)} is of connection ${hop}, which is not there`);
    channels.add(nameOf(names));
    requireNext('channel_genesis.next_channel_sequence', names.channelId, channelGenesis?.nextChannelSequence);
  }
  for (const list of SEQUENCES) {
    const named = new Set((channelGenesis?.[list] ?? []).map(nameOf));
    for (const name of channels)
      if (!named.has(name)) throw refuse(`channel_genesis.${FIELDS[list]}`, `channel ${name} has no sequence`);
  }
  for (const list of ['acknowledgements', 'commitments', 'receipts'] as const)
    for (const { sequence, data, ...names } of channelGenesis?.[list] ?? []) {
      if (!channels.has(nameOf(names)))
        throw refuse(
          `channel_genesis.${list}`,
          `packet ${sequence} is of channel ${nameOf(names)}, which is not there`,
        );
      if (sequence === 0n || data.length === 0)
        throw refuse(`channel_genesis.${list}`, `packet ${sequence} of channel ${nameOf(names)} is empty`);
    }
}

function requireNext(where: string, id: string, next = 0n): void {
  const number = /-([0-9]{1,20})$/.exec(id)?.[1];
  if (number !== undefined && id !== LOCALHOST_CONNECTION && BigInt(number) >= next)
    throw new GenesisError(`${PATH}.${where}`, `next sequence ${next} must be greater than that of ${id}`);
}

/** Stores the packets of a genesis. */
export function initPackets({ store }: Context, section: GenesisState['channelGenesis']): void {
  for (const list of ['acknowledgements', 'commitments', 'receipts'] as const)
    for (const { sequence, data, ...names } of section?.[list] ?? [])
      store.set(STORE, packetKey(LISTS[list], names, sequence), data);
}

/** Packets of all channels, in key order. */
export function exportPackets({ store }: Context, channels: readonly PortChannel[]) {
  const packets = (kind: (typeof LISTS)[keyof typeof LISTS]) =>
    channels.flatMap(({ portId, channelId }) => {
      const prefix = packetsPrefix(kind, { portId, channelId });
      return Array.from(store.range(STORE, prefixRange(prefix)), ({ key, value }) => ({
        portId,
        channelId,
        sequence: BigInt(text(key.subarray(prefix.length))),
        data: value,
      }));
    });
  return {
    acknowledgements: packets('acks'),
    commitments: packets('commitments'),
    receipts: packets('receipts'),
  };
}
