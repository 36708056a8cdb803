import type { Timers } from '../../core/ports/time.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Message } from './message.js';
import type { Socket } from './server.js';

export interface MessageTurnsOptions<One> {
  readonly timers: Pick<Timers, 'yield'>;
  /** Must not throw. */
  readonly handle: (socket: One, message: Message) => void;
}

/** Queued messages of one socket. */
interface Queue {
  readonly messages: Message[];
  /** Called after the last message was handled. */
  ended: (() => void) | undefined;
}

const { messagesAtOnce, requestsPerTurn, requestsPerTurnMs, webSocketWaitingMessages } = FIXED_LIMITS;

/**
 * Schedules websocket messages fairly over turns of the event loop. Messages are handled immediately up to a number
 * and time per turn, because waiting for a turn costs as much as three short calls. Further ones are queued per
 * socket; each turn handles a few of each socket, round robin, so that a client that sends thousands at once does not
 * block others. Responses of a turn to one socket are sent together.
 */
export class MessageTurns<One extends Pick<Socket, 'cork'>> {
  /** Sockets with queued messages, in round-robin order. */
  readonly #queues = new Map<One, Queue>();
  /** True if a turn is scheduled; then new messages are queued. */
  #hasTurn = false;
  /** Remaining messages, and milliseconds, before the next turn is needed. */
  #atOnce: number = messagesAtOnce;
  #atOnceMs: number = requestsPerTurnMs;

  constructor(private readonly options: MessageTurnsOptions<One>) {}

  /** Handles or queues a message; false if too many messages of this socket are queued. */
  add(socket: One, message: Message): boolean {
    if (!this.#hasTurn) {
      const begun = performance.now();
      this.options.handle(socket, message);
      this.#atOnce -= 1;
      this.#atOnceMs -= performance.now() - begun;
      this.#scheduleIfNeeded();
      return true;
    }
    const queue = this.#queues.get(socket) ?? { messages: [], ended: undefined };
    if (queue.messages.length >= webSocketWaitingMessages) return false;
    if (queue.messages.push(message) === 1) this.#queues.set(socket, queue);
    return true;
  }

  /** Drops the queued messages of a socket. */
  drop(socket: One): void {
    for (const message of this.#queues.get(socket)?.messages.splice(0) ?? []) message.release();
  }

  /** Calls `ended` once, after all queued messages of a socket were handled. */
  end(socket: One, ended: () => void): void {
    const queue = this.#queues.get(socket);
    if (queue === undefined) ended();
    else queue.ended = ended;
  }

  /** Schedules a turn if messages are queued, or if the immediate budget is used up. */
  #scheduleIfNeeded(): void {
    if (this.#queues.size === 0 && this.#atOnce > 0 && this.#atOnceMs > 0) return;
    this.#hasTurn = true;
    void this.options.timers.yield().then(() => {
      this.#handleWaiting();
      this.#atOnce = messagesAtOnce;
      this.#atOnceMs = requestsPerTurnMs;
      this.#hasTurn = false;
      this.#scheduleIfNeeded();
    });
  }

  #handleWaiting(): void {
    const end = performance.now() + requestsPerTurnMs;
    let left = requestsPerTurn;
    for (const [socket, queue] of this.#queues) {
      const handle = (): void => {
        left -= this.#handle(socket, queue, left, end);
      };
      if (queue.messages.length > 1) socket.cork(handle);
      else handle();
      // move the rest to the end of the order; an empty queue reports its end
      this.#queues.delete(socket);
      if (queue.messages.length > 0) this.#queues.set(socket, queue);
      else queue.ended?.();
      if (left <= 0 || performance.now() >= end) return;
    }
  }

  /** Handles at least one and at most `maximum` messages of a socket; returns how many. */
  #handle(socket: One, queue: Queue, maximum: number, end: number): number {
    let handled = 0;
    do {
      const message = queue.messages[handled];
      if (message === undefined) break;
      handled += 1;
      this.options.handle(socket, message);
    } while (handled < maximum && performance.now() < end);
    queue.messages.splice(0, handled);
    return handled;
  }
}
