/** Packets as the consensus RPC of a chain tells of them, in events of transactions and of blocks. */
import { hexData } from '../../core/bytes/hex.js';
import { packetOfEvent, type TextEvent, type ToldPacket } from '../../core/relayer/packets.js';
import { asObject } from '../../core/text/json-object.js';
import { type Remote, RemoteFailed } from './remote.js';

/** An event that tells of a packet: of the chain that sends it, or of the one that answers it. */
type TellingEvent = 'send_packet' | 'write_acknowledgement';

const KEYS = { send_packet: 'packet_src_channel', write_acknowledgement: 'packet_dst_channel' } as const;

/** A packet, and the block whose event tells of it. */
export interface PlacedPacket extends ToldPacket {
  readonly height: bigint;
}

/** The packet of the last event that tells of it: of a transaction, or of a block, as proposals send. */
export async function toldPacket(
  remote: Remote,
  type: TellingEvent,
  channelId: string,
  sequence: bigint,
): Promise<PlacedPacket | undefined> {
  const query = `${type}.packet_sequence=${sequence} AND ${type}.${KEYS[type]}='${channelId}'`;
  const search = { query, per_page: '10', order_by: 'desc' };
  const isIt = ({ packet }: ToldPacket): boolean =>
    packet.sequence === sequence &&
    (type === 'send_packet' ? packet.sourceChannel : packet.destinationChannel) === channelId;
  const { txs } = await remote.call('tx_search', search);
  const found = listOf(txs)
    .flatMap((tx) => packetsOfTx(tx, type))
    .find(isIt);
  if (found !== undefined) return found;
  const { blocks } = await remote.call('block_search', search);
  for (const block of listOf(blocks)) {
    const height = String(asObject(asObject(block['block'])?.['header'])?.['height']);
    const { finalize_block_events: events } = await remote.call('block_results', { height });
    const ofBlock = packetsOf(events, type).find(isIt);
    if (ofBlock !== undefined) return { ...ofBlock, height: BigInt(height) };
  }
  return undefined;
}

/** The packets that a transaction sent, by its consensus or Ethereum hash; undefined where no block holds it. */
export async function packetsSentBy(remote: Remote, hash: Uint8Array): Promise<readonly PlacedPacket[] | undefined> {
  const tx = (await txOf(remote, hash)) ?? (await txOfEthereum(remote, hash));
  return tx && packetsOfTx(tx, 'send_packet');
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

function packetsOfTx(tx: Json, type: TellingEvent): readonly PlacedPacket[] {
  const height = BigInt(String(tx['height']));
  return packetsOf(asObject(tx['tx_result'])?.['events'], type).map((told) => ({ ...told, height }));
}

function packetsOf(events: unknown, type: TellingEvent): readonly ToldPacket[] {
  return listOf(events).flatMap(({ type: name, attributes }) => {
    const told: TextEvent = {
      type: String(name),
      attributes: listOf(attributes).map(({ key, value }) => ({ key: String(key), value: String(value) })),
    };
    return packetOfEvent(told, type) ?? [];
  });
}

const listOf = (value: unknown): readonly Json[] =>
  (Array.isArray(value) ? value : []).map((item: unknown) => asObject(item) ?? {});
