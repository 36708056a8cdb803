/** A relayer reads packets from events and decides which message each one needs. */
import { expect, test } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { commitmentOf } from '../../../src/core/modules/ibc/channel/packets.js';
import { isCommitted, keyOfNeed, needOfUnreceived, packetOfEvent } from '../../../src/core/relayer/packets.js';
import { Postponed } from '../../../src/core/relayer/postponed.js';
import { crypto } from '../app/support.js';

const ATTRIBUTES: Readonly<Record<string, string>> = {
  packet_sequence: '12',
  packet_src_port: 'transfer',
  packet_src_channel: 'channel-1',
  packet_dst_port: 'transfer',
  packet_dst_channel: 'channel-2',
  packet_data_hex: '7b7d',
  packet_timeout_height: '1-50',
  packet_timeout_timestamp: '900',
};

const event = (change: Readonly<Record<string, string>> = {}, type = 'send_packet') => ({
  type,
  attributes: Object.entries({ ...ATTRIBUTES, ...change }).map(([key, value]) => ({ key, value })),
});

test('a send_packet event gives the whole packet, and write_acknowledgement its acknowledgement', () => {
  expect(packetOfEvent(event(), 'send_packet')?.packet).toMatchObject({
    sequence: 12n,
    sourceChannel: 'channel-1',
    destinationChannel: 'channel-2',
    data: Uint8Array.of(0x7b, 0x7d),
    timeoutHeight: { revisionNumber: 1n, revisionHeight: 50n },
    timeoutTimestamp: 900n,
  });
  const answered = packetOfEvent(event({ packet_ack_hex: '01' }, 'write_acknowledgement'), 'write_acknowledgement');
  expect(answered?.acknowledgement).toEqual(Uint8Array.of(1));
});

test.each([
  [event({}, 'recv_packet')],
  [event({ packet_sequence: '-1' })],
  [event({ packet_data_hex: '7b7' })],
  [event({ packet_timeout_height: '1' })],
  [event({ packet_timeout_timestamp: '' })],
])('an event without a valid packet is ignored (%#)', (other) => {
  expect(packetOfEvent(other, 'send_packet')).toBeUndefined();
});

test('a packet commitment matches only the packet that was sent', () => {
  const packetOf = (change = {}) => {
    const found = packetOfEvent(event(change), 'send_packet')?.packet;
    if (found === undefined) throw new Error('no packet');
    return found;
  };
  const commitment = commitmentOf({ crypto }, packetOf());
  expect(isCommitted(crypto, packetOf(), commitment)).toBe(true);
  for (const other of [{ packet_data_hex: '7b20' }, { packet_timeout_timestamp: '901' }])
    expect(isCommitted(crypto, packetOf(other), commitment)).toBe(false);
});

test('an unreceived packet needs a receive message before its timeout, and a timeout message after it', () => {
  const packet = packetOfEvent(event(), 'send_packet')?.packet;
  if (packet === undefined) throw new Error('no packet');
  const at = (revisionHeight: bigint, now: bigint) =>
    needOfUnreceived(packet, { revisionNumber: 1n, revisionHeight }, now);
  expect([at(49n, 899n), at(50n, 1n), at(1n, 900n)].map(({ kind }) => kind)).toEqual(['receive', 'timeout', 'timeout']);
  const key = (need: Parameters<typeof keyOfNeed>[0]): string => Buffer.from(keyOfNeed(need)).toString();
  expect(key(at(1n, 1n))).toBe('commitments/ports/transfer/channels/channel-1/sequences/12');
  expect(key(at(50n, 1n))).toBe('receipts/ports/transfer/channels/channel-2/sequences/12');
  expect(key({ kind: 'acknowledge', packet, acknowledgement: Uint8Array.of(1) })).toBe(
    'acks/ports/transfer/channels/channel-2/sequences/12',
  );
});

test('a packet whose message fails waits four times as long after each failure, and others do not wait', () => {
  const packet = packetOfEvent(event(), 'send_packet')?.packet;
  const other = packetOfEvent(event({ packet_sequence: '13' }), 'send_packet')?.packet;
  if (packet === undefined || other === undefined) throw new Error('no packet');
  const need = { kind: 'receive', packet } as const;
  const postponed = new Postponed();
  expect(postponed.has(need, 10n)).toBe(false);
  postponed.add(need, 10n);
  expect([13n, 14n].map((height) => postponed.has(need, height))).toEqual([true, false]);
  postponed.add(need, 14n);
  expect([29n, 30n].map((height) => postponed.has(need, height))).toEqual([true, false]);
  for (let times = 0; times < 20; times += 1) postponed.add(need, 30n);
  expect(postponed.has(need, 30n + FIXED_LIMITS.relayerWaitBlocks)).toBe(false);
  expect(postponed.has({ kind: 'timeout', packet }, 30n)).toBe(false);
  expect(postponed.has({ kind: 'receive', packet: other }, 30n)).toBe(false);
});
