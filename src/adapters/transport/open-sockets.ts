import { CLOSED, refuseForeign } from './guards.js';
import { type AddressLimits } from './address-limits.js';
import {
  DUPLICATE_HEADER,
  GREEDY_ADDRESS,
  GREEDY_CLIENT,
  NO_ROOM_BY,
  InFlight,
  SLOW_CLIENT,
  TOO_MANY_SOCKETS,
  TOO_MANY_SOCKETS_OF_ADDRESS,
  completeLimits,
} from './rules.js';
import type { HttpResponse, RequestHead, ServerOptions, Socket, WebSocketHandler, WebSocketOptions } from './server.js';
import { HeldMessages, MessageBudget } from './held-messages.js';
import type { Message } from './message.js';
import { MessageTurns } from './message-turns.js';
import { StallWatch } from './stall-watch.js';

/** A socket of either library. */
export interface WatchedSocket extends Socket {
  readonly watch: StallWatch;
  readonly messages: HeldMessages;
}

/** The open websockets of a server, with the rules common to both transports. */
export class OpenSockets<One extends WatchedSocket> {
  readonly handler: WebSocketHandler;
  readonly #refuse: WebSocketOptions['refuse'];
  readonly #stallMs: number;
  readonly #socketMessageBytes: number;
  readonly #room: MessageBudget;
  readonly #open = new Set<One>();
  readonly #closing = new InFlight();
  readonly #turns: MessageTurns<One>;

  constructor(
    { handler, refuse }: WebSocketOptions,
    private readonly options: ServerOptions,
    private readonly allowance: AddressLimits,
  ) {
    this.handler = handler;
    this.#refuse = refuse;
    const { stallMs, socketMessageBytes } = completeLimits(options.limits);
    this.#stallMs = stallMs;
    this.#socketMessageBytes = socketMessageBytes;
    this.#room = options.messages ?? new MessageBudget();
    this.#turns = new MessageTurns({
      timers: options.timers,
      handle: (socket, message) => this.#handle(socket, message),
    });
  }

  get all(): ReadonlySet<One> {
    return this.#open;
  }

  /**
   * Checks an upgrade; returns the rejecting response, or undefined to accept. `head`: undefined if a header was
   * repeated.
   */
  refusal(head: RequestHead | undefined, address: string): HttpResponse | undefined {
    if (head === undefined) return DUPLICATE_HEADER;
    const { exposure = CLOSED, limits } = this.options;
    const foreign = refuseForeign(head, exposure);
    if (foreign !== undefined) return foreign;
    if (this.#open.size >= limits.webSockets) return TOO_MANY_SOCKETS;
    return this.allowance.mayOpenSocket(address) ? this.#refuse(head) : TOO_MANY_SOCKETS_OF_ADDRESS;
  }

  /** Creates the stall detection of a socket. */
  watch(socket: One): StallWatch {
    return new StallWatch(this.options.timers, this.#stallMs, () =>
      this.guard(() =>
        this.handler.stalled === undefined
          ? socket.end(SLOW_CLIENT.code, SLOW_CLIENT.reason)
          : this.handler.stalled(socket),
      ),
    );
  }

  /** Creates the message holder of a new socket. */
  messages(): HeldMessages {
    return new HeldMessages(this.#room, this.#socketMessageBytes);
  }

  opened(socket: One): void {
    this.#open.add(socket);
    this.allowance.socketOpened(socket.remoteAddress);
    this.#closing.begin();
    this.guard(() => this.handler.open(socket));
  }

  /**
   * Receives a message and schedules it. Closes the socket of a client that sends too many. `isReused`: the bytes are
   * only valid during this call.
   */
  received(socket: One, bytes: Buffer, isReused: boolean): void {
    if (!this.allowance.takeToken(socket.remoteAddress)) {
      this.#cut(socket, GREEDY_ADDRESS);
      return;
    }
    const held = socket.messages.hold(bytes, isReused);
    if (typeof held === 'string') {
      const refusal = NO_ROOM_BY[held];
      if (!this.#answersNoRoom(socket, bytes, refusal.reason)) this.#cut(socket, refusal);
    } else if (!this.#turns.add(socket, held)) {
      held.release();
      this.#cut(socket, GREEDY_CLIENT);
    }
  }

  #handle(socket: One, message: Message): void {
    try {
      this.handler.message(socket, message);
    } catch (error) {
      message.release();
      this.options.onDefect(error);
    }
  }

  #answersNoRoom(socket: One, bytes: Buffer, reason: string): boolean {
    let isAnswered = false;
    this.guard(() => {
      isAnswered = this.handler.noRoom?.(socket, bytes, reason) ?? false;
    });
    return isAnswered;
  }

  #cut(socket: One, { code, reason }: { readonly code: number; readonly reason: string }): void {
    this.#turns.drop(socket);
    socket.end(code, reason);
  }

  /** Call it when the connection has ended; the handler is called after the earlier messages. */
  closed(socket: One): void {
    this.#open.delete(socket);
    this.allowance.socketClosed(socket.remoteAddress);
    this.#turns.end(socket, () => {
      this.guard(() => this.handler.close(socket));
      this.#closing.end();
    });
  }

  /** Closes all sockets; resolves when they have closed. */
  async end(): Promise<void> {
    for (const socket of [...this.#open]) socket.end(1001, 'going away');
    await this.idle();
  }

  /** Resolves when no socket is open. */
  idle(): Promise<void> {
    return this.#closing.idle();
  }

  /** Runs a handler; an exception is reported as a bug and has no other effect. */
  guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.options.onDefect(error);
    }
  }
}
