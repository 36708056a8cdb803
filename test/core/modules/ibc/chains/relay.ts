/** Messages of a relayer between two chains: clients, handshakes and packets, with headers and proofs. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { toDuration } from '../../../../../src/core/comet/time.js';
import { iavlSpec, simpleSpec } from '../../../../../src/core/modules/ibc/ics23/specs.js';
import { revisionOf } from '../../../../../src/core/modules/ibc/self-height.js';
import type { ExecTxResult } from '../../../../../src/core/proto/tendermint/abci/types_pb.js';
import { VERSION } from '../../../../../src/core/modules/ibc/connection/connections.js';
import { channelKey, connectionKey, nextSequenceRecvKey, packetKey } from '../../../../../src/core/modules/ibc/keys.js';
import {
  Order,
  type Packet,
  PacketSchema,
  State,
} from '../../../../../src/core/proto/ibc/core/channel/v1/channel_pb.js';
import * as channel from '../../../../../src/core/proto/ibc/core/channel/v1/tx_pb.js';
import * as connection from '../../../../../src/core/proto/ibc/core/connection/v1/tx_pb.js';
import * as client from '../../../../../src/core/proto/ibc/core/client/v1/tx_pb.js';
import {
  ClientStateSchema,
  ConsensusStateSchema,
  type Header,
  HeaderSchema,
} from '../../../../../src/core/proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { packAny } from '../../../../../src/core/sdk/codec/any.js';
import { complete } from '../../../../../src/core/sdk/codec/complete-message.js';
import { anyOf, type IbcChain, type Shown, utf8 } from './chain.js';

const SECOND = 1_000_000_000n;
const HOUR = 3_600n * SECOND;

export type Choices = Exclude<MessageInitShape<typeof ClientStateSchema>, { readonly $typeName: string }>;

/** A height of a chain. */
export const heightOf = (chain: IbcChain, height: bigint) => ({
  revisionNumber: revisionOf(chain.chainId),
  revisionHeight: height,
});

/** The state of a new client for a chain at a height. */
export const clientStateOf = (chain: IbcChain, height: bigint, choices: Choices = {}) =>
  complete(
    ClientStateSchema,
    create(ClientStateSchema, {
      chainId: chain.chainId,
      trustLevel: { numerator: 1n, denominator: 3n },
      trustingPeriod: toDuration(2n * HOUR),
      unbondingPeriod: toDuration(3n * HOUR),
      maxClockDrift: toDuration(10n * SECOND),
      latestHeight: heightOf(chain, height),
      proofSpecs: [iavlSpec(), simpleSpec()],
      upgradePath: ['upgrade', 'upgradedIBCState'],
      ...choices,
    }),
  );

/** The consensus state of a block. */
export const consensusStateOf = ({ header }: Shown) =>
  create(ConsensusStateSchema, {
    ...(header.time && { timestamp: header.time }),
    root: { hash: header.appHash },
    nextValidatorsHash: header.nextValidatorsHash,
  });

/** The message that makes a client on `on` for the last block of `of`. */
export function createClient(on: IbcChain, of: IbcChain, choices: Choices = {}): Any {
  return anyOf(client.MsgCreateClientSchema, {
    clientState: packAny(ClientStateSchema, clientStateOf(of, of.height, choices)),
    consensusState: packAny(ConsensusStateSchema, consensusStateOf(of.shown(of.height))),
    signer: on.account(0),
  });
}

/** A header of a chain with its validators, to be trusted by an earlier block. */
export const headerOf = (
  chain: IbcChain,
  trusted: bigint,
  shown: Shown = chain.shown(chain.height),
  validators = chain.validators,
  trustedValidators = chain.validators,
): Header =>
  create(HeaderSchema, {
    signedHeader: { header: shown.header, commit: shown.commit },
    validatorSet: validators,
    trustedHeight: heightOf(chain, trusted),
    trustedValidators,
  });

/** The message that brings a header to a client on `on`. */
export const updateClient = (on: IbcChain, clientId: string, header: Header): Any =>
  anyOf(client.MsgUpdateClientSchema, {
    clientId,
    clientMessage: packAny(HeaderSchema, header),
    signer: on.account(0),
  });

/** One end of a path between two chains. */
export interface End {
  readonly chain: IbcChain;
  clientId: string;
  connectionId: string;
  channelId: string;
  portId: string;
  /** The last height of the other chain that the client here knows. */
  known: bigint;
}

const endOf = (chain: IbcChain): End => ({
  chain,
  clientId: '07-tendermint-0',
  connectionId: 'connection-0',
  channelId: 'channel-0',
  portId: 'transfer',
  known: 0n,
});

/** The value of an attribute in the last event of a type. */
export function attributeOf({ events }: ExecTxResult, type: string, key: string): string {
  const found = events.findLast((event) => event.type === type)?.attributes.find((each) => each.key === key);
  if (found === undefined) throw new Error(`no ${type}.${key}`);
  return found.value;
}

