import type { DomainError, Outcome } from '../../core/errors.js';

/** Settles the promise of a command; only the first call counts. */
export type Reply<Value> = (outcome: Outcome<Value>) => void;

/** A command with a reply is refused through it when the inbox is full or has ended. */
export interface Command {
  readonly type: string;
  readonly reply?: Reply<never>;
  /** It ends work that the actor has in progress. */
  readonly isEnding?: true;
}

export interface InboxOptions {
  /** Name of the inbox in the error `busy`. */
  readonly name: string;
  /** Largest number of waiting commands. */
  readonly maximum: number;
}

/**
 * The commands of one actor, in the order of arrival. The inbox belongs to the shell and outlives the actor, because
 * xstate drops messages to a stopped actor. Commands wait while the actor is being made or handles another command.
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

  /** Delivers a command, or keeps it until the actor is ready; refuses it with `busy` when too many wait. */
  tell(command: Commands): void {
    if (this.#ended !== undefined) return refuse(command, this.#ended);
    if (this.#waiting.length >= this.#options.maximum)
      return refuse(command, { code: 'busy', what: this.#options.name });
    this.#waiting.push(command);
    this.#drain();
  }

  /** Sends a command that `make` builds around its reply; resolves with the actor's answer. */
  ask<Value>(make: (reply: Reply<Value>) => Commands): Promise<Outcome<Value>> {
    return new Promise((resolve) => this.tell(make(resolve)));
  }

  /**
   * The actor is ready: it gets the waiting commands, then each command as it comes. `deliver` returns false when the
   * actor failed at the command, which is then refused with `busy` unless the actor replied before. With `endings` it
   * gets only the commands that end work in progress; the others wait for its next incarnation.
   */
  open(deliver: (command: Commands) => boolean, only?: 'endings'): void {
    this.#deliver = deliver;
    this.#only = only;
    this.#drain();
  }

  /** The actor stops: commands wait for its next incarnation. */
  close(): void {
    this.#deliver = undefined;
  }

  /** The node stops: waiting and further commands are refused with `error`. */
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
