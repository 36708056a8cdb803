import { CLOSED, refuseForeign } from './guards.js';
import { type Allowance } from './allowance.js';
import { DUPLICATE_HEADER, GREEDY_CLIENT, InFlight, SLOW_CLIENT, TOO_MANY_SOCKETS, completeLimits } from './rules.js';
import type { HttpResponse, RequestHead, ServerOptions, Socket, WebSocketHandler, WebSocketOptions } from './server.js';
import { StallWatch } from './stall-watch.js';

/** A socket of one of the libraries. */
export interface WatchedSocket extends Socket {
  readonly watch: StallWatch;
}

/** The open websockets of a server, and the rules for them that both transports apply alike. */
export class OpenSockets<One extends WatchedSocket> {
  readonly handler: WebSocketHandler;
  readonly #refuse: WebSocketOptions['refuse'];
  readonly #stallMs: number;
  readonly #open = new Set<One>();
  readonly #closing = new InFlight();

  constructor(
    { handler, refuse }: WebSocketOptions,
    private readonly options: ServerOptions,
    private readonly allowance: Allowance,
  ) {
    this.handler = handler;
    this.#refuse = refuse;
    this.#stallMs = completeLimits(options.limits).stallMs;
  }

  get all(): ReadonlySet<One> {
    return this.#open;
  }

  /** The refusal of an upgrade; undefined accepts it. `head`: undefined when a header was repeated. */
  refusal(head: RequestHead | undefined, address: string): HttpResponse | undefined {
    if (head === undefined) return DUPLICATE_HEADER;
    const { exposure = CLOSED, limits } = this.options;
    const isFull = this.#open.size >= limits.webSockets || !this.allowance.mayOpenSocket(address);
    return refuseForeign(head, exposure) ?? (isFull ? TOO_MANY_SOCKETS : this.#refuse(head));
  }

  /** The watch over a socket whose client may stop reading. */
  watch(socket: One): StallWatch {
    return new StallWatch(this.options.timers, this.#stallMs, () =>
      this.guard(() =>
        this.handler.stalled === undefined
          ? socket.end(SLOW_CLIENT.code, SLOW_CLIENT.reason)
          : this.handler.stalled(socket),
      ),
    );
  }

  opened(socket: One): void {
    this.#open.add(socket);
    this.allowance.socketOpened(socket.remoteAddress);
    this.#closing.begin();
    this.guard(() => this.handler.open(socket));
  }

  /** False when the client sends too many messages: its socket ends. */
  mayAsk(socket: One): boolean {
    if (this.allowance.mayAsk(socket.remoteAddress)) return true;
    socket.end(GREEDY_CLIENT.code, GREEDY_CLIENT.reason);
    return false;
  }

  closed(socket: One): void {
    this.#open.delete(socket);
    this.allowance.socketClosed(socket.remoteAddress);
    this.guard(() => this.handler.close(socket));
    this.#closing.end();
  }

  /** Requests the end of all sockets; resolves when they have closed. */
  async end(): Promise<void> {
    for (const socket of [...this.#open]) socket.end(1001, 'going away');
    await this.idle();
  }

  /** Resolves when no socket is open. */
  idle(): Promise<void> {
    return this.#closing.idle();
  }

  /** Runs a handler, whose failure is a defect and ends nothing else. */
  guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.options.onDefect(error);
    }
  }
}
