import type { BlockContext } from '../../core/application-requests.js';
import type { TracePart } from '../../core/ethereum/api.js';
import type { EvmTrace } from '../../core/evm/outcome.js';
import type { Outcome } from '../../core/node-api.js';
import type { Timers } from '../../core/ports/time.js';
import type { PullStream } from '../../core/ports/pull-stream.js';
import { errorOf } from '../threads/failed-reply.js';
import { ThreadLost, type Requests } from '../threads/requests.js';
import { streamOf } from './pull-streams.js';
import { PartReader } from './part-reader.js';
import type { ChangedState, PoolReply, PoolRequest, PoolTask, PoolValues, TraceTask } from './protocol.js';
import type { StreamFlow } from './stream-flow.js';
import { FIXED_LIMITS, type Limits } from '../../core/limits/limits.js';

/**
 * Runs read-only work on worker threads. Fails with `limit-exceeded` when too many tasks wait, with `timeout` when a
 * task takes too long, and with `busy` after `stop`.
 */
export interface Pool {
  /** Runs a task on the state after the block of the context, or on `changed`. */
  run<Kind extends PoolTask['kind']>(
    task: Extract<PoolTask, { readonly kind: Kind }>,
    context: BlockContext,
    changed?: ChangedState,
  ): Promise<Outcome<PoolValues[Kind]>>;
  /** Streams the traces of a task while they are produced, without a size limit. */
  stream(task: TraceTask, context: BlockContext, changed?: ChangedState): Promise<Outcome<PullStream<TracePart>>>;
  stop(): Promise<void>;
}

export interface PoolThread extends Requests<PoolRequest, PoolReply> {
  /** Flow control of trace streaming; without it the traces are the task's value. */
  readonly flow?: StreamFlow;
}

export interface PoolOptions {
  /** Starts and opens a thread; called on first use, and after a thread was terminated. */
  readonly start: () => Promise<PoolThread>;
  /** Threads for work that exceeds the time of the fast queue. */
  readonly slowThreads: number;
  readonly timers: Timers;
  readonly limits: Pick<
    Limits,
    'poolWaiting' | 'poolFastMs' | 'poolSlowMs' | 'poolProofMs' | 'poolListMs' | 'traceStreamMs'
  >;
}

type RunRequest = Extract<PoolRequest, { readonly kind: 'run' }>;

type Ran =
  | PoolReply
  /** The pool was stopped. */
  | { readonly kind: 'busy' }
  /** The queue is full: `maximum` tasks wait. */
  | { readonly kind: 'full'; readonly maximum: number };

/** True for tasks with many transactions, which would only block the fast queue. */
function isLong(task: PoolTask): boolean {
  return task.kind === 'next-block' && task.block.txs.length > FIXED_LIMITS.fastBlockTxs;
}

/** True for traces, which execute a whole block or much of it and should not wait for each other. */
function isTrace(task: PoolTask): boolean {
  return task.kind === 'trace-transactions' || task.kind === 'trace-call';
}

/**
 * Creates a pool with queues, each with its own threads. Most tasks start in the fast queue with a short time limit;
 * a task that exceeds it starts over in the slow queue, so heavy calls never delay light ones. A trace that would have
 * to wait in the fast queue starts in the slow one if that has room. Streamed traces have their own queue, because
 * their threads wait for clients; so do proofs, whose thread reads the whole state and caches its tries; and so do
 * queries over many rows, which take seconds.
 */