/** Sends messages that must succeed. */
export function deliver(end: End, messages: readonly Any[]): ExecTxResult {
  const result = end.chain.send(messages);
  if (result.code !== 0) throw new Error(result.log);
  return result;
}

/** The message that updates the client of `on` with the newest header of the other chain. */
export function update(on: End, of: End): Any {
  const message = updateClient(on.chain, on.clientId, headerOf(of.chain, on.known));
  on.known = of.chain.height;
  return message;
}

/** A proof of a key of the other chain in the state before its last block, whose header has that app hash. */
export const proofOf = (of: End, key: Uint8Array) => ({
  proof: of.chain.prove(key, of.chain.height - 1n),
  proofHeight: heightOf(of.chain, of.chain.height),
});

/** Advances the chain that is behind to the time of the other, as both follow one clock. */
export function synchronize({ chain: a }: End, { chain: b }: End): void {
  for (const [late, early] of [
    [a, b],
    [b, a],
  ] as const)
    if (early.now < late.now) early.block([], (late.now - early.now) / SECOND);
}

/** Makes clients on both chains. */
export function createClients(a: IbcChain, b: IbcChain, choices: Choices = {}): readonly [End, End] {
  const [here, there] = [endOf(a), endOf(b)];
  for (const chain of [a, b]) chain.block();
  for (const [on, of] of [
    [here, there],
    [there, here],
  ] as const) {
    synchronize(here, there);
    on.known = of.chain.height;
    on.clientId = attributeOf(deliver(on, [createClient(on.chain, of.chain, choices)]), 'create_client', 'client_id');
  }
  return [here, there];
}

/** Opens a connection. */
export function connect(a: End, b: End, delayPeriod = 0n): void {
  const prefix = { keyPrefix: utf8('ibc') };
  const counterparty = (of: End) => ({ clientId: of.clientId, connectionId: of.connectionId, prefix });
  const init = deliver(a, [
    anyOf(connection.MsgConnectionOpenInitSchema, {
      clientId: a.clientId,
      counterparty: { clientId: b.clientId, prefix },
      version: VERSION,
      delayPeriod,
      signer: a.chain.account(0),
    }),
  ]);
  a.connectionId = attributeOf(init, 'connection_open_init', 'connection_id');
  synchronize(a, b);
  const { proof: proofInit, proofHeight } = proofOf(a, connectionKey(a.connectionId));
  const tried = deliver(b, [
    update(b, a),
    anyOf(connection.MsgConnectionOpenTrySchema, {
      clientId: b.clientId,
      counterparty: counterparty(a),
      counterpartyVersions: [VERSION],
      delayPeriod,
      proofInit,
      proofHeight,
      signer: b.chain.account(0),
    }),
  ]);
  b.connectionId = attributeOf(tried, 'connection_open_try', 'connection_id');
  synchronize(a, b);
  const { proof: proofTry, proofHeight: tryHeight } = proofOf(b, connectionKey(b.connectionId));
  deliver(a, [
    update(a, b),
    anyOf(connection.MsgConnectionOpenAckSchema, {
      connectionId: a.connectionId,
      counterpartyConnectionId: b.connectionId,
      version: VERSION,
      proofTry,
      proofHeight: tryHeight,
      signer: a.chain.account(0),
    }),
  ]);
  synchronize(a, b);
  const { proof: proofAck, proofHeight: ackHeight } = proofOf(a, connectionKey(a.connectionId));
  deliver(b, [
    update(b, a),
    anyOf(connection.MsgConnectionOpenConfirmSchema, {
      connectionId: b.connectionId,
      proofAck,
      proofHeight: ackHeight,
      signer: b.chain.account(0),
    }),
  ]);
  synchronize(a, b);
}

/** Opens a channel. */
export function openChannel(a: End, b: End, version = 'ics20-1', ordering = Order.UNORDERED): void {
  const init = deliver(a, [
    anyOf(channel.MsgChannelOpenInitSchema, {
      portId: a.portId,
      channel: {
        state: State.INIT,
        ordering,
        counterparty: { portId: b.portId },
        connectionHops: [a.connectionId],
        version,
      },
      signer: a.chain.account(0),
    }),
  ]);
  a.channelId = attributeOf(init, 'channel_open_init', 'channel_id');
  synchronize(a, b);
  const { proof: proofInit, proofHeight } = proofOf(a, channelKey(a));
  const tried = deliver(b, [
    update(b, a),
    anyOf(channel.MsgChannelOpenTrySchema, {
      portId: b.portId,
      channel: {
        state: State.TRYOPEN,
        ordering,
        counterparty: { portId: a.portId, channelId: a.channelId },
        connectionHops: [b.connectionId],
      },
      counterpartyVersion: version,
      proofInit,
      proofHeight,
      signer: b.chain.account(0),
    }),
  ]);
  b.channelId = attributeOf(tried, 'channel_open_try', 'channel_id');
  synchronize(a, b);
  const { proof: proofTry, proofHeight: tryHeight } = proofOf(b, channelKey(b));
  deliver(a, [
    update(a, b),
    anyOf(channel.MsgChannelOpenAckSchema, {
      portId: a.portId,
      channelId: a.channelId,
      counterpartyChannelId: b.channelId,
      counterpartyVersion: version,
      proofTry,
      proofHeight: tryHeight,
      signer: a.chain.account(0),
    }),
  ]);
  synchronize(a, b);
  const { proof: proofAck, proofHeight: ackHeight } = proofOf(a, channelKey(a));
  deliver(b, [
    update(b, a),
    anyOf(channel.MsgChannelOpenConfirmSchema, {
      portId: b.portId,
      channelId: b.channelId,
      proofAck,
      proofHeight: ackHeight,
      signer: b.chain.account(0),
    }),
  ]);
  synchronize(a, b);
}

