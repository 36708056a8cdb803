/** Applications of IBC v2: acknowledgements and refusals, and their packets in an exported genesis. */
import { toBinary } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { evmd } from '../../../../../src/core/app/presets.js';
import { text, utf8 } from '../../../../../src/core/bytes/bytes.js';
import { plainError } from '../../../../../src/core/sdk/module/sdk-error.js';
import { ibcModule } from '../../../../../src/core/modules/ibc/module.js';
import { errorAcknowledgement } from '../../../../../src/core/modules/ibc/v2/commitments.js';
import type { Answer, ClientPort } from '../../../../../src/core/modules/ibc/v2/port.js';
import { asyncPacketKey, nextSequenceSendKeyV2, packetKeyV2 } from '../../../../../src/core/modules/ibc/keys.js';
import { describeChange } from '../../../../../src/core/inspection/describe-row.js';
import { be64 } from '../../../../../src/core/bytes/big-endian.js';
import { type Packet, PacketSchema } from '../../../../../src/core/proto/ibc/core/channel/v2/packet_pb.js';
import { Query } from '../../../../../src/core/proto/ibc/core/channel/v2/query_pb.js';
import { MsgSendPacketSchema } from '../../../../../src/core/proto/ibc/core/channel/v2/tx_pb.js';
import { crypto, toHex } from '../../../app/support.js';
import { anyOf, IbcChain } from '../chains/chain.js';
import { createClients, deliver, type End } from '../chains/relay.js';
import { acknowledge, after, inSeconds, packetOf, pair, receive, refused, timeout } from './relay.js';

const heard: string[] = [];
const ANSWERS: Readonly<Record<string, Answer>> = {
  no: { kind: 'refused' },
  empty: { kind: 'taken', acknowledgement: new Uint8Array() },
  forged: { kind: 'taken', acknowledgement: errorAcknowledgement({ crypto }) },
};
/** An application that acts as the text of a packet says, and records the calls. */
const echo: ClientPort = {
  name: 'echo',
  onSend: (_context, { sequence }) => void heard.push(`sent ${sequence}`),
  onReceive(context, { payload, sequence }) {
    context.store.set('ibc', utf8(`echo/${sequence}`), payload.value);
    return ANSWERS[text(payload.value)] ?? { kind: 'taken', acknowledgement: payload.value };
  },
  onAcknowledge(_context, { sequence, payload }, acknowledgement) {
    if (text(payload.value) === 'fail') throw plainError('no answer wanted');
    heard.push(`answer to ${sequence}: ${text(acknowledgement)}`);
  },
  onTimeout(_context, { sequence }) {
    heard.push(`timeout of ${sequence}`);
    throw plainError('it is not over');
  },
};
const version = {
  ...evmd,
  modules: evmd.modules.map((module) => (module.name === 'ibc' ? ibcModule([], [echo]) : module)),
};

function ends(): { a: End; b: End } {
  heard.length = 0;
  return pair(createClients(new IbcChain('alpha-1', { version }), new IbcChain('beta-4', { version })));
}

function send(from: End, words: string, seconds = 600n): Packet {
  const payload = { sourcePort: 'echo', destinationPort: 'echo', version: '1', encoding: 'text', value: utf8(words) };
  const message = {
    sourceClient: from.clientId,
    timeoutTimestamp: inSeconds(from, seconds),
    payloads: [payload],
    signer: from.chain.account(0),
  };
  return packetOf(deliver(from, [anyOf(MsgSendPacketSchema, message)])).packet;
}

test('a packet that its application refuses leaves no writes, and gets the sentinel error acknowledgement', () => {
  const { a, b } = ends();
  const packet = send(a, 'no');
  const received = after(b, a, () => receive(b, a, packet));
  expect(b.chain.value(utf8('echo/1'))).toBeUndefined();
  const { answers } = packetOf(received, 'write_acknowledgement');
  expect(toHex(answers.appAcknowledgements[0] ?? new Uint8Array())).toBe(toHex(errorAcknowledgement({ crypto })));
  const other = send(a, 'yes');
  const taken = after(b, a, () => receive(b, a, other));
  expect([taken.log, text(b.chain.value(utf8('echo/2')) ?? new Uint8Array())]).toEqual(['', 'yes']);
});

test('an invalid acknowledgement or a failing callback of the application fails the whole message', () => {
  const { a, b } = ends();
  const [forged, empty, fail] = ['forged', 'empty', 'fail'].map((words) => send(a, words));
  if (forged === undefined || empty === undefined || fail === undefined) throw new Error('packets');
  expect(refused(after(b, a, () => receive(b, a, forged)))).toBe(
    'channelv2 5: application acknowledgement cannot be sentinel error acknowledgement: invalid acknowledgement',
  );
  expect(refused(after(b, a, () => receive(b, a, empty)))).toBe(
    'channelv2 5: app acknowledgement cannot be empty: invalid acknowledgement',
  );
  expect(b.chain.value(packetKeyV2('receipts', b.clientId, 1n))).toBeUndefined();
  const where = 'for source port echo, source client 07-tendermint-0, destination client 07-tendermint-0';
  const { answers } = packetOf(
    after(b, a, () => receive(b, a, fail)),
    'write_acknowledgement',
  );
  expect(refused(after(a, b, () => acknowledge(a, b, fail, answers)))).toBe(
    `undefined 1: failed OnAcknowledgementPacket ${where}: no answer wanted`,
  );
  const short = send(a, 'x', 60n);
  b.chain.block([], 120n);
  b.chain.block();
  expect(refused(after(a, b, () => timeout(a, b, short)))).toBe(
    `undefined 1: failed OnTimeoutPacket ${where}: it is not over`,
  );
  expect(a.chain.value(packetKeyV2('commitments', a.clientId, 4n))).toHaveLength(32);
});

