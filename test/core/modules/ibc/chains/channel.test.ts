/** Channels and packets between two chains of this process: order, closing, and attacks of a relayer. */
import { create, fromBinary } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { evmd } from '../../../../../src/core/app/presets.js';
import { onFirstCall } from '../../../../../src/core/on-first-call.js';
import { text, utf8 } from '../../../../../src/core/bytes/bytes.js';
import {
  errorAcknowledgement,
  resultAcknowledgement,
} from '../../../../../src/core/modules/ibc/channel/acknowledgement.js';
import { getChannel } from '../../../../../src/core/modules/ibc/channel/channels.js';
import { channelKey, packetKey } from '../../../../../src/core/modules/ibc/keys.js';
import { ibcModule } from '../../../../../src/core/modules/ibc/module.js';
import { sendPacket } from '../../../../../src/core/modules/ibc/channel/packets.js';
import { around, type Port } from '../../../../../src/core/modules/ibc/channel/port.js';
import { transferPort } from '../../../../../src/core/modules/transfer/port.js';
import {
  Order,
  type Packet,
  PacketSchema,
  State,
} from '../../../../../src/core/proto/ibc/core/channel/v1/channel_pb.js';
import {
  MsgAcknowledgementSchema,
  MsgChannelCloseConfirmSchema,
  MsgChannelCloseInitSchema,
  MsgRecvPacketSchema,
  MsgTimeoutOnCloseSchema,
  MsgTimeoutSchema,
} from '../../../../../src/core/proto/ibc/core/channel/v1/tx_pb.js';
import { MsgSubmitMisbehaviourSchema } from '../../../../../src/core/proto/ibc/core/client/v1/tx_pb.js';
import { MisbehaviourSchema } from '../../../../../src/core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import type { ExecTxResult } from '../../../../../src/core/proto/tendermint/abci/types_pb.js';
import { packAny } from '../../../../../src/core/sdk/codec/any.js';
import { plainError } from '../../../../../src/core/sdk/module/sdk-error.js';
import { anyOf, commitOf, IbcChain } from './chain.js';
import {
  acknowledge,
  connect,
  createClients,
  deliver,
  type End,
  headerOf,
  heightOf,
  openChannel,
  packetsOf,
  proofOf,
  receive,
  synchronize,
  timeout,
  update,
} from './relay.js';

const MINUTE = 60_000_000_000n;
const heard: string[] = [];

/** An application that acknowledges each packet with its data, and refuses the data `no`. */
const echo: Port = {
  name: 'echo',
  onChannelOpenInit: (_context, { version }) => version,
  onChannelOpenTry: (_context, { version }) => version,
  onChannelOpenAck: () => {},
  onChannelCloseInit: () => {},
  onReceive(context, { packet }) {
    context.store.set('ibc', utf8(`echo/${packet.sequence}`), packet.data);
    return text(packet.data) === 'no' ? errorAcknowledgement(plainError('no')) : resultAcknowledgement(packet.data);
  },
  onAcknowledge: (_context, { packet }) => void heard.push(`answer to ${packet.sequence}`),
  onTimeout: (_context, { packet }) => void heard.push(`timeout of ${packet.sequence}`),
};
const watched = around(echo, (inner) => ({
  onReceive(context, delivered) {
    heard.push(`received ${delivered.packet.sequence}`);
    return inner.onReceive(context, delivered);
  },
}));
const version = {
  ...evmd,
  modules: evmd.modules.map((module) => (module.name === 'ibc' ? ibcModule([transferPort, watched]) : module)),
};

function path(ordering = Order.ORDERED, delay = 0n): { a: End; b: End } {
  const [a, b] = createClients(new IbcChain('alpha-1', { version }), new IbcChain('beta-4', { version }));
  connect(a, b, delay);
  for (const end of [a, b]) end.portId = 'echo';
  openChannel(a, b, 'any', ordering);
  heard.length = 0;
  return { a, b };
}