/** Packets in the `send_packet` events of a result, or in `write_acknowledgement` with their acknowledgements. */
export function packetsOf(
  { events }: ExecTxResult,
  type: 'send_packet' | 'write_acknowledgement' = 'send_packet',
): readonly { readonly packet: Packet; readonly acknowledgement: Uint8Array }[] {
  return events
    .filter((event) => event.type === type)
    .map(({ attributes }) => {
      const at = (key: string): string => attributes.find((each) => each.key === key)?.value ?? '';
      const [revisionNumber = '0', revisionHeight = '0'] = at('packet_timeout_height').split('-');
      return {
        packet: create(PacketSchema, {
          sequence: BigInt(at('packet_sequence')),
          sourcePort: at('packet_src_port'),
          sourceChannel: at('packet_src_channel'),
          destinationPort: at('packet_dst_port'),
          destinationChannel: at('packet_dst_channel'),
          data: Buffer.from(at('packet_data_hex'), 'hex'),
          timeoutHeight: { revisionNumber: BigInt(revisionNumber), revisionHeight: BigInt(revisionHeight) },
          timeoutTimestamp: BigInt(at('packet_timeout_timestamp')),
        }),
        acknowledgement: Buffer.from(at('packet_ack_hex'), 'hex'),
      };
    });
}

const from = ({ sourcePort, sourceChannel }: Packet) => ({ portId: sourcePort, channelId: sourceChannel });
const to = ({ destinationPort, destinationChannel }: Packet) => ({
  portId: destinationPort,
  channelId: destinationChannel,
});

/** The message that brings a packet of `of` to `on`, by the newest header of `of`. */
export function receive(on: End, of: End, packet: Packet): Any {
  const { proof, proofHeight } = proofOf(of, packetKey('commitments', from(packet), packet.sequence));
  return anyOf(channel.MsgRecvPacketSchema, {
    packet,
    proofCommitment: proof,
    proofHeight,
    signer: on.chain.account(0),
  });
}

/** The message that brings the acknowledgement of `of` to a packet of `on`. */
export function acknowledge(on: End, of: End, packet: Packet, acknowledgement: Uint8Array): Any {
  const { proof, proofHeight } = proofOf(of, packetKey('acks', to(packet), packet.sequence));
  return anyOf(channel.MsgAcknowledgementSchema, {
    packet,
    acknowledgement,
    proofAcked: proof,
    proofHeight,
    signer: on.chain.account(0),
  });
}

/** The message that proves to `on` that `of` did not receive a packet. */
export function timeout(on: End, of: End, packet: Packet, isOrdered = false): Any {
  const key = isOrdered ? nextSequenceRecvKey(to(packet)) : packetKey('receipts', to(packet), packet.sequence);
  const { proof, proofHeight } = proofOf(of, key);
  return anyOf(channel.MsgTimeoutSchema, {
    packet,
    proofUnreceived: proof,
    proofHeight,
    nextSequenceRecv: packet.sequence,
    signer: on.chain.account(0),
  });
}

/** Sends a message that must succeed, and returns its packet. */
export function sendPacketOf(from: End, message: Any): Packet {
  const [sent] = packetsOf(deliver(from, [message]));
  if (sent === undefined) throw new Error('no packet');
  return sent.packet;
}

/** Results of receiving a packet and of acknowledging it, and the acknowledgement as text. */
export interface Relayed {
  readonly received: ExecTxResult;
  readonly answered: ExecTxResult;
  readonly answer: string;
}

/** Relays a packet to the other chain, and its acknowledgement back. */
export function relay(from: End, to: End, packet: Packet): Relayed {
  synchronize(from, to);
  const received = deliver(to, [update(to, from), receive(to, from, packet)]);
  const acknowledgement = packetsOf(received, 'write_acknowledgement')[0]?.acknowledgement ?? new Uint8Array();
  synchronize(from, to);
  const answered = deliver(from, [update(from, to), acknowledge(from, to, packet, acknowledgement)]);
  return { received, answered, answer: Buffer.from(acknowledgement).toString() };
}
