import { DONE, type DomainError } from '../../core/errors.js';
import type { Brand } from '../../core/primitives.js';
import type { Reply } from '../shell/inbox.js';

/** Identifies a lease, which pauses block production. */
export type LeaseId = Brand<number, 'LeaseId'>;

/** Requests a lease; it is granted between blocks. */
export interface PauseCommand {
  readonly type: 'pause';
  /** Error for other requests while the lease is held; undefined: they wait. */
  readonly refusing: DomainError | undefined;
  readonly reply: Reply<LeaseId>;
}

/** Requests one block after the one in flight; replied to when that block is applied. */
export interface MineCommand {
  readonly type: 'mine';
  /** The lease under which the block is made; undefined: wait until no lease is held. */
  readonly lease: LeaseId | undefined;
  readonly reply: Reply<undefined>;
}

/**
 * Commands waiting for the end of a block or lease, in order of arrival, and the current lease. The queue outlives the
 * actor: a restarted actor answers the commands of its predecessor.
 */
export class CommandQueue {
  readonly #maximum: number;
  #waiting: (PauseCommand | MineCommand)[] = [];
  #inFlight: MineCommand | undefined;
  #lease: LeaseId | undefined;
  #refusing: DomainError | undefined;
  #lastLease = 0;

  /** `maximum`: largest number of waiting commands. */
  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** The current lease. */
  get lease(): LeaseId | undefined {
    return this.#lease;
  }

  /** Queues a command; refuses it with `busy` when the queue is full, or with the lease's `refusing` error. */
  add(command: PauseCommand | MineCommand): void {
    if (this.#refusing !== undefined) command.reply({ ok: false, error: this.#refusing });
    else if (this.#waiting.length < this.#maximum) this.#waiting.push(command);
    else command.reply({ ok: false, error: { code: 'busy', what: 'block production' } });
  }

  /**
   * Grants a lease to the first command if it is a pause and no lease is held. Call it only when no block is in flight.
   */
  grant(): void {
    const [first] = this.#waiting;
    if (this.#lease !== undefined || first?.type !== 'pause') return;
    this.#waiting.shift();
    this.#lastLease += 1;
    const lease = this.#lastLease as LeaseId;
    this.#lease = lease;
    first.reply({ ok: true, value: lease });
    if (first.refusing === undefined) return;
    this.#refusing = first.refusing;
    for (const { reply } of this.#waiting.splice(0)) reply({ ok: false, error: first.refusing });
  }

  /** Ends a lease; no effect on one that has already ended. */
  release(lease: LeaseId): void {
    if (this.#lease !== lease) return;
    this.#lease = undefined;
    this.#refusing = undefined;
  }

  /** True when a requested block may start now. */
  hasBlock(): boolean {
    return this.#nextBlock() !== undefined;
  }

  /** Marks the first request as in flight, when a block starts. */
  begun(): void {
    const next = this.#nextBlock();
    if (next === undefined) return;
    this.#inFlight = next;
    this.#waiting = this.#waiting.filter((other) => other !== next);
  }

  /** Answers the request in flight, when its block is applied. */
  applied(): void {
    this.#inFlight?.reply(DONE);
    this.#inFlight = undefined;
  }

  /** Refuses the request in flight and all waiting ones, because no block will be made. */
  refuseBlocks(error: DomainError): void {
    const refused = { ok: false, error } as const;
    this.#inFlight?.reply(refused);
    this.#inFlight = undefined;
    for (const command of this.#waiting) if (command.type === 'mine') command.reply(refused);
    this.#waiting = this.#waiting.filter(({ type }) => type !== 'mine');
  }

  /** Refuses all commands, when the node stops. */
  end(error: DomainError): void {
    const refused = { ok: false, error } as const;
    this.#inFlight?.reply(refused);
    this.#inFlight = undefined;
    for (const { reply } of this.#waiting.splice(0)) reply(refused);
  }

  #nextBlock(): MineCommand | undefined {
    const [first] = this.#waiting;
    if (this.#lease === undefined) return first?.type === 'mine' ? first : undefined;
    return this.#waiting.find(
      (command): command is MineCommand => command.type === 'mine' && command.lease === this.#lease,
    );
  }
}