export function createPool({ start, slowThreads, timers, limits }: PoolOptions): Pool {
  const queue = (threads: number, milliseconds: number, idleMs?: number): TaskQueue =>
    new TaskQueue({ start, timers, threads, milliseconds, waiting: limits.poolWaiting, idleMs });
  const { poolIdleMs } = FIXED_LIMITS;
  const fast = queue(1, limits.poolFastMs);
  const slow = queue(slowThreads, limits.poolSlowMs, poolIdleMs);
  const streams = queue(slowThreads + 1, limits.traceStreamMs, poolIdleMs);
  const proofs = queue(1, limits.poolProofMs, poolIdleMs);
  const lists = queue(1, limits.poolListMs, poolIdleMs);
  const skipsFastQueue = (task: PoolTask, other: TaskQueue): boolean =>
    isLong(task) || (isTrace(task) && !fast.hasRoom && other.hasRoom);
  return {
    async run<Kind extends PoolTask['kind']>(
      task: Extract<PoolTask, { readonly kind: Kind }>,
      context: BlockContext,
      changed?: ChangedState,
    ) {
      const work = { task, context, changed };
      if (task.kind === 'eth-proof') return outcomeOf<Kind>(await proofs.run(work), limits.poolProofMs);
      if (task.kind === 'list') return outcomeOf<Kind>(await lists.run(work), limits.poolListMs);
      const first: Ran = skipsFastQueue(task, slow) ? { kind: 'interrupted' } : await fast.run(work);
      const ran = first.kind === 'interrupted' ? await slow.run(work) : first;
      return outcomeOf<Kind>(ran, limits.poolSlowMs);
    },
    async stream(task, context, changed) {
      const work = { task, context, changed };
      const first: Ran = skipsFastQueue(task, streams) ? { kind: 'interrupted' } : await fast.run(work);
      if (first.kind !== 'interrupted') {
        const outcome = outcomeOf<TraceTask['kind']>(first, limits.poolFastMs);
        if (!outcome.ok) return outcome;
        if (outcome.value !== undefined) return { ok: true, value: wholeTraces(outcome.value) };
      }
      const reader = new PartReader();
      const ran = streams.run(work, reader).then((last) => outcomeOf<TraceTask['kind']>(last, limits.traceStreamMs));
      ran.then(
        (outcome) => reader.finish(outcome.ok ? undefined : new Error(`a streamed trace ended: ${outcome.error.code}`)),
        (error: unknown) => reader.finish(error instanceof Error ? error : new Error(String(error))),
      );
      const ended = await Promise.race([reader.begun, ran]);
      if (ended === undefined) return { ok: true, value: reader };
      if (!ended.ok) return ended;
      // A thread without flow control returns whole traces.
      if (ended.value !== undefined) return { ok: true, value: wholeTraces(ended.value) };
      return { ok: false, error: { code: 'limit-exceeded', limit: 'ethTraceBytes', maximum: task.maxBytes } };
    },
    stop: async () => void (await Promise.all([fast, slow, streams, proofs, lists].map((each) => each.stop()))),
  };
}

function wholeTraces(traces: readonly EvmTrace[]): PullStream<TracePart> {
  return streamOf(traces.map((trace) => ({ kind: 'end', trace }) as const));
}

function outcomeOf<Kind extends PoolTask['kind']>(ran: Ran, milliseconds: number): Outcome<PoolValues[Kind]> {
  switch (ran.kind) {
    // `protocol.ts` pairs kinds and values, and the thread runs the same build.
    case 'value':
      return ran.value as Outcome<PoolValues[Kind]>;
    case 'busy':
      return { ok: false, error: { code: 'busy', what: 'the pool' } };
    case 'full':
      return { ok: false, error: { code: 'limit-exceeded', limit: 'poolWaiting', maximum: ran.maximum } };
    case 'interrupted':
      return { ok: false, error: { code: 'timeout', milliseconds } };
    case 'failed':
      throw errorOf(ran, (message) => new Error(message));
    case 'opened':
    case 'part':
      throw new Error(`invariant: the thread ends a task with ${ran.kind}`);
  }
}

interface TaskQueueOptions {
  readonly start: () => Promise<PoolThread>;
  readonly timers: Timers;
  readonly threads: number;
  readonly milliseconds: number;
  readonly waiting: number;
  /** Idle milliseconds after which a thread is terminated to free its memory; undefined: never. */
  readonly idleMs: number | undefined;
}

