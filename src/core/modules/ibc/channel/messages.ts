/** Messages of channels and packets (ibc-go v10 `modules/core/keeper/msg_server.go`). */
import { Msg, ResponseResultType } from '../../../proto/ibc/core/channel/v1/tx_pb.js';
import type { Packet } from '../../../proto/ibc/core/channel/v1/channel_pb.js';
import { abciEvent } from '../../../sdk/module/abci-event.js';
import { branch } from '../../../sdk/module/branch.js';
import type { Context, MessageHandler } from '../../../sdk/module/context.js';
import { message } from '../../../sdk/module/module.js';
import { acknowledgeChannel, closeChannel, confirmChannel, confirmClose, tryChannel } from './handshake.js';
import { named, openChannel, portOf } from './channels.js';
import { acknowledgePacket, receivePacket, writeAcknowledgement } from './packets.js';
import type { Delivered, Port } from './port.js';
import { timeOut, timeOutOnClose } from './timed-out.js';
import * as validate from './validate.js';

/** Before the names of events of an application that refused a packet, and of their attributes. */
const REFUSED = 'ibccallbackerror-';

interface Result {
  readonly result: ResponseResultType;
}

/** Verifies a packet in a branch; a packet that was relayed before leaves nothing. */
function verified(
  context: Context,
  text: string,
  verify: (inner: Context) => Delivered | undefined,
): Delivered | undefined {
  const { context: inner, commit } = branch(context);
  const delivered = named(text, () => verify(inner));
  if (delivered !== undefined) commit();
  return delivered;
}

function receive(context: Context, port: Port, delivered: Delivered): void {
  const { context: inner, commit } = branch(context);
  const { success, bytes } = port.onReceive(inner, delivered);
  if (success) commit();
  else {
    context.evm?.clear();
    if (context.mode !== 'check')
      for (const { type, attributes } of inner.events)
        context.events.push(
          abciEvent(
            `${REFUSED}${type}`,
            attributes.map(({ key, value }) => [`${REFUSED}${key}`, value] as const),
          ),
        );
  }
  writeAcknowledgement(context, delivered.packet, bytes);
}

const NOOP: Result = { result: ResponseResultType.NOOP };
const SUCCESS: Result = { result: ResponseResultType.SUCCESS };

/** The messages of channels of a chain with these applications over IBC. */
export function channelMessages(ports: readonly Port[]): readonly MessageHandler[] {
  const source = ({ sourcePort }: Packet): Port => portOf(ports, sourcePort);
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
      handle(context, request): Result {
        const packet = validate.packetOf(request);
        const port = portOf(ports, packet.destinationPort);
        const delivered = verified(context, 'receive packet verification failed', (inner) =>
          receivePacket(inner, { ...request, packet }),
        );
        if (delivered === undefined) return NOOP;
        receive(context, port, delivered);
        return SUCCESS;
      },
    }),
    message(Msg, 'timeout', {
      validate: validate.timeout,
      handle(context, request): Result {
        const packet = validate.packetOf(request);
        const port = source(packet);
        const delivered = verified(context, 'timeout packet verification failed', (inner) =>
          timeOut(inner, { ...request, packet }),
        );
        if (delivered === undefined) return NOOP;
        named('timeout packet callback failed', () => port.onTimeout(context, delivered));
        return SUCCESS;
      },
    }),
    message(Msg, 'timeoutOnClose', {
      validate: validate.timeoutOnClose,
      handle(context, request): Result {
        const packet = validate.packetOf(request);
        const port = source(packet);
        const delivered = verified(context, 'timeout on close packet verification failed', (inner) =>
          timeOutOnClose(inner, { ...request, packet }),
        );
        if (delivered === undefined) return NOOP;
        named('timeout on close callback failed', () => port.onTimeout(context, delivered));
        return SUCCESS;
      },
    }),
    message(Msg, 'acknowledgement', {
      validate: validate.acknowledge,
      handle(context, request): Result {
        const packet = validate.packetOf(request);
        const port = source(packet);
        const delivered = verified(context, 'acknowledge packet verification failed', (inner) =>
          acknowledgePacket(inner, { ...request, packet }),
        );
        if (delivered === undefined) return NOOP;
        named('acknowledge packet callback failed', () =>
          port.onAcknowledge(context, delivered, request.acknowledgement),
        );
        return SUCCESS;
      },
    }),
  ];
}