/** Sends a packet as an application does, outside of a transaction. */
function send(from: End, data: string, timeoutTimestamp = from.chain.now + 10n * MINUTE): Packet {
  const context = from.chain.context();
  const sequence = sendPacket(context, {
    source: { portId: from.portId, channelId: from.channelId },
    timeoutHeight: { revisionNumber: 0n, revisionHeight: 0n },
    timeoutTimestamp,
    data: utf8(data),
  });
  from.chain.keep(context);
  from.chain.block();
  from.chain.block();
  const channel = getChannel(context, from);
  return create(PacketSchema, {
    sequence,
    sourcePort: from.portId,
    sourceChannel: from.channelId,
    destinationPort: channel?.counterparty?.portId ?? '',
    destinationChannel: channel?.counterparty?.channelId ?? '',
    data: utf8(data),
    timeoutTimestamp,
  });
}

const refused = ({ codespace, code, log }: ExecTxResult): string =>
  `${codespace} ${code}: ${log.replace(/failed to execute message; message index: \d: /, '')}`;

/** Updates the client with the newest header of the other chain, then sends the message. */
function after(on: End, of: End, make: () => ReturnType<typeof receive>): ExecTxResult {
  synchronize(on, of);
  const known = on.known;
  const result = on.chain.send([update(on, of), make()]);
  if (result.code !== 0) on.known = known;
  return result;
}

const stateOf = ({ chain, portId, channelId }: End): State | undefined =>
  getChannel(chain.context(), { portId, channelId })?.state;

describe('an ordered channel', () => {
  test('receives and acknowledges each packet once, in order', () => {
    const { a, b } = path();
    const [one, two] = [send(a, 'one'), send(a, 'no')];
    expect(refused(after(b, a, () => receive(b, a, two)))).toContain(
      'channel 21: receive packet verification failed: packet sequence ≠ next receive sequence (2 ≠ 1)',
    );
    const answers = [one, two].map((packet) => {
      const result = after(b, a, () => receive(b, a, packet));
      expect(result.log).toBe('');
      return packetsOf(result, 'write_acknowledgement')[0]?.acknowledgement ?? new Uint8Array();
    });
    expect(answers.map((bytes) => Buffer.from(bytes).toString())).toEqual([
      '{"result":"b25l"}',
      '{"error":"ABCI code: 1: error handling packet: see events for details"}',
    ]);
    expect(b.chain.value(utf8('echo/1'))).toEqual(utf8('one'));
    // nothing remains of what the application wrote for a packet that it refused
    expect(b.chain.value(utf8('echo/2'))).toBeUndefined();
    const again = after(b, a, () => receive(b, a, one));
    expect([again.code, packetsOf(again, 'write_acknowledgement')]).toEqual([0, []]);
    expect(refused(after(a, b, () => acknowledge(a, b, two, answers[1] ?? new Uint8Array())))).toContain(
      'channel 21: acknowledge packet verification failed: packet sequence ≠ next ack sequence (2 ≠ 1)',
    );
    for (const [at, packet] of [one, two].entries())
      expect(after(a, b, () => acknowledge(a, b, packet, answers[at] ?? new Uint8Array())).log).toBe('');
    expect(after(a, b, () => acknowledge(a, b, one, answers[0] ?? new Uint8Array())).code).toBe(0);
    expect(heard).toEqual(['received 1', 'received 2', 'answer to 1', 'answer to 2']);
  });

  test('is closed by the first packet that times out', () => {
    const { a, b } = path();
    const packet = send(a, 'late', a.chain.now + MINUTE);
    for (const { chain } of [a, b]) chain.block([], 120n);
    b.chain.block();
    expect(after(a, b, () => timeout(a, b, packet, true)).log).toBe('');
    expect(stateOf(a)).toBe(State.CLOSED);
    expect(heard).toEqual(['timeout of 1']);
    expect(() => send(a, 'more')).toThrow('channel is not OPEN (got STATE_CLOSED): invalid channel state');
  });

  test('is closed by both ends, and its pending packet times out', () => {
    const { a, b } = path();
    const packet = send(a, 'unread');
    const close = anyOf(MsgChannelCloseInitSchema, {
      portId: b.portId,
      channelId: b.channelId,
      signer: b.chain.account(0),
    });
    expect(deliver(b, [close]).events.some(({ type }) => type === 'channel_close_init')).toBe(true);
    expect(refused(b.chain.send([close]))).toContain(
      'channel 5: channel handshake close init failed: channel is already CLOSED',
    );
    expect(refused(after(b, a, () => receive(b, a, packet)))).toContain('channel is not OPEN (got STATE_CLOSED)');
    const onClose = () => {
      const { proof: proofClose, proofHeight } = proofOf(b, channelKey(b));
      const { proof: proofUnreceived } = proofOf(b, utf8(`nextSequenceRecv/ports/echo/channels/${b.channelId}`));
      return anyOf(MsgTimeoutOnCloseSchema, {
        packet,
        proofUnreceived,
        proofClose,
        proofHeight,
        nextSequenceRecv: 1n,
        signer: a.chain.account(0),
      });
    };
    expect(after(a, b, onClose).log).toBe('');
    expect(heard).toEqual(['timeout of 1']);
    expect(stateOf(a)).toBe(State.CLOSED);
    const confirm = () => {
      const { proof: proofInit, proofHeight } = proofOf(b, channelKey(b));
      return anyOf(MsgChannelCloseConfirmSchema, {
        portId: a.portId,
        channelId: a.channelId,
        proofInit,
        proofHeight,
        signer: a.chain.account(0),
      });
    };
    expect(refused(after(a, b, confirm))).toContain('channel is already CLOSED');
    const other = path();
    deliver(other.b, [close]);
    expect(
      after(other.a, other.b, () => {
        const { proof: proofInit, proofHeight } = proofOf(other.b, channelKey(other.b));
        return anyOf(MsgChannelCloseConfirmSchema, {
          portId: 'echo',
          channelId: other.a.channelId,
          proofInit,
          proofHeight,
          signer: other.a.chain.account(0),
        });
      }).log,
    ).toBe('');
    expect(stateOf(other.a)).toBe(State.CLOSED);
  });
});

