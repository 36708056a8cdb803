import type { DomainError, Outcome } from '../../core/errors.js';

/** Completes a command; only the first call counts. */
export type Reply<Value> = (outcome: Outcome<Value>) => void;

/** A command to an actor; `reply` receives a refusal when the inbox is full or has ended. */
export interface Command {
  readonly type: string;
  readonly reply?: Reply<never>;
  /** Set on commands that finish work in progress. */
  readonly isEnding?: true;
}

export interface InboxOptions {
  /** Name used in the error `busy`. */
  readonly name: string;
  /** Most waiting commands. */
  readonly maximum: number;
}

/**
 * Command queue of one actor, first in first out. It outlives the actor, because xstate drops messages to a stopped
 * actor. Commands wait while the actor is being created or handles another command.
 */
export class Inbox<Commands extends Command> {
  readonly #options: InboxOptions;
  readonly #waiting: Commands[] = [];
  #deliver: ((command: Commands) => boolean) | undefined;
  #only: 'endings' | undefined;
  #delivering = false;
  #ended: DomainError | undefined;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** Number of waiting commands. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Delivers a command, or queues it until the actor is ready; refuses it with `busy` when the queue is full. */
  tell(command: Commands): void {
    if (this.#ended !== undefined) return refuse(command, this.#ended);
    if (this.#waiting.length >= this.#options.maximum)
      return refuse(command, { code: 'busy', what: this.#options.name });
    this.#waiting.push(command);
    this.#drain();
  }

  /** Sends the command that `make` builds with its reply; resolves with the actor's answer. */
  ask<Value>(make: (reply: Reply<Value>) => Commands): Promise<Outcome<Value>> {
    return new Promise((resolve) => this.tell(make(resolve)));
  }

  /**
   * Called when the actor is ready: delivers the waiting commands, then each new one. `deliver` returns false when the
   * actor failed at the command, which is then refused with `busy` unless the actor has replied. With `endings`, only
   * commands that finish work in progress are delivered; the others wait for the next instance.
   */
  open(deliver: (command: Commands) => boolean, only?: 'endings'): void {
    this.#deliver = deliver;
    this.#only = only;
    this.#drain();
  }

  /** Called when the actor stops: commands wait for the next instance. */
  close(): void {
    this.#deliver = undefined;
  }

  /** Called when the node stops: refuses waiting and further commands with `error`. */
  end(error: DomainError): void {
    this.close();
    this.#ended = error;
    for (const command of this.#waiting.splice(0)) refuse(command, error);
  }

  #next(): Commands | undefined {
    if (this.#only === undefined) return this.#waiting.shift();
    const at = this.#waiting.findIndex(({ isEnding }) => isEnding === true);
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0];
  }

  #drain(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      while (this.#deliver !== undefined) {
        const command = this.#next();
        if (command === undefined) return;
        if (!this.#deliver(command)) refuse(command, { code: 'busy', what: this.#options.name });
      }
    } finally {
      this.#delivering = false;
    }
  }
}

function refuse(command: Command, error: DomainError): void {
  command.reply?.({ ok: false, error });
}
