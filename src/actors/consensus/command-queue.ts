import { DONE, type DomainError } from '../../core/errors.js';
import type { Brand } from '../../core/primitives.js';
import type { Reply } from '../shell/inbox.js';

/** Names the lease that keeps blocks from beginning. */
export type LeaseId = Brand<number, 'LeaseId'>;

/** Requests a lease, which is granted between blocks. */
export interface PauseCommand {
  readonly type: 'pause';
  /** The refusal of other requests while the lease is held; undefined lets them wait. */
  readonly refusing: DomainError | undefined;
  readonly reply: Reply<LeaseId>;
}

/** Requests a block of its own, after the one in flight; answered when that block is applied. */
export interface MineCommand {
  readonly type: 'mine';
  /** The lease under which the block is made; undefined waits until there is no lease. */
  readonly lease: LeaseId | undefined;
  readonly reply: Reply<undefined>;
}

/**
 * Commands that wait for the end of a block or of a lease, in the order of arrival, and the lease in force. They
 * outlive the actor: a new incarnation answers the commands of the earlier one.
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

  /** The lease in force. */
  get lease(): LeaseId | undefined {
    return this.#lease;
  }

  /** Keeps a command for later; refuses it with `busy` when too many wait, or as the holder of the lease wants. */
  add(command: PauseCommand | MineCommand): void {
    if (this.#refusing !== undefined) command.reply({ ok: false, error: this.#refusing });
    else if (this.#waiting.length < this.#maximum) this.#waiting.push(command);
    else command.reply({ ok: false, error: { code: 'busy', what: 'block production' } });
  }

  /** Grants a lease to the first waiting command, unless a lease is in force. No block is in flight. */
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

  /** Ends a lease; does nothing for one that has ended. */
  release(lease: LeaseId): void {
    if (this.#lease !== lease) return;
    this.#lease = undefined;
    this.#refusing = undefined;
  }

  /** True when a requested block may begin. */
  hasBlock(): boolean {
    return this.#nextBlock() !== undefined;
  }

  /** A block begins, for which the first waiting request then waits. */
  begun(): void {
    const next = this.#nextBlock();
    if (next === undefined) return;
    this.#inFlight = next;
    this.#waiting = this.#waiting.filter((other) => other !== next);
  }

  /** The block in flight was applied. */
  applied(): void {
    this.#inFlight?.reply(DONE);
    this.#inFlight = undefined;
  }

  /** Refuses the block in flight and all requested ones, because no block will be made. */
  refuseBlocks(error: DomainError): void {
    const refused = { ok: false, error } as const;
    this.#inFlight?.reply(refused);
    this.#inFlight = undefined;
    for (const command of this.#waiting) if (command.type === 'mine') command.reply(refused);
    this.#waiting = this.#waiting.filter(({ type }) => type !== 'mine');
  }

  /** The node stops: all waiting commands are refused. */
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
