/** Finds packets in the events of transactions and blocks, over the consensus RPC of a chain. */
import { hexData } from '../../core/bytes/hex.js';
import { packetOfEvent, type TextEvent, type PacketInEvent } from '../../core/relayer/packets.js';
import { asObject } from '../../core/text/json-object.js';
import { type Remote, RemoteFailed } from './remote.js';

/** Types of the events that contain a packet: on the source and on the destination chain. */
type PacketEventType = 'send_packet' | 'write_acknowledgement';

const KEYS = { send_packet: 'packet_src_channel', write_acknowledgement: 'packet_dst_channel' } as const;

/** A packet and the height of the block with its event. */
export interface PlacedPacket extends PacketInEvent {
  readonly height: bigint;
}

/**
 * Finds packets of a channel by sequence, from the latest events that contain them: events of transactions, or of
 * blocks if a governance proposal sent the packet. Each search also returns the other packets of the block.
 */
export async function findPackets(
  remote: Remote,
  type: PacketEventType,
  channelId: string,
  sequences: readonly bigint[],
): Promise<ReadonlyMap<bigint, PlacedPacket>> {
  const found = new Map<bigint, PlacedPacket>();
  const add = (packets: readonly PlacedPacket[]): void => {
    for (const each of packets)
      if (channelOf(each, type) === channelId && !found.has(each.packet.sequence))
        found.set(each.packet.sequence, each);
  };
  for (const sequence of sequences) {
    if (found.has(sequence)) continue;
    add(await searched(remote, type, channelId, sequence));
    const height = found.get(sequence)?.height;
    if (height !== undefined && sequences.some((other) => !found.has(other)))
      add(await packetsOfBlock(remote, type, height));
  }
  return found;
}

/** Finds a packet by sequence, from the latest event that contains it; undefined if there is none. */
export async function findPacket(
  remote: Remote,
  type: PacketEventType,
  channelId: string,
  sequence: bigint,
): Promise<PlacedPacket | undefined> {
  return (await findPackets(remote, type, channelId, [sequence])).get(sequence);
}

const channelOf = ({ packet }: PacketInEvent, type: PacketEventType): string =>
  type === 'send_packet' ? packet.sourceChannel : packet.destinationChannel;

/** Packets of the transactions, or else of the blocks, whose events contain the packet. */
async function searched(
  remote: Remote,
  type: PacketEventType,
  channelId: string,
  sequence: bigint,
): Promise<readonly PlacedPacket[]> {
  const query = `${type}.packet_sequence=${sequence} AND ${type}.${KEYS[type]}='${channelId}'`;
  const search = { query, per_page: '10', order_by: 'desc' };
  const { txs } = await remote.call('tx_search', search);
  const ofTxs = listOf(txs).flatMap((tx) => packetsOfTx(tx, type));
  if (ofTxs.some((each) => each.packet.sequence === sequence && channelOf(each, type) === channelId)) return ofTxs;
  const { blocks } = await remote.call('block_search', search);
  const heights = listOf(blocks).map((block) => asObject(asObject(block['block'])?.['header'])?.['height']);
  const ofBlocks = heights.map((height) => packetsOfBlock(remote, type, BigInt(String(height))));
  return (await Promise.all(ofBlocks)).flat();
}

/** Packets in the events of a block and its transactions. */
async function packetsOfBlock(remote: Remote, type: PacketEventType, height: bigint): Promise<readonly PlacedPacket[]> {
  const results = await remote.call('block_results', { height: height.toString() });
  const lists = [...listOf(results['txs_results']).map(({ events }) => events), results['finalize_block_events']];
  return lists.flatMap((events) => packetsOf(events, type)).map((found) => ({ ...found, height }));
}

/**
 * Packets that a transaction sent, by its consensus or Ethereum hash; undefined if it is not in a block. Throws
 * RemoteFailed if it sent IBC v2 packets only.
 */
export async function packetsSentBy(remote: Remote, hash: Uint8Array): Promise<readonly PlacedPacket[] | undefined> {
  const tx = (await txOf(remote, hash)) ?? (await txOfEthereum(remote, hash));
  if (tx === undefined) return undefined;
  const sent = packetsOfTx(tx, 'send_packet');
  // packets of v2 have no channel (ibc-go v10 `modules/core/04-channel/v2/keeper/events.go`)
  const isSent = listOf(asObject(tx['tx_result'])?.['events']).some(({ type }) => type === 'send_packet');
  if (isSent && sent.length === 0)
    throw new RemoteFailed(
      'the packet goes from client to client (IBC v2): the relayer of dev --ibc brings those of channels',
    );
  return sent;
}

type Json = Readonly<Record<string, unknown>>;

async function txOf(remote: Remote, hash: Uint8Array): Promise<Json | undefined> {
  try {
    return await remote.call('tx', { hash: Buffer.from(hash).toString('base64') });
  } catch (error) {
    if (error instanceof RemoteFailed) return undefined;
    throw error;
  }
}

async function txOfEthereum(remote: Remote, hash: Uint8Array): Promise<Json | undefined> {
  const query = `ethereum_tx.ethereumTxHash='${hexData(hash)}'`;
  const { txs } = await remote.call('tx_search', { query, per_page: '1' });
  return listOf(txs)[0];
}

function packetsOfTx(tx: Json, type: PacketEventType): readonly PlacedPacket[] {
  const height = BigInt(String(tx['height']));
  return packetsOf(asObject(tx['tx_result'])?.['events'], type).map((found) => ({ ...found, height }));
}

function packetsOf(events: unknown, type: PacketEventType): readonly PacketInEvent[] {
  return listOf(events).flatMap(({ type: name, attributes }) => {
    const found: TextEvent = {
      type: String(name),
      attributes: listOf(attributes).map(({ key, value }) => ({ key: String(key), value: String(value) })),
    };
    return packetOfEvent(found, type) ?? [];
  });
}

const listOf = (value: unknown): readonly Json[] =>
  (Array.isArray(value) ? value : []).map((item: unknown) => asObject(item) ?? {});