test('a packet over a connection with a delay period is received only after the delay', () => {
  const { a, b } = path(Order.UNORDERED, 10n * MINUTE);
  const packet = send(a, 'slow', a.chain.now + 100n * MINUTE);
  expect(refused(after(b, a, () => receive(b, a, packet)))).toContain(
    "07-tendermint 10: receive packet verification failed: couldn't verify counterparty packet commitment: failed packet commitment verification for client (07-tendermint-0): cannot verify packet until time: ",
  );
  deliver(b, [update(b, a)]);
  const waiting = receive(b, a, packet);
  b.chain.block([], 601n);
  expect(refused(b.chain.send([waiting]))).toContain('cannot verify packet until height: 4-');
  for (let block = 0; block < 20; block += 1) b.chain.block([], 1n);
  expect(b.chain.send([waiting]).log).toBe('');
});

describe('an attacker', () => {
  // a refused message changes nothing, so that all cases share one path
  const shared = onFirstCall(() => {
    const ends = path(Order.UNORDERED);
    return { ...ends, packet: send(ends.a, 'one') };
  });
  const attack = (make: (a: End, b: End, packet: Packet) => ReturnType<typeof receive>): string => {
    const { a, b, packet } = shared();
    const result = after(b, a, () => make(a, b, packet));
    expect(b.chain.value(packetKey('receipts', b, packet.sequence))).toBeUndefined();
    expect(b.chain.value(utf8('echo/1'))).toBeUndefined();
    return refused(result);
  };
  const change = (packet: Packet, fields: Partial<Packet>): Packet => create(PacketSchema, { ...packet, ...fields });
  const raw = (b: End, packet: Packet, fields: object) =>
    anyOf(MsgRecvPacketSchema, { packet, signer: b.chain.account(0), ...fields });

  test.each<[string, Parameters<typeof attack>[0], string]>([
    [
      'changes the data',
      (a, b, packet) => withProof(b, receive(b, a, packet), change(packet, { data: utf8('two') })),
      'commitment 2',
    ],
    [
      'extends the timeout',
      (a, b, packet) => withProof(b, receive(b, a, packet), change(packet, { timeoutTimestamp: 1n << 63n })),
      'commitment 2',
    ],
    [
      'changes the sequence',
      (a, b, packet) => withProof(b, receive(b, a, packet), change(packet, { sequence: 2n })),
      'commitment 2',
    ],
    [
      'sends a packet of another channel',
      (a, b, packet) => withProof(b, receive(b, a, packet), change(packet, { sourceChannel: 'channel-7' })),
      "channel 13: receive packet verification failed: packet source channel doesn't match the counterparty's channel (channel-7 ≠ channel-0)",
    ],
    [
      'sends a packet to another channel',
      (a, b, packet) => withProof(b, receive(b, a, packet), change(packet, { destinationChannel: 'channel-7' })),
      'channel 3: receive packet verification failed: channel-7: channel not found',
    ],
    [
      'sends a packet to an application that is not there',
      (a, b, packet) => withProof(b, receive(b, a, packet), change(packet, { destinationPort: 'oracle' })),
      'port 5: route not found to portID: oracle',
    ],
    [
      'names a height that the client does not know',
      (a, b, packet) => raw(b, packet, { ...proved(a, packet), proofHeight: heightOf(a.chain, a.chain.height - 1n) }),
      'client 7: receive packet verification failed',
    ],
    [
      'names the highest possible height',
      (a, b, packet) =>
        raw(b, packet, {
          ...proved(a, packet),
          proofHeight: { revisionNumber: (1n << 64n) - 1n, revisionHeight: (1n << 64n) - 1n },
        }),
      'ibc 9: receive packet verification failed',
    ],
    ['sends no proof', (_a, b, packet) => raw(b, packet, {}), 'commitment 2: cannot submit an empty commitment proof'],
    [
      'sends bytes as a proof',
      (a, b, packet) => raw(b, packet, { ...proved(a, packet), proofCommitment: new Uint8Array(40).fill(255) }),
      'commitment 2: receive packet verification failed',
    ],
    [
      'sends the proof of another key',
      (a, b, packet) => {
        const { proof } = proofOf(a, channelKey(a));
        return raw(b, packet, { ...proved(a, packet), proofCommitment: proof });
      },
      "commitment 2: receive packet verification failed: couldn't verify counterparty packet commitment: failed packet commitment verification for client (07-tendermint-0): failed to verify membership proof at index 0: provided key doesn't match proof",
    ],
    [
      'proves the absence of another packet',
      (a, b, packet) => {
        const { proof } = proofOf(a, packetKey('commitments', a, 9n));
        return raw(b, packet, { ...proved(a, packet), proofCommitment: proof });
      },
      'commitment proof must be existence proof',
    ],
  ])('is refused when it %s', (_, make, expected) => {
    expect(attack(make)).toContain(expected);
  });

  test('cannot forge an acknowledgement, or time out a packet that was received', () => {
    const { a, b } = path(Order.UNORDERED);
    const packet = send(a, 'one', a.chain.now + MINUTE);
    const received = after(b, a, () => receive(b, a, packet));
    const answer = packetsOf(received, 'write_acknowledgement')[0]?.acknowledgement ?? new Uint8Array();
    const kept = packetKey('commitments', a, 1n);
    const forge = (acknowledgement: Uint8Array) => () => {
      const { proof: proofAcked, proofHeight } = proofOf(b, packetKey('acks', b, 1n));
      return anyOf(MsgAcknowledgementSchema, {
        packet,
        acknowledgement,
        proofAcked,
        proofHeight,
        signer: a.chain.account(0),
      });
    };
    expect(refused(after(a, b, forge(utf8('{"result":"AQ=="}'))))).toContain('commitment 2');
    expect(refused(after(a, b, forge(utf8('{"result": "AQ=="}'))))).toContain(
      'channel 16: acknowledge packet verification failed: acknowledgement marshalling error',
    );
    for (const { chain } of [a, b]) chain.block([], 120n);
    b.chain.block();
    expect(refused(after(a, b, () => timeout(a, b, packet)))).toContain(
      'commitment 2: timeout packet verification failed: failed packet receipt absence verification',
    );
    const early = () => {
      const { proof: proofUnreceived } = proofOf(b, packetKey('receipts', b, 1n));
      return anyOf(MsgTimeoutSchema, {
        packet,
        proofUnreceived,
        proofHeight: heightOf(b.chain, b.known),
        nextSequenceRecv: 1n,
        signer: a.chain.account(0),
      });
    };
    expect(after(a, b, early).code).not.toBe(0);
    expect(a.chain.value(kept)).toBeDefined();
    expect(after(a, b, () => acknowledge(a, b, packet, answer)).log).toBe('');
    expect(heard).toEqual(['received 1', 'answer to 1']);
  });

  test('cannot use a frozen client', () => {
    const { a, b } = path(Order.UNORDERED);
    const packet = send(a, 'one');
    deliver(b, [update(b, a)]);
    const message = receive(b, a, packet);
    const honest = a.chain.shown(a.chain.height);
    const header = { ...honest.header, appHash: new Uint8Array(32).fill(1) };
    const misbehaviour = create(MisbehaviourSchema, {
      clientId: b.clientId,
      header1: headerOf(a.chain, knownBelow(b)),
      header2: headerOf(a.chain, knownBelow(b), { header, commit: commitOf(header, a.chain.ordered) }),
    });
    deliver(b, [
      anyOf(MsgSubmitMisbehaviourSchema, {
        clientId: b.clientId,
        misbehaviour: packAny(MisbehaviourSchema, misbehaviour),
        signer: b.chain.account(0),
      }),
    ]);
    expect(refused(b.chain.send([message]))).toContain(
      "client 29: receive packet verification failed: couldn't verify counterparty packet commitment: failed packet commitment verification for client (07-tendermint-0): cannot call verify membership on client (07-tendermint-0) with status Frozen: client state is not active",
    );
    expect(() => send(b, 'more')).toThrow('cannot send packet using client (07-tendermint-0) with status Frozen');
  });

  test('cannot close a channel of the transfer application', () => {
    const [a, b] = createClients(new IbcChain('alpha-1'), new IbcChain('beta-4'));
    connect(a, b);
    openChannel(a, b);
    const close = anyOf(MsgChannelCloseInitSchema, {
      portId: 'transfer',
      channelId: 'channel-0',
      signer: a.chain.account(0),
    });
    expect(refused(a.chain.send([close]))).toBe(
      'ibc 8: channel close init callback failed for port ID: transfer, channel ID: channel-0: user cannot close channel: invalid request',
    );
  });
});

/** A height below the newest that a client knows. */
const knownBelow = (on: End): bigint => on.chain.knownHeight(on.clientId, on.known - 1n);

function proved(a: End, packet: Packet) {
  const { proof, proofHeight } = proofOf(a, packetKey('commitments', a, packet.sequence));
  return { proofCommitment: proof, proofHeight };
}

/** The message with its proof, but for another packet. */
function withProof(b: End, message: ReturnType<typeof receive>, packet: Packet) {
  const { proofCommitment, proofHeight } = fromBinary(MsgRecvPacketSchema, message.value);
  return anyOf(MsgRecvPacketSchema, {
    packet,
    proofCommitment,
    ...(proofHeight && { proofHeight }),
    signer: b.chain.account(0),
  });
}
