/**
 * The push engine over a log that a test writes: a source, the registry under a supervisor, the ring and delivery.
 */
import { createSubscriptionRegistry } from '../../../src/actors/subscription-registry/index.js';
import { createSupervisor } from '../../../src/actors/supervisor/supervisor.js';
import { createPump, createPushEngine, type Delivery } from '../../../src/adapters/push/index.js';
import { DEFAULT_LIMITS, type Limits } from '../../../src/core/limits/limits.js';
import { toPosition, type Position } from '../../../src/core/primitives.js';
import { positionOf } from '../../../src/core/subscriptions/index.js';
import type {
  Cursor,
  CursorRefusal,
  InputKind,
  PushHistory,
  PushInput,
  PushSource,
  ReplayStart,
} from '../../../src/core/subscriptions/index.js';
import { VirtualTime } from '../../support/simulated-time.js';

/** A socket whose kernel takes nothing while it is stalled. */
export class FakeSocket {
  readonly frames: string[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  stalled = false;
  corks = 0;
  /** Called with each frame that the node sends. */
  onFrame: (frame: string) => void = () => undefined;
  /** Called when the node closes the socket. */
  onClosed: () => void = () => undefined;
  #buffered = 0;

  send(text: string): 'sent' | 'buffered' | 'dropped' {
    if (this.closed !== undefined) throw new Error('sent on a closed socket');
    this.frames.push(text);
    this.onFrame(text);
    if (this.stalled) this.#buffered += text.length;
    return this.stalled ? 'buffered' : 'sent';
  }
  bufferedBytes(): number {
    return this.#buffered;
  }
  cork(run: () => void): void {
    this.corks += 1;
    run();
  }
  end(code: number, reason: string): void {
    if (this.closed !== undefined) throw new Error('closed twice');
    this.closed = { code, reason };
    this.onClosed();
  }
  /** The kernel took all bytes; the transport has not reported it yet. */
  takeSilently(): void {
    this.#buffered = 0;
  }
  release(): void {
    this.stalled = false;
    this.#buffered = 0;
  }
}

/** A cursor below which the history counts as pruned; no input of the tests has this position. */
export const GONE = { text: '1', position: 1n } as const;

/** A log of inputs, those that were published, and the listeners. */
export class TestLog implements PushSource, PushHistory {
  readonly logged: PushInput[] = [];
  /** Number of inputs that replays read. */
  reads = 0;
  /** The error that replays throw. */
  failure: Error | undefined;
  /** The verdict on a cursor that is not ahead of the log. */
  verdict: (cursor: Cursor) => CursorRefusal | undefined | Promise<CursorRefusal | undefined> = (cursor) =>
    positionOf(cursor) === GONE.position ? Promise.resolve({ code: 'cursor-pruned' }) : undefined;
  readonly #listeners = new Set<(input: PushInput) => void>();
  readonly #shown: Record<InputKind, Position> = { commits: toPosition(0n), admissions: toPosition(0n) };

  /** Logs an input and publishes it. */
  add(input: PushInput): void {
    this.logged.push(input);
    this.show(input);
  }

  show(input: PushInput): void {
    this.#shown[input.kind] = input.position;
    for (const listener of [...this.#listeners]) listener(input);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  listen(listener: (input: PushInput) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  shown(kind: InputKind): Position {
    return this.#shown[kind];
  }

  head(): Position {
    const { commits, admissions } = this.#shown;
    return commits > admissions ? commits : admissions;
  }

  async *read(kind: InputKind, start: ReplayStart): AsyncGenerator<PushInput> {
    if (this.failure !== undefined) throw this.failure;
    for (let at = 0; at < this.logged.length; at += 1) {
      const input = this.logged[at];
      if (input === undefined || input.kind !== kind) continue;
      if ('after' in start ? input.position <= start.after : heightOf(input) < start.height) continue;
      await Promise.resolve();
      this.reads += 1;
      yield input;
    }
  }

  judge(cursor: Cursor): CursorRefusal | undefined | Promise<CursorRefusal | undefined> {
    return this.verdict(cursor);
  }
}

function heightOf(input: PushInput): bigint {
  return input.kind === 'commits' ? (input.block()?.height ?? 0n) : 0n;
}

const ID = 'subscriptionRegistry';

/** The push engine of a node over `log`; a second one is a new process over the same log. */
export class EngineNode {
  readonly time = new VirtualTime();
  readonly defects: unknown[] = [];
  readonly failures: unknown[] = [];
  readonly limits: Limits;

  constructor(
    readonly log: TestLog,
    limits: Partial<Limits> = {},
  ) {
    this.limits = { ...DEFAULT_LIMITS, ...limits };
    this.shell = createSubscriptionRegistry(ID, { limits: this.limits, source: log, history: log });
    this.supervisor = createSupervisor<typeof ID>({
      clock: this.time,
      timers: this.time,
      limits: this.limits,
      isFatal: () => false,
      onRestart: (_, error) => this.failures.push(error),
      onFailedAtStop: () => undefined,
      onFailed: (_, error) => this.failures.push(error),
      onMode: () => undefined,
    });
    this.startRegistry();
    this.pump = createPump<Delivery>({ limits: this.limits, timers: this.time, clock: this.time });
    this.engine = createPushEngine({
      subscriptions: { registry: this.shell.registry, history: log, source: log },
      pump: this.pump,
      limits: this.limits,
      timers: { after: () => () => undefined, yield: () => new Promise((resolve) => setImmediate(resolve)) },
      onDefect: (error) => this.defects.push(error),
    });
  }

  #runs = false;
  readonly shell;
  readonly supervisor;
  readonly pump;
  readonly engine;

  /** Begins at once; it takes commands after its catch-up. */
  startRegistry(): void {
    this.#runs = true;
    this.supervisor.start(this.shell.child).catch((error: unknown) => this.failures.push(error));
  }

  stopRegistry(): void {
    this.#runs = false;
    this.supervisor.stop(ID).catch((error: unknown) => this.failures.push(error));
  }

  restartRegistry(): void {
    if (!this.#runs) return this.startRegistry();
    this.supervisor.restart(ID).catch((error: unknown) => this.failures.push(error));
  }

  stop(): void {
    this.stopRegistry();
    this.pump.stop();
    this.engine.stop();
  }
}

/** Runs everything that is ready. */
export async function settle(turns = 4): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
