/** Messages of channels and packets (ibc-go v10 `modules/core/keeper/msg_server.go`). */
import type { Packet } from '../../../proto/ibc/core/channel/v1/channel_pb.js';
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

/** Handling of a packet message. */
interface Relay<Rest> {
  /** Part of the error text. */
  readonly what: string;
  /** Port on this chain whose application receives the packet. */
  readonly end: 'sourcePort' | 'destinationPort';
  readonly verify: (inner: Context, request: { packet: Packet } & Rest) => Delivered | undefined;
  readonly take: (context: Context, port: Port, delivered: Delivered, request: Rest) => void;
}

/**
 * Creates the handler of a packet message: verifies the packet in a branch and calls its application. A packet that
 * was relayed before changes nothing.
 */
function relay<Rest>(
  ports: readonly Port[],
  { what, end, verify, take }: Relay<Rest>,
): (
  context: Context,
  request: { readonly packet?: Packet | undefined } & Rest,
) => { readonly result: ResponseResultType } {
  return (context, request) => {
    const packet = validate.packetOf(request);
    const port = portOf(ports, packet[end]);
    const { context: inner, commit } = branch(context);
    const delivered = wrapping(`${what} packet verification failed`, () => verify(inner, { ...request, packet }));
    if (delivered === undefined) return { result: ResponseResultType.NOOP };
    commit();
    take(context, port, delivered, request);
    return { result: ResponseResultType.SUCCESS };
  };
}

function receive(context: Context, port: Port, delivered: Delivered): void {
  const { bytes } = inBranch(
    context,
    (inner) => port.onReceive(inner, delivered),
    ({ success }) => success,
  );
  writeAcknowledgement(context, delivered.packet, bytes);
}

/** Channel messages of a chain with these IBC applications. */
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
      handle: relay(ports, { what: 'receive', end: 'destinationPort', verify: receivePacket, take: receive }),
    }),
    message(Msg, 'timeout', {
      validate: validate.timeout,
      handle: relay(ports, {
        what: 'timeout',
        end: 'sourcePort',
        verify: timeOut,
        take: (context, port, delivered) =>
          wrapping('timeout packet callback failed', () => port.onTimeout(context, delivered)),
      }),
    }),
    message(Msg, 'timeoutOnClose', {
      validate: validate.timeoutOnClose,
      handle: relay(ports, {
        what: 'timeout on close',
        end: 'sourcePort',
        verify: timeOutOnClose,
        take: (context, port, delivered) =>
          wrapping('timeout on close callback failed', () => port.onTimeout(context, delivered)),
      }),
    }),
    message(Msg, 'acknowledgement', {
      validate: validate.acknowledge,
      handle: relay(ports, {
        what: 'acknowledge',
        end: 'sourcePort',
        verify: acknowledgePacket,
        take: (context, port, delivered, { acknowledgement }) =>
          wrapping('acknowledge packet callback failed', () => port.onAcknowledge(context, delivered, acknowledgement)),
      }),
    }),
  ];
}
