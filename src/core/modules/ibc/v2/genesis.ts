/**
 * Counterparties and packets of IBC v2 in genesis (ibc-go v10 `02-client/v2/genesis.go`, `04-channel/v2/genesis.go`).
 * Allowed relayers are client metadata. ibc-go rejects a genesis in which a counterparty has its client's own id,
 * although its messages can create that; this chain accepts it.
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { be64, readBe64 } from '../../../bytes/big-endian.js';
import { prefixRange } from '../../../bytes/key-order.js';
import { CounterpartyInfoSchema } from '../../../proto/ibc/core/client/v2/counterparty_pb.js';
import { PacketSchema } from '../../../proto/ibc/core/channel/v2/packet_pb.js';
import type { GenesisState } from '../../../proto/ibc/core/types/v1/genesis_pb.js';
import type { Context } from '../../../sdk/module/context.js';
import { GenesisError } from '../../../sdk/module/genesis-section.js';
import { asyncPacketPrefix, asyncPacketKey, nextSequenceSendKeyV2, packetKeyV2, packetsPrefixV2 } from '../keys.js';
import { STORE } from '../store.js';
import { getCounterparty, setCounterparty } from './counterparties.js';

type Sections = Pick<GenesisState, 'clientV2Genesis' | 'channelV2Genesis'>;

const PATH = 'app_state.ibc';
const RECEIVED = Uint8Array.of(2);
const LISTS = ['acknowledgements', 'commitments', 'receipts', 'asyncPackets'] as const;
const FIELDS = {
  acknowledgements: 'acknowledgements',
  commitments: 'commitments',
  receipts: 'receipts',
  asyncPackets: 'async_packets',
} as const;

/** Rejects counterparties and packets without client, and incomplete ones. */
export function requireConsistentGenesisV2(
  { clientV2Genesis, channelV2Genesis }: Sections,
  clients: ReadonlySet<string>,
): void {
  const seen = new Set<string>();
  const refuse = (where: string, reason: string): GenesisError => new GenesisError(`${PATH}.${where}`, reason);
  for (const { clientId, counterpartyInfo } of clientV2Genesis?.counterpartyInfos ?? []) {
    const where = 'client_v2_genesis.counterparty_infos';
    if (!clients.has(clientId)) throw refuse(where, `counterparty of client ${clientId}, which is not there`);
    if (seen.has(clientId)) throw refuse(where, `client ${clientId} has two counterparties`);
    if ((counterpartyInfo?.merklePrefix.length ?? 0) === 0)
      throw refuse(where, `counterparty merkle prefix of client ${clientId} cannot be empty`);
    seen.add(clientId);
  }
  for (const { clientId, sequence } of channelV2Genesis?.sendSequences ?? []) {
    if (!clients.has(clientId))
      throw refuse('channel_v2_genesis.send_sequences', `sequence of client ${clientId}, which is not there`);
    if (sequence === 0n)
      throw refuse('channel_v2_genesis.send_sequences', `sequence of client ${clientId} cannot be 0`);
  }
  for (const list of LISTS)
    for (const { clientId, sequence, data } of channelV2Genesis?.[list] ?? []) {
      const where = `channel_v2_genesis.${FIELDS[list]}`;
      if (!clients.has(clientId))
        throw refuse(where, `packet ${sequence} is of client ${clientId}, which is not there`);
      if (sequence === 0n || data.length === 0)
        throw refuse(where, `packet ${sequence} of client ${clientId} is empty`);
      if (list === 'asyncPackets' && !isPacket(data))
        throw refuse(where, `packet ${sequence} of client ${clientId} is no packet`);
    }
}

function isPacket(data: Uint8Array): boolean {
  try {
    fromBinary(PacketSchema, data);
    return true;
  } catch {
    return false;
  }
}

/** Stores the counterparties and packets of a genesis. */
export function initV2({ store }: Context, { clientV2Genesis, channelV2Genesis }: Sections): void {
  for (const { clientId, counterpartyInfo } of clientV2Genesis?.counterpartyInfos ?? [])
    setCounterparty({ store }, clientId, counterpartyInfo ?? create(CounterpartyInfoSchema));
  const section = channelV2Genesis;
  for (const { clientId, sequence, data } of section?.acknowledgements ?? [])
    store.set(STORE, packetKeyV2('acks', clientId, sequence), data);
  for (const { clientId, sequence, data } of section?.commitments ?? [])
    store.set(STORE, packetKeyV2('commitments', clientId, sequence), data);
  for (const { clientId, sequence } of section?.receipts ?? [])
    store.set(STORE, packetKeyV2('receipts', clientId, sequence), RECEIVED);
  for (const { clientId, sequence, data } of section?.asyncPackets ?? [])
    store.set(STORE, asyncPacketKey(clientId, sequence), toBinary(PacketSchema, fromBinary(PacketSchema, data)));
  for (const { clientId, sequence } of section?.sendSequences ?? [])
    store.set(STORE, nextSequenceSendKeyV2(clientId), be64(sequence));
}

/** v2 sections of these clients, in their order. */
export function exportV2({ store }: Context, clientIds: readonly string[]) {
  const packets = (prefixOf: (clientId: string) => Uint8Array) =>
    clientIds.flatMap((clientId) => {
      const prefix = prefixOf(clientId);
      return Array.from(store.range(STORE, prefixRange(prefix)), ({ key, value }) => ({
        clientId,
        sequence: readBe64(key, prefix.length),
        data: value,
      }));
    });
  const channelV2Genesis = {
    acknowledgements: packets((clientId) => packetsPrefixV2('acks', clientId)),
    commitments: packets((clientId) => packetsPrefixV2('commitments', clientId)),
    receipts: packets((clientId) => packetsPrefixV2('receipts', clientId)),
    asyncPackets: packets(asyncPacketPrefix),
    sendSequences: clientIds.flatMap((clientId) => {
      const next = store.get(STORE, nextSequenceSendKeyV2(clientId));
      return next === undefined ? [] : [{ clientId, sequence: readBe64(next) }];
    }),
  };
  const counterpartyInfos = clientIds.flatMap((clientId) => {
    const counterpartyInfo = getCounterparty({ store }, clientId);
    return counterpartyInfo === undefined ? [] : [{ clientId, counterpartyInfo }];
  });
  return { clientV2Genesis: { counterpartyInfos }, channelV2Genesis };
}
