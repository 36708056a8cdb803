/** Websockets of uWebSockets.js. */
import type { WebSocket as UwsSocket, WebSocketBehavior } from 'uWebSockets.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { HeldMessages } from './held-messages.js';
import type { OpenSockets, WatchedSocket } from './open-sockets.js';
import type { RequestHead } from './server.js';
import type { StallWatch } from './stall-watch.js';
import { addressOf, answer, readHead } from './uws-answer.js';
import { DUPLICATE_HEADER } from './rules.js';

/** Data that the upgrade passes to the socket. */
export interface SocketData {
  readonly head: RequestHead;
  socket: NativeSocket | undefined;
}

export class NativeSocket implements WatchedSocket {
  readonly remoteAddress: string;
  readonly head: RequestHead;
  readonly watch: StallWatch;
  readonly messages: HeldMessages;
  #native: UwsSocket<SocketData> | undefined;

  constructor(native: UwsSocket<SocketData>, sockets: Pick<OpenSockets<NativeSocket>, 'watch' | 'messages'>) {
    this.#native = native;
    this.head = native.getUserData().head;
    this.remoteAddress = addressOf(native);
    this.watch = sockets.watch(this);
    this.messages = sockets.messages();
  }

  send(text: string): 'sent' | 'buffered' | 'dropped' {
    if (this.#native === undefined) return 'dropped';
    const outcome = this.#native.send(text, false, false);
    // with maxBackpressure 0 the library never returns 2
    if (outcome === 2) throw new Error('invariant: uWebSockets.js dropped a message');
    if (outcome !== 0) return 'sent';
    this.watch.wrote(this.bufferedBytes());
    return 'buffered';
  }

  bufferedBytes(): number {
    return this.#native?.getBufferedAmount() ?? 0;
  }

  cork(run: () => void): void {
    if (this.#native === undefined) {
      run();
      return;
    }
    this.#native.cork(run);
    // corked data may meet a full kernel buffer only now
    this.watch.wrote(this.bufferedBytes());
  }

  end(code: number, reason: string): void {
    this.watch.stop();
    this.#native?.end(code, reason);
  }

  /** Drops the library's object, which must not be used after close. */
  detach(): void {
    this.#native = undefined;
    this.watch.stop();
  }
}

/** The library's constant for no compression, which the package declares only as a type. */
const NO_COMPRESSION = 0;

/**
 * The library's websocket callbacks. `messageBytes`: maximum message size; `left`: called when a connection has
 * ended.
 */
export function socketBehavior(
  sockets: OpenSockets<NativeSocket>,
  messageBytes: number,
  left: () => void,
): WebSocketBehavior<SocketData> {
  const { handler } = sockets;
  return {
    compression: NO_COMPRESSION,
    // twice the limit, so that the check below can close with 1009; above it the library closes the connection
    // without a close frame
    maxPayloadLength: messageBytes * 2,
    maxBackpressure: 0,
    closeOnBackpressureLimit: false,
    idleTimeout: FIXED_LIMITS.webSocketIdleSeconds,
    sendPingsAutomatically: true,
    upgrade(native, request, context) {
      const head = readHead(request);
      const refusal = sockets.refusal(head, addressOf(native));
      if (head === undefined || refusal !== undefined) {
        answer(native, refusal ?? DUPLICATE_HEADER, head, true);
        return;
      }
      native.upgrade<SocketData>(
        { head, socket: undefined },
        request.getHeader('sec-websocket-key'),
        request.getHeader('sec-websocket-protocol'),
        request.getHeader('sec-websocket-extensions'),
        context,
      );
    },
    open(native) {
      const socket = new NativeSocket(native, sockets);
      native.getUserData().socket = socket;
      sockets.opened(socket);
    },
    message(native, message) {
      const { socket } = native.getUserData();
      if (socket === undefined) return;
      if (message.byteLength > messageBytes) {
        socket.end(1009, `message exceeds ${messageBytes} bytes`);
        return;
      }
      sockets.received(socket, Buffer.from(message), true);
    },
    drain(native) {
      const { socket } = native.getUserData();
      if (socket === undefined) return;
      socket.watch.progressed(socket.bufferedBytes());
      if (socket.bufferedBytes() === 0) sockets.guard(() => handler.drain(socket));
    },
    close(native) {
      const { socket } = native.getUserData();
      left();
      if (socket === undefined) return;
      socket.detach();
      sockets.closed(socket);
    },
  };
}
