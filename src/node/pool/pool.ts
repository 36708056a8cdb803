import type { BlockContext } from '../../core/application.js';
import type { Limits } from '../../core/limits.js';
import type { Outcome } from '../../core/node-api.js';
import type { Timers } from '../../core/ports/time.js';
import { errorOf } from '../threads/failed-reply.js';
import { ThreadLost, type Requests } from '../threads/requests.js';
import type { PoolReply, PoolRequest, PoolTask, PoolValues } from './protocol.js';
import { FIXED_LIMITS } from '../../core/limits.js';

/**
 * Read-only work on worker threads; the result is `busy` when too many tasks wait, and `timeout` when a task takes too
 * long.
 */
export interface Pool {
  run<Kind extends PoolTask['kind']>(
    task: Extract<PoolTask, { readonly kind: Kind }>,
    context: BlockContext,
  ): Promise<Outcome<PoolValues[Kind]>>;
  stop(): Promise<void>;
}

export type PoolThread = Requests<PoolRequest, PoolReply>;

export interface PoolOptions {
  /** Starts a thread and opens it; called on first use, and after a thread was ended. */
  readonly start: () => Promise<PoolThread>;
  /** Number of threads for work that takes longer than the fast lane allows. */
  readonly slowThreads: number;
  readonly timers: Timers;
  readonly limits: Pick<Limits, 'poolWaiting' | 'poolFastMs' | 'poolSlowMs'>;
}

type Ran = PoolReply | { readonly kind: 'busy' };

/**
 * Two lanes: every task begins in the fast lane, with little time; a task that does not end there begins again in the
 * slow lane. So a heavy call never delays light ones.
 */
export function createPool({ start, slowThreads, timers, limits }: PoolOptions): Pool {
  const fast = new Lane({ start, timers, threads: 1, milliseconds: limits.poolFastMs, waiting: limits.poolWaiting });
  const slow = new Lane({
    start,
    timers,
    threads: slowThreads,
    milliseconds: limits.poolSlowMs,
    waiting: limits.poolWaiting,
  });
  const run = async (task: PoolTask, context: BlockContext): Promise<Ran> => {
    const first = await fast.run(task, context);
    return first.kind === 'interrupted' ? slow.run(task, context) : first;
  };
  return {
    async run<Kind extends PoolTask['kind']>(task: Extract<PoolTask, { readonly kind: Kind }>, context: BlockContext) {
      const ran = await run(task, context);
      switch (ran.kind) {
        // The kind of a task determines the type of its value: `protocol.ts` pairs them, and the thread runs the same
        // build.
        case 'value':
          return ran.value as Outcome<PoolValues[Kind]>;
        case 'busy':
          return { ok: false, error: { code: 'busy', what: 'calls' } };
        case 'interrupted':
          return { ok: false, error: { code: 'timeout', milliseconds: limits.poolSlowMs } };
        case 'failed':
          throw errorOf(ran, (message) => new Error(message));
        case 'opened':
          throw new Error('the thread opened twice');
      }
    },
    stop: async () => void (await Promise.all([fast.stop(), slow.stop()])),
  };
}

interface LaneOptions {
  readonly start: () => Promise<PoolThread>;
  readonly timers: Timers;
  readonly threads: number;
  readonly milliseconds: number;
  readonly waiting: number;
}

interface Waiting {
  readonly task: PoolTask;
  readonly context: BlockContext;
  readonly resolve: (ran: Ran) => void;
  readonly reject: (error: unknown) => void;
}

/** Threads with one queue; a thread that does not stop in time is ended and replaced. */
class Lane {
  readonly #options: LaneOptions;
  readonly #idle: PoolThread[] = [];
  readonly #all = new Set<PoolThread>();
  readonly #queue: Waiting[] = [];
  #starting = 0;
  #stopped = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  run(task: PoolTask, context: BlockContext): Promise<Ran> {
    if (this.#queue.length >= this.#options.waiting) return Promise.resolve({ kind: 'busy' });
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, context, resolve, reject });
      this.#advance();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { resolve } of this.#queue.splice(0)) resolve({ kind: 'busy' });
    await Promise.all([...this.#all].map((thread) => thread.stop()));
  }

  #advance(): void {
    while (this.#queue.length > 0) {
      const thread = this.#idle.pop();
      if (thread === undefined) {
        this.#grow();
        return;
      }
      const next = this.#queue.shift();
      if (next !== undefined) void this.#work(thread, next);
    }
  }

  #grow(): void {
    if (this.#stopped || this.#all.size + this.#starting >= this.#options.threads) return;
    this.#starting += 1;
    this.#options.start().then(
      (thread) => {
        this.#starting -= 1;
        this.#all.add(thread);
        this.#idle.push(thread);
        if (this.#stopped) void thread.stop();
        else this.#advance();
      },
      (error: unknown) => {
        this.#starting -= 1;
        for (const { reject } of this.#queue.splice(0)) reject(error);
      },
    );
  }

  async #work(thread: PoolThread, { task, context, resolve, reject }: Waiting): Promise<void> {
    const { milliseconds, timers } = this.#options;
    const kill = timers.after(milliseconds + FIXED_LIMITS.poolGraceMs, () => void thread.stop());
    try {
      resolve(await thread.ask({ kind: 'run', task, context, milliseconds }));
      this.#idle.push(thread);
    } catch (error) {
      this.#all.delete(thread);
      if (error instanceof ThreadLost) resolve({ kind: 'interrupted' });
      else reject(error);
    } finally {
      kill();
      this.#advance();
    }
  }
}
