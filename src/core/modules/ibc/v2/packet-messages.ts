/** Packet messages of IBC v2 (ibc-go v10 `modules/core/04-channel/v2/keeper/msg_server.go`). */
import { create } from '@bufbuild/protobuf';
import { equal } from '../../../bytes/bytes.js';
import { AcknowledgementSchema, type Packet } from '../../../proto/ibc/core/channel/v2/packet_pb.js';
import { Msg, ResponseResultType } from '../../../proto/ibc/core/channel/v2/tx_pb.js';
import { requireAddress } from '../../../sdk/codec/address.js';
import { branch } from '../../../sdk/module/branch.js';
import type { Context, MessageHandler } from '../../../sdk/module/context.js';
import { message } from '../../../sdk/module/module.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { RecoveredPanic, SdkError } from '../../../sdk/module/sdk-error.js';
import { inBranch } from '../channel/in-branch.js';
import { channelErrorsV2 } from '../errors.js';
import { heightOf } from '../self-height.js';
import { errorAcknowledgement } from './commitments.js';
import { requireAllowedRelayer } from './counterparties.js';
import type { ClientPort, RoutedPayload } from './port.js';
import { acknowledgePacket, receivePacket, timeOut, writeAnswers } from './relayed.js';
import { sendPacket } from './sending.js';
import * as validate from './validate.js';

/** Application of a port; Go's router panics when there is none. */
function portOf(ports: readonly ClientPort[], id: string): ClientPort {
  const found = ports.find(({ name }) => name === id);
  if (found === undefined) throw new RecoveredPanic(`no route for ${id}`);
  return found;
}

/** Payloads of a packet, as applications receive them. */
function parcelsOf({ sourceClient, destinationClient, sequence, payloads }: Packet): readonly RoutedPayload[] {
  return payloads.map((payload) => ({ sourceClient, destinationClient, sequence, payload }));
}

/** Verifies a packet in a branch, then runs `take`; a packet that was relayed before changes nothing. */
function relay(context: Context, what: string, verify: (inner: Context) => boolean, take: () => void) {
  const { context: inner, commit } = branch(context);
  const isNew = wrapping(`${what} packet verification failed`, () => verify(inner));
  if (!isNew) return { result: ResponseResultType.NOOP };
  commit();
  take();
  return { result: ResponseResultType.SUCCESS };
}

/** Calls the packet's application and stores its acknowledgement. */
function receive(context: Context, ports: readonly ClientPort[], packet: Packet): void {
  const refusal = errorAcknowledgement(context);
  for (const parcel of parcelsOf(packet)) {
    const port = portOf(ports, parcel.payload.destinationPort);
    const answer = inBranch(
      context,
      (inner) => {
        const given = port.onReceive(inner, parcel);
        if (given.kind === 'taken' && equal(given.acknowledgement, refusal))
          throw new SdkError(
            channelErrorsV2.invalidAcknowledgement,
            'application acknowledgement cannot be sentinel error acknowledgement',
          );
        return given;
      },
      ({ kind }) => kind !== 'refused',
    );
    const bytes = answer.kind === 'taken' ? answer.acknowledgement : refusal;
    const answers = create(AcknowledgementSchema, { appAcknowledgements: [bytes] });
    validate.validateAnswers(answers);
    writeAnswers(context, packet, answers);
  }
}

const ofPacket = ({ sourceClient, destinationClient }: Packet, { payload }: RoutedPayload): string =>
  `for source port ${payload.sourcePort}, source client ${sourceClient}, destination client ${destinationClient}`;

/** Packet messages of a chain with these v2 applications. */
export function packetMessagesV2(ports: readonly ClientPort[]): readonly MessageHandler[] {
  return [
    message(Msg, 'sendPacket', {
      validate: validate.send,
      handle(context, request) {
        const signer = requireAddress(context.chain.bech32Prefix, request.signer, 'invalid address for msg Signer');
        const packet = wrapping(`send packet failed for source id: ${request.sourceClient}`, () =>
          sendPacket(context, request),
        );
        for (const parcel of parcelsOf(packet))
          portOf(ports, parcel.payload.sourcePort).onSend(context, parcel, signer);
        return { sequence: packet.sequence };
      },
    }),
    message(Msg, 'recvPacket', {
      validate: validate.receive,
      handle(context, request) {
        const packet = validate.packetOf(request);
        requireAllowedRelayer(context, packet.destinationClient, request.signer);
        const proof = { proof: request.proofCommitment, height: heightOf(request.proofHeight) };
        return relay(
          context,
          'receive',
          (inner) => receivePacket(inner, packet, proof),
          () => receive(context, ports, packet),
        );
      },
    }),
    message(Msg, 'acknowledgement', {
      validate: validate.acknowledge,
      handle(context, request) {
        const packet = validate.packetOf(request);
        const answers = validate.answersOf(request);
        requireAllowedRelayer(context, packet.sourceClient, request.signer);
        const proof = { proof: request.proofAcked, height: heightOf(request.proofHeight) };
        return relay(
          context,
          'acknowledge',
          (inner) => acknowledgePacket(inner, packet, answers, proof),
          () => {
            const [answer = new Uint8Array()] = answers.appAcknowledgements;
            for (const parcel of parcelsOf(packet)) {
              const port = portOf(ports, parcel.payload.sourcePort);
              wrapping(`failed OnAcknowledgementPacket ${ofPacket(packet, parcel)}`, () =>
                port.onAcknowledge(context, parcel, answer),
              );
            }
          },
        );
      },
    }),
    message(Msg, 'timeout', {
      validate: validate.timeout,
      handle(context, request) {
        const packet = validate.packetOf(request);
        requireAllowedRelayer(context, packet.sourceClient, request.signer);
        const proof = { proof: request.proofUnreceived, height: heightOf(request.proofHeight) };
        return relay(
          context,
          'timeout',
          (inner) => timeOut(inner, packet, proof),
          () => {
            for (const parcel of parcelsOf(packet)) {
              const port = portOf(ports, parcel.payload.sourcePort);
              wrapping(`failed OnTimeoutPacket ${ofPacket(packet, parcel)}`, () => port.onTimeout(context, parcel));
            }
          },
        );
      },
    }),
  ];
}
