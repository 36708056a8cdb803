/**
 * Verifies claims about the counterparty of a connection (ibc-go v10 `modules/core/03-connection/keeper/verify.go`).
 */
import { toBinary } from '@bufbuild/protobuf';
import { be64 } from '../../../bytes/big-endian.js';
import { type Channel, ChannelSchema } from '../../../proto/ibc/core/channel/v1/channel_pb.js';
import {
  type ConnectionEnd,
  ConnectionEndSchema,
  ParamsSchema,
} from '../../../proto/ibc/core/connection/v1/connection_pb.js';
import { complete } from '../../../sdk/codec/complete-message.js';
import type { Context } from '../../../sdk/module/context.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { verifyClaimOf } from '../client/clients.js';
import { commitmentErrors } from '../errors.js';
import { channelKey, connectionKey, nextSequenceRecvKey, packetKey, type PortChannel } from '../keys.js';
import type { RevisionHeight } from '../self-height.js';
import { CONNECTION_PARAMS, readMessage } from '../store.js';
import { type Delay, NO_DELAY } from '../client/tendermint-proofs.js';

/** A relayer's proof, and the height of the header that it is verified against. */
export interface Proof {
  readonly proof: Uint8Array;
  readonly height: RevisionHeight;
}

interface Claimed {
  readonly what: string;
  readonly key: Uint8Array;
  /** Absent: the claim is that the key has no value. */
  readonly value?: Uint8Array;
  readonly delay: Delay;
}

function verify(
  context: Context,
  { clientId, counterparty }: ConnectionEnd,
  { proof, height }: Proof,
  { what, key, value, delay }: Claimed,
): void {
  const prefix = counterparty?.prefix?.keyPrefix ?? new Uint8Array();
  if (prefix.length === 0) throw new SdkError(commitmentErrors.invalidPrefix, "prefix can't be empty");
  wrapping(`failed ${what} verification for client (${clientId})`, () =>
    verifyClaimOf(context, clientId, { path: [prefix, key], value, proof, height, delay }),
  );
}

/** Verifies that the other chain has this connection. */
export function verifyConnectionState(
  context: Context,
  connection: ConnectionEnd,
  proof: Proof,
  connectionId: string,
  expected: ConnectionEnd,
): void {
  verify(context, connection, proof, {
    what: 'connection state',
    key: connectionKey(connectionId),
    value: toBinary(ConnectionEndSchema, complete(ConnectionEndSchema, expected)),
    delay: NO_DELAY,
  });
}

/** Verifies that the other chain has this channel. */
export function verifyChannelState(
  context: Context,
  connection: ConnectionEnd,
  proof: Proof,
  names: PortChannel,
  expected: Channel,
): void {
  verify(context, connection, proof, {
    what: 'channel state',
    key: channelKey(names),
    value: toBinary(ChannelSchema, complete(ChannelSchema, expected)),
    delay: NO_DELAY,
  });
}

/** Verifies that the other chain sent a packet with this commitment. */
export function verifyCommitment(
  context: Context,
  connection: ConnectionEnd,
  proof: Proof,
  names: PortChannel,
  sequence: bigint,
  commitment: Uint8Array,
): void {
  verify(context, connection, proof, {
    what: 'packet commitment',
    key: packetKey('commitments', names, sequence),
    value: commitment,
    delay: delayOf(context, connection),
  });
}

/** Verifies that the other chain stored this acknowledgement. */
export function verifyAcknowledgement(
  context: Context,
  connection: ConnectionEnd,
  proof: Proof,
  names: PortChannel,
  sequence: bigint,
  acknowledgement: Uint8Array,
): void {
  verify(context, connection, proof, {
    what: 'packet acknowledgement',
    key: packetKey('acks', names, sequence),
    value: context.crypto.sha256(acknowledgement),
    delay: delayOf(context, connection),
  });
}

/** Verifies that the other chain did not receive a packet. */
export function verifyNoReceipt(
  context: Context,
  connection: ConnectionEnd,
  proof: Proof,
  names: PortChannel,
  sequence: bigint,
): void {
  verify(context, connection, proof, {
    what: 'packet receipt absence',
    key: packetKey('receipts', names, sequence),
    delay: delayOf(context, connection),
  });
}

/** Verifies the next sequence that the other chain receives. */
export function verifyNextReceived(
  context: Context,
  connection: ConnectionEnd,
  proof: Proof,
  names: PortChannel,
  next: bigint,
): void {
  verify(context, connection, proof, {
    what: 'next sequence receive',
    key: nextSequenceRecvKey(names),
    value: be64(next),
    delay: delayOf(context, connection),
  });
}

/** Packet delay of a connection: its time, and the maximum number of blocks of this chain in that time. */
function delayOf(context: Context, { delayPeriod: time }: ConnectionEnd): Delay {
  const expected = readMessage(context, CONNECTION_PARAMS, ParamsSchema).maxExpectedTimePerBlock;
  // Computed in floating point like the peer.
  const blocks = expected === 0n ? 0n : BigInt(Math.ceil(Number(time) / Number(expected)));
  return { time, blocks };
}
