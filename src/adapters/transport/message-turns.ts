import type { Timers } from '../../core/ports/time.js';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Message } from './message.js';
import type { Socket } from './server.js';

export interface MessageTurnsOptions<One> {
  readonly timers: Pick<Timers, 'yield'>;
  /** Must not throw. */
  readonly handle: (socket: One, message: Message) => void;
}

/** The waiting messages of one socket. */
interface Queue {
  readonly messages: Message[];
  /** Called after the last message. */
  ended: (() => void) | undefined;
}

const { messagesAtOnce, requestsPerTurn, requestsPerTurnMs, webSocketWaitingMessages } = FIXED_LIMITS;

/**
 * Messages of websockets have turns of the event loop. Those that come are handled at once until they took the time or
 * the number of one turn, because a turn costs as much as three short calls. Further ones wait; a turn handles a few of
 * one socket, and then of the next one while it has time, so that a client that sends thousands at once holds up
 * neither the other faces nor the other sockets of its own. What a turn answers to one socket is sent together.
 */
export class MessageTurns<One extends Pick<Socket, 'cork'>> {
  /** In the order of their turns. */
  readonly #queues = new Map<One, Queue>();
  /** A turn is scheduled: new messages wait for it. */
  #hasTurn = false;
  /** Bounds for the work before the next turn: messages, and their time in milliseconds. */
  #atOnce: number = messagesAtOnce;
  #atOnceMs: number = requestsPerTurnMs;

  constructor(private readonly options: MessageTurnsOptions<One>) {}

  /** False when too many messages of this socket wait already: this one is not taken. */
  add(socket: One, message: Message): boolean {
    if (!this.#hasTurn) {
      const begun = performance.now();
      this.options.handle(socket, message);
      this.#atOnce -= 1;
      this.#atOnceMs -= performance.now() - begun;
      this.#askIfNeeded();
      return true;
    }
    const queue = this.#queues.get(socket) ?? { messages: [], ended: undefined };
    if (queue.messages.length >= webSocketWaitingMessages) return false;
    if (queue.messages.push(message) === 1) this.#queues.set(socket, queue);
    return true;
  }

  /** Forgets what waits of a socket. */
  drop(socket: One): void {
    for (const message of this.#queues.get(socket)?.messages.splice(0) ?? []) message.release();
  }

  /** Calls `ended` once, when everything that waits of a socket has been handled. */
  end(socket: One, ended: () => void): void {
    const queue = this.#queues.get(socket);
    if (queue === undefined) ended();
    else queue.ended = ended;
  }

  /** Asks for a turn where something waits, and where no more may be handled before one. */
  #askIfNeeded(): void {
    if (this.#queues.size === 0 && this.#atOnce > 0 && this.#atOnceMs > 0) return;
    this.#hasTurn = true;
    void this.options.timers.yield().then(() => {
      this.#handleWaiting();
      this.#atOnce = messagesAtOnce;
      this.#atOnceMs = requestsPerTurnMs;
      this.#hasTurn = false;
      this.#askIfNeeded();
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
      // the rest goes to the end of the line; an empty queue reports its end, which the last answer may have caused
      this.#queues.delete(socket);
      if (queue.messages.length > 0) this.#queues.set(socket, queue);
      else queue.ended?.();
      if (left <= 0 || performance.now() >= end) return;
    }
  }

  /** Handles messages of one socket, `maximum` at most and one at least; returns how many. */
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