interface Work {
  readonly task: PoolTask;
  readonly context: BlockContext;
  readonly changed: ChangedState | undefined;
}

interface Waiting extends Work {
  /** Receives the parts of a streamed task. */
  readonly reader: PartReader | undefined;
  readonly resolve: (ran: Ran) => void;
  readonly reject: (error: unknown) => void;
}

/** Threads with one queue. A thread that does not finish in time is terminated and replaced. */
class TaskQueue {
  readonly #options: TaskQueueOptions;
  readonly #idle: PoolThread[] = [];
  /** Cancels the idle timeout of a thread. */
  readonly #wake = new Map<PoolThread, () => void>();
  readonly #all = new Set<PoolThread>();
  readonly #queue: Waiting[] = [];
  /** The state last sent to each thread. */
  readonly #sent = new WeakMap<PoolThread, ChangedState>();
  /** Threads that are being terminated. */
  readonly #ending = new Set<Promise<void>>();
  #starting = 0;
  #stopped = false;

  constructor(options: TaskQueueOptions) {
    this.#options = options;
  }

  /** True when a new task would not have to wait. */
  get hasRoom(): boolean {
    return this.#queue.length < this.#idle.length + this.#options.threads - this.#all.size;
  }

  run(work: Work, reader?: PartReader): Promise<Ran> {
    const { waiting: maximum } = this.#options;
    if (this.#stopped) return Promise.resolve({ kind: 'busy' });
    if (this.#queue.length >= maximum) return Promise.resolve({ kind: 'full', maximum });
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...work, reader, resolve, reject });
      this.#advance();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { resolve } of this.#queue.splice(0)) resolve({ kind: 'busy' });
    for (const wake of this.#wake.values()) wake();
    await Promise.all([...[...this.#all].map((thread) => thread.stop()), ...this.#ending]);
  }

  #advance(): void {
    while (this.#queue.length > 0) {
      const thread = this.#idle.pop();
      if (thread === undefined) {
        this.#grow();
        return;
      }
      this.#wake.get(thread)?.();
      this.#wake.delete(thread);
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
        this.#rest(thread);
        if (this.#stopped) void thread.stop();
        else this.#advance();
      },
      (error: unknown) => {
        this.#starting -= 1;
        for (const { reject } of this.#queue.splice(0)) reject(error);
      },
    );
  }

  #rest(thread: PoolThread): void {
    this.#idle.push(thread);
    const { idleMs, timers } = this.#options;
    if (idleMs === undefined || this.#stopped) return;
    const end = (): void => {
      this.#wake.delete(thread);
      this.#idle.splice(this.#idle.indexOf(thread), 1);
      this.#all.delete(thread);
      this.#end(thread);
    };
    this.#wake.set(thread, timers.after(idleMs, end));
  }

  #end(thread: PoolThread): void {
    const ending = thread.stop().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** The state to send: its writes are omitted if the thread has them already. */
  #toSend(thread: PoolThread, changed: ChangedState): NonNullable<RunRequest['changed']> {
    const isKnown = this.#sent.get(thread) === changed;
    this.#sent.set(thread, changed);
    return { base: changed.base, writes: isKnown ? undefined : changed.writes };
  }

  async #work(thread: PoolThread, { task, context, changed, reader, resolve, reject }: Waiting): Promise<void> {
    const { milliseconds, timers } = this.#options;
    const kill = timers.after(milliseconds + FIXED_LIMITS.poolGraceMs, () => this.#end(thread));
    try {
      reader?.begin(thread.flow);
      const request: PoolRequest = {
        kind: 'run',
        task,
        context,
        milliseconds,
        ...(reader && { inParts: true }),
        ...(changed && { changed: this.#toSend(thread, changed) }),
      };
      resolve(
        await thread.ask(request, (more) => {
          if (more.kind === 'part') reader?.arrived(more.part);
        }),
      );
      this.#rest(thread);
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