test('PacketCommitments pages over every sequence, also one whose bytes contain a slash', () => {
  const { a } = ends();
  a.chain.put('ibc', nextSequenceSendKeyV2(a.clientId), be64(46n));
  a.chain.block();
  for (const words of ['x', 'y', 'z']) send(a, words);
  const { packetCommitments } = Query.method;
  const page = (key: Uint8Array) =>
    a.chain.query(
      '/ibc.core.channel.v2.Query/PacketCommitments',
      packetCommitments.input,
      { clientId: a.clientId, pagination: { key, limit: 2n } },
      packetCommitments.output,
    );
  const first = page(new Uint8Array());
  expect(first.commitments.map(({ sequence }) => sequence)).toEqual([46n, 47n]);
  const second = page(first.pagination?.nextKey ?? new Uint8Array());
  expect(second.commitments.map(({ sequence }) => sequence)).toEqual([48n]);
});

test('an exported genesis has counterparties and packets, and starts a chain with them', () => {
  const { a, b } = ends();
  send(a, 'x');
  const { clientId } = a;
  for (const words of ['y', 'z']) {
    const packet = send(b, words);
    expect(after(a, b, () => receive(a, b, packet)).log).toBe('');
  }
  // a packet that its application acknowledges later, as one of another build may do
  const key = asyncPacketKey(clientId, 3n);
  const value = toBinary(PacketSchema, send(b, 'x'));
  a.chain.put('ibc', key, value);
  a.chain.block();
  expect(
    describeChange(
      { store: 'ibc', key, before: undefined, after: value },
      { bech32Prefix: 'cosmos', nameOf: () => undefined },
    ),
  ).toMatchObject({ row: 'packet to be answered later' });
  const { ibc } = a.chain.exported();
  expect(ibc).toMatchObject({
    client_v2_genesis: {
      counterparty_infos: [
        { client_id: clientId, counterparty_info: { merkle_prefix: ['aWJj', ''], client_id: b.clientId } },
      ],
    },
    channel_v2_genesis: {
      acknowledgements: [
        { client_id: clientId, sequence: '1' },
        { client_id: clientId, sequence: '2' },
      ],
      commitments: [{ client_id: clientId, sequence: '1' }],
      receipts: [
        { client_id: clientId, sequence: '1', data: 'Ag==' },
        { client_id: clientId, sequence: '2', data: 'Ag==' },
      ],
      async_packets: [{ client_id: clientId, sequence: '3' }],
      send_sequences: [{ client_id: clientId, sequence: '2' }],
    },
  });
  const rows = (chain: IbcChain) =>
    [...chain.state.range('ibc', {})].map(({ key, value }) => [toHex(key), toHex(value)]);
  const next = new IbcChain('alpha-1', { version, sections: { ibc } });
  const own = rows(a.chain).filter(([key = '']) => !Buffer.from(key, 'hex').toString().startsWith('echo/'));
  expect(rows(next)).toEqual(own);
});

test.each<[string, object]>([
  [
    'counterparty of client 07-tendermint-5, which is not there',
    {
      client_v2_genesis: {
        counterparty_infos: [
          { client_id: '07-tendermint-5', counterparty_info: { merkle_prefix: ['aWJj'], client_id: 'x-0' } },
        ],
      },
    },
  ],
  [
    'client 09-localhost has two counterparties',
    {
      client_v2_genesis: {
        counterparty_infos: Array.from({ length: 2 }, () => ({
          client_id: '09-localhost',
          counterparty_info: { merkle_prefix: ['aWJj'], client_id: 'x-0' },
        })),
      },
    },
  ],
  [
    'counterparty merkle prefix of client 09-localhost cannot be empty',
    {
      client_v2_genesis: {
        counterparty_infos: [{ client_id: '09-localhost', counterparty_info: { client_id: 'x-0' } }],
      },
    },
  ],
  [
    'packet 1 is of client 07-tendermint-5, which is not there',
    { channel_v2_genesis: { receipts: [{ client_id: '07-tendermint-5', sequence: '1', data: 'Ag==' }] } },
  ],
  [
    'packet 0 of client 09-localhost is empty',
    { channel_v2_genesis: { commitments: [{ client_id: '09-localhost', sequence: '0', data: 'Ag==' }] } },
  ],
  [
    'packet 1 of client 09-localhost is empty',
    { channel_v2_genesis: { acknowledgements: [{ client_id: '09-localhost', sequence: '1' }] } },
  ],
  [
    'packet 1 of client 09-localhost is no packet',
    { channel_v2_genesis: { async_packets: [{ client_id: '09-localhost', sequence: '1', data: 'Ag==' }] } },
  ],
  [
    'sequence of client 07-tendermint-5, which is not there',
    { channel_v2_genesis: { send_sequences: [{ client_id: '07-tendermint-5', sequence: '1' }] } },
  ],
  [
    'sequence of client 09-localhost cannot be 0',
    { channel_v2_genesis: { send_sequences: [{ client_id: '09-localhost' }] } },
  ],
])('a genesis is refused: %s', (reason, part) => {
  expect(() => new IbcChain('alpha-1', { version, sections: { ibc: part } })).toThrow(reason);
});
