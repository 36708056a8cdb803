/** Websockets of uWebSockets.js. */
import type { WebSocket as UwsSocket, WebSocketBehavior } from 'uWebSockets.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { HeldMessages } from './held-messages.js';
import type { OpenSockets, WatchedSocket } from './open-sockets.js';
import type { RequestHead } from './server.js';
import type { StallWatch } from './stall-watch.js';
import { addressOf, answer, readHead } from './uws-answer.js';
import { DUPLICATE_HEADER } from './rules.js';

/** Data of the upgrade that is passed to the socket. */
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
    // maxBackpressure is 0, so the library must not return 2
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
    // corked data may reach a full kernel buffer only now
    this.watch.wrote(this.bufferedBytes());
  }

  end(code: number, reason: string): void {
    this.watch.stop();
    this.#native?.end(code, reason);
  }

  /** Forgets the library's object, which must not be used after close. */
  detach(): void {
    this.#native = undefined;
    this.watch.stop();
  }
}

/** Compression off; the package declares the constant only as a type. */
const NO_COMPRESSION = 0;

/**
 * The functions that the library calls for websockets. `messageBytes`: the largest message; `left`: a connection has
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
    // twice the limit, so that the check below can answer 1009; beyond it the library cuts the connection without a
    // frame
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
