/** Packets as the relayer reads them from a chain: the number of its requests, and the packets that it skips. */
import { expect, test } from 'vitest';
import { packetsSentBy, findPackets } from '../../../src/node/relayer/packet-search.js';
import { Chain, type Json } from './chain.js';

const event = (values: Json, type = 'send_packet') => ({
  type,
  attributes: Object.entries(values).map(([key, value]) => ({ key, value })),
});
const sent = (sequence: bigint, channel = 'channel-0') =>
  event({
    packet_sequence: String(sequence),
    packet_src_channel: channel,
    packet_data_hex: '7b7d',
    packet_timeout_height: '0-0',
    packet_timeout_timestamp: '9',
  });
const tx = (height: string, ...events: readonly Json[]) => ({ height, tx_result: { events } });

test('findPackets reads all packets of a block with one search, and skips those of other channels', async () => {
  const blocks: Readonly<Record<string, readonly Json[]>> = {
    7: [sent(1n), sent(2n, 'channel-1'), sent(3n)],
    9: [sent(2n), sent(4n)],
  };
  const chain = new Chain({
    tx_search({ query }) {
      const sequence = /packet_sequence=(\d+)/.exec(String(query))?.[1];
      return { txs: [sequence === '1' ? tx('7', sent(1n)) : tx('9', sent(BigInt(sequence ?? 0)))] };
    },
    block_results: ({ height }) => ({ txs_results: (blocks[String(height)] ?? []).map((one) => ({ events: [one] })) }),
  });
  const told = await findPackets(chain, 'send_packet', 'channel-0', [1n, 2n, 3n, 4n]);
  expect([...told].map(([sequence, { height }]) => [sequence, height])).toEqual([
    [1n, 7n],
    [3n, 7n],
    [2n, 9n],
    [4n, 9n],
  ]);
  expect(chain.asked).toEqual(['tx_search', 'block_results', 'tx_search', 'block_results']);
});

test('a packet from client to client (IBC v2) is refused with a message', async () => {
  const ofClient = event({ packet_source_client: '07-tendermint-0', encoded_packet_hex: '0a' });
  const hash = new Uint8Array(32);
  await expect(packetsSentBy(new Chain({ tx: () => tx('7', ofClient) }), hash)).rejects.toThrow('client to client');
  expect(await packetsSentBy(new Chain({ tx: () => tx('7', ofClient, sent(5n)) }), hash)).toHaveLength(1);
  expect(await packetsSentBy(new Chain({ tx: () => tx('7') }), hash)).toEqual([]);
});
