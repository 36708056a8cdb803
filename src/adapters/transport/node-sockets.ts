/** Websockets with the library `ws`. */
import type { Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket, WebSocketServer } from 'ws';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { readHead, refuseUpgrade } from './node-answer.js';
import type { HeldMessages } from './held-messages.js';
import type { OpenSockets, WatchedSocket } from './open-sockets.js';
import { DUPLICATE_HEADER } from './rules.js';
import type { RequestHead, ServerOptions, TransportLimits } from './server.js';
import type { StallWatch } from './stall-watch.js';

export interface WsLibrary {
  readonly WebSocketServer: typeof WebSocketServer;
}

export class WsSocket implements WatchedSocket {
  alive = true;
  readonly watch: StallWatch;
  readonly messages: HeldMessages;
  #corkedAt: number | undefined;
  #waiting = false;

  constructor(
    private readonly native: WebSocket,
    private readonly stream: Duplex,
    readonly head: RequestHead,
    readonly remoteAddress: string,
    private readonly sockets: OpenSockets<WsSocket>,
  ) {
    this.watch = sockets.watch(this);
    this.messages = sockets.messages();
  }

  send(text: string): 'sent' | 'buffered' | 'dropped' {
    if (this.native.readyState !== this.native.OPEN) return 'dropped';
    this.native.send(text, this.#flushed);
    // while corked all data is buffered, so use the state before the cork
    if ((this.#corkedAt ?? this.native.bufferedAmount) === 0) return 'sent';
    this.#wait();
    return 'buffered';
  }

  bufferedBytes(): number {
    return this.native.bufferedAmount;
  }

  cork(run: () => void): void {
    if (this.#corkedAt !== undefined) {
      run();
      return;
    }
    this.#corkedAt = this.native.bufferedAmount;
    this.stream.cork();
    try {
      run();
    } finally {
      this.#corkedAt = undefined;
      this.stream.uncork();
      if (this.native.bufferedAmount > 0) this.#wait();
    }
  }

  end(code: number, reason: string): void {
    this.watch.stop();
    this.native.close(code, reason);
  }

  terminate(): void {
    this.native.terminate();
  }

  /** Pings the client, or terminates the socket if the previous ping had no pong. */
  ping(): void {
    if (!this.alive) return this.terminate();
    this.alive = false;
    this.native.ping();
  }

  #wait(): void {
    this.#waiting = true;
    this.watch.wrote(this.native.bufferedAmount);
  }

  readonly #flushed = (): void => {
    if (!this.#waiting || this.native.readyState !== this.native.OPEN) return;
    this.watch.progressed(this.native.bufferedAmount);
    if (this.native.bufferedAmount > 0) return;
    this.#waiting = false;
    this.sockets.guard(() => this.sockets.handler.drain(this));
  };
}

/** Accepts websockets on a server, and pings them until the returned function is called. */
export function serveSockets(
  server: HttpServer,
  sockets: OpenSockets<WsSocket>,
  library: WsLibrary,
  { limits, timers }: { readonly limits: Pick<TransportLimits, 'messageBytes'> } & Pick<ServerOptions, 'timers'>,
): () => void {
  const upgrades = new library.WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    clientTracking: false,
  });
  server.on('upgrade', (request, stream, early) => {
    stream.on('error', () => undefined);
    const head = readHead(request);
    const remoteAddress = request.socket.remoteAddress ?? '';
    const refusal = sockets.refusal(head, remoteAddress);
    if (head === undefined || refusal !== undefined) {
      refuseUpgrade(stream, refusal ?? DUPLICATE_HEADER);
      return;
    }
    upgrades.handleUpgrade(request, stream, early, (native) => {
      const socket = new WsSocket(native, stream, head, remoteAddress, sockets);
      native.on('message', (data) => {
        // ignore what the client sent before it received the close frame
        if (native.readyState === native.OPEN) sockets.received(socket, bytesOf(data), false);
      });
      native.on('pong', () => {
        socket.alive = true;
      });
      native.on('error', () => undefined);
      native.on('close', () => {
        socket.watch.stop();
        sockets.closed(socket);
      });
      sockets.opened(socket);
    });
  });
  let cancel = (): void => undefined;
  const pingLater = (): void => {
    cancel = timers.after(FIXED_LIMITS.webSocketPingMs, () => {
      for (const socket of sockets.all) socket.ping();
      pingLater();
    });
  };
  pingLater();
  return () => cancel();
}

function bytesOf(data: RawData): Buffer {
  return Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
