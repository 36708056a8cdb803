/** Messages of channels and packets (ibc-go v10 `modules/core/keeper/msg_server.go`). */
import { Msg, ResponseResultType } from '../../../proto/ibc/core/channel/v1/tx_pb.js';
import { branch } from '../../../sdk/module/branch.js';
import type { Context, MessageHandler } from '../../../sdk/module/context.js';
import { message } from '../../../sdk/module/module.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { acknowledgeChannel, closeChannel, confirmChannel, confirmClose, tryChannel } from './handshake.js';
import { openChannel, portOf } from './channels.js';
import { inBranch } from './in-branch.js';
import { acknowledgePacket, receivePacket, writeAcknowledgement } from './packets.js';
import type { Delivered, Port } from './port.js';
import { timeOut, timeOutOnClose } from './timed-out.js';
import * as validate from './validate.js';

interface Result {
  readonly result: ResponseResultType;
}

/**
 * Verifies a packet in a branch, and has its application take it; a packet that was relayed before leaves nothing.
 * `what` is in the text of a refusal.
 */
function relay(
  context: Context,
  what: string,
  verify: (inner: Context) => Delivered | undefined,
  take: (delivered: Delivered) => void,
): Result {
  const { context: inner, commit } = branch(context);
  const delivered = wrapping(`${what} packet verification failed`, () => verify(inner));
  if (delivered === undefined) return { result: ResponseResultType.NOOP };
  commit();
  take(delivered);
  return { result: ResponseResultType.SUCCESS };
}

function receive(context: Context, port: Port, delivered: Delivered): void {
  const { bytes } = inBranch(
    context,
    (inner) => port.onReceive(inner, delivered),
    ({ success }) => success,
  );
  writeAcknowledgement(context, delivered.packet, bytes);
}

/** The messages of channels of a chain with these applications over IBC. */
export function channelMessages(ports: readonly Port[]): readonly MessageHandler[] {
  return [
    message(Msg, 'channelOpenInit', {
      validate: validate.openInit,
      handle: (context, request) => openChannel(context, ports, request),
    }),
    message(Msg, 'channelOpenTry', {
      validate: validate.openTry,
      handle: (context, request) => tryChannel(context, ports, request),
    }),
    message(Msg, 'channelOpenAck', {
      validate: validate.openAck,
      handle: (context, request) => acknowledgeChannel(context, ports, request),
    }),
    message(Msg, 'channelOpenConfirm', {
      validate: validate.openConfirm,
      handle: (context, request) => confirmChannel(context, ports, request),
    }),
    message(Msg, 'channelCloseInit', {
      validate: validate.closeInit,
      handle: (context, request) => closeChannel(context, ports, request),
    }),
    message(Msg, 'channelCloseConfirm', {
      validate: validate.closeConfirm,
      handle: (context, request) => confirmClose(context, ports, request),
    }),
    message(Msg, 'recvPacket', {
      validate: validate.receive,
      handle(context, request) {
        const packet = validate.packetOf(request);
        const port = portOf(ports, packet.destinationPort);
        return relay(
          context,
          'receive',
          (inner) => receivePacket(inner, { ...request, packet }),
          (delivered) => receive(context, port, delivered),
        );
      },
    }),
    message(Msg, 'timeout', {
      validate: validate.timeout,
      handle(context, request) {
        const packet = validate.packetOf(request);
        const port = portOf(ports, packet.sourcePort);
        return relay(
          context,
          'timeout',
          (inner) => timeOut(inner, { ...request, packet }),
          (delivered) => wrapping('timeout packet callback failed', () => port.onTimeout(context, delivered)),
        );
      },
    }),
    message(Msg, 'timeoutOnClose', {
      validate: validate.timeoutOnClose,
      handle(context, request) {
        const packet = validate.packetOf(request);
        const port = portOf(ports, packet.sourcePort);
        return relay(
          context,
          'timeout on close',
          (inner) => timeOutOnClose(inner, { ...request, packet }),
          (delivered) => wrapping('timeout on close callback failed', () => port.onTimeout(context, delivered)),
        );
      },
    }),
    message(Msg, 'acknowledgement', {
      validate: validate.acknowledge,
      handle(context, request) {
        const packet = validate.packetOf(request);
        const port = portOf(ports, packet.sourcePort);
        return relay(
          context,
          'acknowledge',
          (inner) => acknowledgePacket(inner, { ...request, packet }),
          (delivered) =>
            wrapping('acknowledge packet callback failed', () =>
              port.onAcknowledge(context, delivered, request.acknowledgement),
            ),
        );
      },
    }),
  ];
}
