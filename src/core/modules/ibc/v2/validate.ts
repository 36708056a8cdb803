/** Stateless validation of v2 packets and messages (ibc-go v10 `modules/core/04-channel/v2/types`). */
import { create } from '@bufbuild/protobuf';
import {
  type Acknowledgement,
  AcknowledgementSchema,
  type Packet,
  PacketSchema,
  type Payload,
} from '../../../proto/ibc/core/channel/v2/packet_pb.js';
import type * as pb from '../../../proto/ibc/core/channel/v2/tx_pb.js';
import { isBlank } from '../../../sdk/go/go-text.js';
import type { ValidationRules } from '../../../sdk/module/context.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { MAX_DATA } from '../channel/validate-packet.js';
import { channelErrorsV2, commitmentErrors } from '../errors.js';
import { requireClientIdentifier, validateIdentifier } from '../identifiers.js';
import { validateSigner } from '../signers.js';

/** Packet of a message; empty when absent. */
export function packetOf({ packet }: { readonly packet?: Packet | undefined }): Packet {
  return packet ?? create(PacketSchema);
}

/** Acknowledgement of a message; empty when absent. */
export function answersOf({ acknowledgement }: pb.MsgAcknowledgement): Acknowledgement {
  return acknowledgement ?? create(AcknowledgementSchema);
}

function validatePayload({ sourcePort, destinationPort, version, encoding, value }: Payload): void {
  validateIdentifier('port', sourcePort, 'invalid source port ID');
  validateIdentifier('port', destinationPort, 'invalid destination port ID');
  const refuse = (what: string): SdkError =>
    new SdkError(channelErrorsV2.invalidPayload, `payload ${what} cannot be empty`);
  if (isBlank(version)) throw refuse('version');
  if (isBlank(encoding)) throw refuse('encoding');
  if (value.length === 0) throw refuse('value');
}

/** Validates a packet. */
export function validatePacket({
  payloads,
  sourceClient,
  destinationClient,
  sequence,
  timeoutTimestamp,
}: Packet): void {
  const refuse = (reason: string): SdkError => new SdkError(channelErrorsV2.invalidPacket, reason);
  const [payload, ...more] = payloads;
  if (payload === undefined || more.length > 0) throw refuse('payloads must contain exactly one payload');
  wrapping('invalid Payload', () => validatePayload(payload));
  if (payload.value.length > MAX_DATA) throw refuse(`packet data bytes cannot exceed ${MAX_DATA} bytes`);
  validateIdentifier('channel', sourceClient, 'invalid source ID');
  validateIdentifier('channel', destinationClient, 'invalid destination ID');
  if (sequence === 0n) throw refuse('packet sequence cannot be 0');
  if (timeoutTimestamp === 0n) throw refuse('packet timeout timestamp cannot be 0');
}

/** Requires exactly one acknowledgement, which must not be empty. */
export function validateAnswers({ appAcknowledgements }: Acknowledgement): void {
  const refuse = (reason: string): SdkError => new SdkError(channelErrorsV2.invalidAcknowledgement, reason);
  const [answer, ...more] = appAcknowledgements;
  if (answer === undefined || more.length > 0) throw refuse('app acknowledgements must be of length one');
  if (answer.length === 0) throw refuse('app acknowledgement cannot be empty');
}

function requireProof(proof: Uint8Array, refusal: string): void {
  if (proof.length === 0) throw new SdkError(commitmentErrors.invalidProof, refusal);
}

/** Checks a `MsgSendPacket`. */
export function send(
  { sourceClient, timeoutTimestamp, payloads, signer }: pb.MsgSendPacket,
  rules: ValidationRules,
): void {
  requireClientIdentifier(sourceClient);
  if (timeoutTimestamp === 0n) throw new SdkError(channelErrorsV2.invalidTimeout, 'timeout must not be 0');
  const [payload, ...more] = payloads;
  if (payload === undefined || more.length > 0)
    throw new SdkError(channelErrorsV2.invalidPayload, `payloads must be of length 1, got ${payloads.length} instead`);
  validatePayload(payload);
  validateSigner(signer, rules.chain.bech32Prefix);
}

/** Checks a `MsgRecvPacket`. */
export function receive(message: pb.MsgRecvPacket, rules: ValidationRules): void {
  requireProof(message.proofCommitment, 'proof commitment can not be empty');
  validateSigner(message.signer, rules.chain.bech32Prefix);
  validatePacket(packetOf(message));
}

/** Checks a `MsgAcknowledgement`. */
export function acknowledge(message: pb.MsgAcknowledgement, rules: ValidationRules): void {
  requireProof(message.proofAcked, 'cannot submit an empty acknowledgement proof');
  validateAnswers(answersOf(message));
  validateSigner(message.signer, rules.chain.bech32Prefix);
  validatePacket(packetOf(message));
}

/** Checks a `MsgTimeout`. */
export function timeout(message: pb.MsgTimeout, rules: ValidationRules): void {
  requireProof(message.proofUnreceived, 'proof unreceived can not be empty');
  validateSigner(message.signer, rules.chain.bech32Prefix);
  validatePacket(packetOf(message));
}
