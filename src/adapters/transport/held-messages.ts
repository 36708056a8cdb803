/** Websocket messages from arrival to response, and the memory limits for them. */
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../core/limits/limits.js';
import { ByteBudget } from './byte-budget.js';
import type { Message } from './message.js';

/** The limit that a message exceeds. */
export type MessageLimit = 'pendingMessageBytes' | 'socketMessageBytes';

/**
 * Memory budget for the messages of all websockets of a process. Long and short messages have separate budgets of
 * equal size, so that long messages cannot block short ones.
 */
export class MessageBudget {
  readonly long: ByteBudget;
  readonly short: ByteBudget;

  /** `maximum`: bytes of all held long messages, and the same for short ones. */
  constructor(maximum: number = DEFAULT_LIMITS.pendingMessageBytes) {
    this.long = new ByteBudget(maximum);
    this.short = new ByteBudget(maximum);
  }
}

/**
 * Holds the messages of one websocket. Its first `socketFreeBytes` do not count for the process's budget, so that a
 * few clients that exhaust the budget cannot lock out others.
 */
export class HeldMessages {
  readonly #own: ByteBudget;

  constructor(
    private readonly room: MessageBudget,
    maximum: number,
  ) {
    this.#own = new ByteBudget(maximum);
  }

  /**
   * Holds a message, or returns the exceeded limit. `isReused`: the bytes are only valid during this call, so they
   * must be copied.
   */
  hold(bytes: Buffer, isReused: boolean): Message | MessageLimit {
    const isLong = bytes.length >= DEFAULT_LIMITS.largeRequestBytes;
    const shared = isLong ? this.room.long : this.room.short;
    const taken = Math.max(bytes.length, FIXED_LIMITS.heldMessageBytes);
    if (!this.#own.take(taken)) return 'socketMessageBytes';
    const isFree = this.#own.used <= FIXED_LIMITS.socketFreeBytes;
    if (!isFree && !shared.take(taken)) {
      this.#own.give(taken);
      return 'pendingMessageBytes';
    }
    const content = isLong ? (isReused ? copyOf(bytes) : bytes) : bytes.toString('utf8');
    return new HeldMessage(content, bytes.length, () => {
      this.#own.give(taken);
      if (!isFree) shared.give(taken);
    });
  }
}

/**
 * A held message. A long one is kept as bytes until its turn, because decoding takes three times as long as copying.
 */
class HeldMessage implements Message {
  #content: string | Buffer;
  #give: (() => void) | undefined;

  constructor(
    content: string | Buffer,
    readonly bytes: number,
    give: () => void,
  ) {
    this.#content = content;
    this.#give = give;
  }

  text(): string {
    return typeof this.#content === 'string' ? this.#content : this.#content.toString('utf8');
  }

  release(): void {
    this.#content = '';
    this.#give?.();
    this.#give = undefined;
  }
}

/** Copies into uninitialised memory. */
function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}
