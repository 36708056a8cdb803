/** Messages of websockets from their arrival until they are answered, and the room that they take meanwhile. */
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../core/limits/limits.js';
import { ByteBudget } from './byte-budget.js';
import type { Message } from './message.js';

/** A limit that leaves no room for a message. */
export type MessageLimit = 'pendingMessageBytes' | 'socketMessageBytes';

/**
 * Room for the messages of all websockets of a process. Long ones and short ones have as much each, so that clients
 * with long messages leave room for the others.
 */
export class MessageRoom {
  readonly long: ByteBudget;
  readonly short: ByteBudget;

  /** `maximum`: bytes of all long messages that are held, and of all short ones. */
  constructor(maximum: number = DEFAULT_LIMITS.pendingMessageBytes) {
    this.long = new ByteBudget(maximum);
    this.short = new ByteBudget(maximum);
  }
}

/**
 * Makes held messages of what one websocket received. The first `socketFreeBytes` that it holds need no room of the
 * process, so that a few clients which fill that room do not keep the others from asking.
 */
export class HeldMessages {
  readonly #own: ByteBudget;

  constructor(
    private readonly room: MessageRoom,
    maximum: number,
  ) {
    this.#own = new ByteBudget(maximum);
  }

  /**
   * Holds a message, or names the limit that leaves no room for it. `isReused`: the memory of the bytes belongs to the
   * library and is valid during this call.
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

/** A long message stays bytes until its turn: its text takes three times as long to make as a copy of them. */
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

/** In memory that is not filled with zeros before. */
function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}
