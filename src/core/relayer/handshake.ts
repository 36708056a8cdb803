/**
 * Handshake messages of connections and channels (ibc-go v10 `proto/ibc/core/connection/v1/tx.proto`,
 * `proto/ibc/core/channel/v1/tx.proto`).
 */
import { create, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { utf8 } from '../bytes/bytes.js';
import { VERSION } from '../modules/ibc/connection/connections.js';
import { channelKey, connectionKey } from '../modules/ibc/keys.js';
import type { RevisionHeight } from '../modules/ibc/self-height.js';
import { Order, State } from '../proto/ibc/core/channel/v1/channel_pb.js';
import * as channel from '../proto/ibc/core/channel/v1/tx_pb.js';
import * as connection from '../proto/ibc/core/connection/v1/tx_pb.js';
import { packAny } from '../sdk/codec/any.js';
import type { PathEnd, Phase } from './path.js';

/** Port and channel version of token transfers (ICS-20). */
export const TRANSFER_PORT = 'transfer';
const TRANSFER_VERSION = 'ics20-1';
const PREFIX = { keyPrefix: utf8('ibc') };

/** Proof from the other chain, and the height of its header. */
export interface RelayedProof {
  readonly proof: Uint8Array;
  readonly proofHeight: RevisionHeight;
}

/** Data of one handshake message: own end, other chain's end, and signer. */
export interface HandshakeEnds {
  readonly own: PathEnd;
  readonly other: PathEnd;
  readonly signer: string;
}

/** Packs a message into an `Any`. */
export function messageOf<Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): Any {
  return packAny(schema, create(schema, message));
}

/** State key of the other chain that a handshake message proves. */
export function provenKey(kind: 'connection' | 'channel', { connectionId, channelId }: PathEnd): Uint8Array {
  return kind === 'connection' ? connectionKey(connectionId) : channelKey({ portId: TRANSFER_PORT, channelId });
}

/** First message of a handshake; it needs no proof. */
export function initMessage(kind: 'connection' | 'channel', { own, other, signer }: HandshakeEnds): Any {
  if (kind === 'connection')
    return messageOf(connection.MsgConnectionOpenInitSchema, {
      clientId: own.clientId,
      counterparty: { clientId: other.clientId, prefix: PREFIX },
      version: VERSION,
      signer,
    });
  return messageOf(channel.MsgChannelOpenInitSchema, {
    portId: TRANSFER_PORT,
    channel: {
      state: State.INIT,
      ordering: Order.UNORDERED,
      counterparty: { portId: TRANSFER_PORT },
      connectionHops: [own.connectionId],
      version: TRANSFER_VERSION,
    },
    signer,
  });
}

/** Later message of a handshake, with a proof of the other end. */
export function handshakeMessage(
  kind: 'connection' | 'channel',
  phase: Exclude<Phase, 'init'>,
  ends: HandshakeEnds,
  proof: RelayedProof,
): Any {
  return kind === 'connection' ? connectionMessage(phase, ends, proof) : channelMessage(phase, ends, proof);
}

function connectionMessage(
  phase: Exclude<Phase, 'init'>,
  { own, other, signer }: HandshakeEnds,
  { proof, proofHeight }: RelayedProof,
): Any {
  const { connectionId, clientId } = own;
  switch (phase) {
    case 'try':
      return messageOf(connection.MsgConnectionOpenTrySchema, {
        clientId,
        counterparty: { clientId: other.clientId, connectionId: other.connectionId, prefix: PREFIX },
        counterpartyVersions: [VERSION],
        proofInit: proof,
        proofHeight,
        signer,
      });
    case 'ack':
      return messageOf(connection.MsgConnectionOpenAckSchema, {
        connectionId,
        counterpartyConnectionId: other.connectionId,
        version: VERSION,
        proofTry: proof,
        proofHeight,
        signer,
      });
    case 'confirm':
      return messageOf(connection.MsgConnectionOpenConfirmSchema, {
        connectionId,
        proofAck: proof,
        proofHeight,
        signer,
      });
  }
}

function channelMessage(
  phase: Exclude<Phase, 'init'>,
  { own, other, signer }: HandshakeEnds,
  { proof, proofHeight }: RelayedProof,
): Any {
  const portId = TRANSFER_PORT;
  switch (phase) {
    case 'try':
      return messageOf(channel.MsgChannelOpenTrySchema, {
        portId,
        channel: {
          state: State.TRYOPEN,
          ordering: Order.UNORDERED,
          counterparty: { portId, channelId: other.channelId },
          connectionHops: [own.connectionId],
        },
        counterpartyVersion: TRANSFER_VERSION,
        proofInit: proof,
        proofHeight,
        signer,
      });
    case 'ack':
      return messageOf(channel.MsgChannelOpenAckSchema, {
        portId,
        channelId: own.channelId,
        counterpartyChannelId: other.channelId,
        counterpartyVersion: TRANSFER_VERSION,
        proofTry: proof,
        proofHeight,
        signer,
      });
    case 'confirm':
      return messageOf(channel.MsgChannelOpenConfirmSchema, {
        portId,
        channelId: own.channelId,
        proofAck: proof,
        proofHeight,
        signer,
      });
  }
}
