/** Stateless validation of channel messages (ibc-go v10 `modules/core/04-channel/types/msgs.go`). */
import {
  type Channel,
  Order,
  type Packet,
  PacketSchema,
  State,
} from '../../../proto/ibc/core/channel/v1/channel_pb.js';
import { create } from '@bufbuild/protobuf';
import type * as pb from '../../../proto/ibc/core/channel/v1/tx_pb.js';
import type { ValidationRules } from '../../../sdk/module/context.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { channelErrors, commitmentErrors, ibcErrors } from '../errors.js';
import { isChannelName, validateIdentifier } from '../identifiers.js';
import { orderName, stateName } from '../names.js';
import { validateSigner } from '../signers.js';
import { validatePacket } from './validate-packet.js';

function requireProof(proof: Uint8Array, what: string): void {
  if (proof.length === 0) throw new SdkError(commitmentErrors.invalidProof, `cannot submit an empty ${what}`);
}

function requireOwnChannel(portId: string, channelId: string): void {
  validateIdentifier('port', portId, 'invalid port ID');
  if (!isChannelName(channelId)) throw new SdkError(channelErrors.invalidIdentifier);
}

function requireState(channel: Channel | undefined, expected: State.INIT | State.TRYOPEN, message: string): void {
  const { state = State.UNINITIALIZED_UNSPECIFIED } = channel ?? {};
  if (state !== expected)
    throw new SdkError(
      channelErrors.invalidState,
      `channel state must be ${State[expected]} in ${message}. expected: ${stateName(expected)}, got: ${stateName(state)}`,
    );
}

/** Ports `Channel.ValidateBasic`. */
function requireChannel(channel: Channel | undefined): void {
  const { ordering = Order.NONE_UNSPECIFIED, connectionHops = [], counterparty } = channel ?? {};
  if (ordering !== Order.ORDERED && ordering !== Order.UNORDERED)
    throw new SdkError(channelErrors.invalidOrdering, orderName(ordering));
  const [hop = ''] = connectionHops;
  if (connectionHops.length !== 1)
    throw new SdkError(channelErrors.tooManyHops, 'current IBC version only supports one connection hop');
  validateIdentifier('connection', hop, 'invalid connection hop ID');
  validateIdentifier('port', counterparty?.portId ?? '', 'invalid counterparty port ID');
  if ((counterparty?.channelId ?? '') !== '')
    validateIdentifier('channel', counterparty?.channelId ?? '', 'invalid counterparty channel ID');
}

/** Checks a `MsgChannelOpenInit`: state INIT, one hop, a known ordering; throws SdkError. */
export function openInit({ portId, channel, signer }: pb.MsgChannelOpenInit, rules: ValidationRules): void {
  validateIdentifier('port', portId, 'invalid port ID');
  requireState(channel, State.INIT, 'MsgChannelOpenInit');
  if ((channel?.counterparty?.channelId ?? '') !== '')
    throw new SdkError(channelErrors.invalidCounterparty, 'counterparty channel identifier must be empty');
  validateSigner(signer, rules.chain.bech32Prefix);
  requireChannel(channel);
}

/** Checks a `MsgChannelOpenTry`; throws SdkError. */
export function openTry(message: pb.MsgChannelOpenTry, rules: ValidationRules): void {
  const { portId, previousChannelId, channel, proofInit, signer } = message;
  validateIdentifier('port', portId, 'invalid port ID');
  if (previousChannelId !== '')
    throw new SdkError(
      channelErrors.invalidIdentifier,
      'previous channel identifier must be empty, this field has been deprecated as crossing hellos are no longer supported',
    );
  requireProof(proofInit, 'init proof');
  requireState(channel, State.TRYOPEN, 'MsgChannelOpenTry');
  validateIdentifier('channel', channel?.counterparty?.channelId ?? '', 'invalid counterparty channel ID');
  validateSigner(signer, rules.chain.bech32Prefix);
  requireChannel(channel);
}

/** Checks a `MsgChannelOpenAck`; throws SdkError. */
export function openAck(message: pb.MsgChannelOpenAck, rules: ValidationRules): void {
  const { portId, channelId, counterpartyChannelId, proofTry, signer } = message;
  requireOwnChannel(portId, channelId);
  validateIdentifier('channel', counterpartyChannelId, 'invalid counterparty channel ID');
  requireProof(proofTry, 'try proof');
  validateSigner(signer, rules.chain.bech32Prefix);
}

/** Checks a `MsgChannelOpenConfirm`; throws SdkError. */
export function openConfirm(message: pb.MsgChannelOpenConfirm, rules: ValidationRules): void {
  requireOwnChannel(message.portId, message.channelId);
  requireProof(message.proofAck, 'acknowledgement proof');
  validateSigner(message.signer, rules.chain.bech32Prefix);
}

/** Checks a `MsgChannelCloseInit`; throws SdkError. */
export function closeInit({ portId, channelId, signer }: pb.MsgChannelCloseInit, rules: ValidationRules): void {
  requireOwnChannel(portId, channelId);
  validateSigner(signer, rules.chain.bech32Prefix);
}

/** Checks a `MsgChannelCloseConfirm`; throws SdkError. */
export function closeConfirm(message: pb.MsgChannelCloseConfirm, rules: ValidationRules): void {
  requireOwnChannel(message.portId, message.channelId);
  requireProof(message.proofInit, 'init proof');
  validateSigner(message.signer, rules.chain.bech32Prefix);
}

/** Packet of a message; empty when it has none. */
export function packetOf({ packet }: { readonly packet?: Packet | undefined }): Packet {
  return packet ?? create(PacketSchema);
}

/** Checks a `MsgRecvPacket`; throws SdkError. */
export function receive(message: pb.MsgRecvPacket, rules: ValidationRules): void {
  requireProof(message.proofCommitment, 'commitment proof');
  validateSigner(message.signer, rules.chain.bech32Prefix);
  validatePacket(packetOf(message));
}

function requireSequence(next: bigint): void {
  if (next === 0n) throw new SdkError(ibcErrors.invalidSequence, 'next sequence receive cannot be 0');
}

/** Checks a `MsgTimeout`; throws SdkError. */
export function timeout(message: pb.MsgTimeout, rules: ValidationRules): void {
  requireProof(message.proofUnreceived, 'unreceived proof');
  requireSequence(message.nextSequenceRecv);
  validateSigner(message.signer, rules.chain.bech32Prefix);
  validatePacket(packetOf(message));
}

/** Checks a `MsgTimeoutOnClose`; throws SdkError. */
export function timeoutOnClose(message: pb.MsgTimeoutOnClose, rules: ValidationRules): void {
  requireSequence(message.nextSequenceRecv);
  requireProof(message.proofUnreceived, 'unreceived proof');
  requireProof(message.proofClose, 'proof of closed counterparty channel end');
  validateSigner(message.signer, rules.chain.bech32Prefix);
  validatePacket(packetOf(message));
}

/** Checks a `MsgAcknowledgement`; throws SdkError. */
export function acknowledge(message: pb.MsgAcknowledgement, rules: ValidationRules): void {
  requireProof(message.proofAcked, 'acknowledgement proof');
  if (message.acknowledgement.length === 0)
    throw new SdkError(channelErrors.invalidAcknowledgement, 'ack bytes cannot be empty');
  validateSigner(message.signer, rules.chain.bech32Prefix);
  validatePacket(packetOf(message));
}
