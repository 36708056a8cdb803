import {
  createSubscriptionRegistry,
  type SubscriptionRegistryActor,
} from '../../../../src/actors/subscription-registry/index.js';
import type { Session } from '../../../../src/adapters/transport/index.js';
import { createCometSession } from '../../../../src/adapters/comet-rpc/websocket/index.js';
import type { CallResult } from '../../../../src/adapters/comet-rpc/method.js';
import type { ConsensusEvent, ConsensusEventType } from '../../../../src/core/websocket-events.js';
import { DEFAULT_LIMITS, type Limits } from '../../../../src/core/limits.js';
import type { CommitEvents } from '../../../../src/core/node-api.js';
import { toHeight, toPosition } from '../../../../src/core/primitives.js';
import type { Replay } from '../../../../src/core/subscriptions/index.js';
import { createHub, type Hub } from '../../../../src/streams/index.js';

export interface Frame {
  readonly id?: string | number;
  readonly result?: { readonly query?: string; readonly data?: { readonly value: string }; readonly cursor?: string };
  readonly error?: { readonly code: number; readonly data?: string };
}

/** A socket whose kernel takes nothing while it is stalled. */
export class FakeSocket {
  readonly frames: string[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  stalled = false;
  corks = 0;
  private buffered = 0;
  /** Called with each frame, as the node sends it. */
  onFrame: (frame: string) => void = () => undefined;
  /** Called when the node closes it. */
  onClosed: () => void = () => undefined;

  send(text: string): 'sent' | 'buffered' | 'dropped' {
    if (this.closed !== undefined) throw new Error('sent on a closed socket');
    this.frames.push(text);
    this.onFrame(text);
    if (this.stalled) this.buffered += text.length;
    return this.stalled ? 'buffered' : 'sent';
  }
  bufferedBytes(): number {
    return this.buffered;
  }
  cork(run: () => void): void {
    this.corks += 1;
    run();
  }
  close(code: number, reason: string): void {
    if (this.closed !== undefined) throw new Error('closed twice');
    this.closed = { code, reason };
    this.onClosed();
  }
  /** The kernel took everything, the transport has not told it yet. */
  takeSilently(): void {
    this.buffered = 0;
  }
  release(session: Session): void {
    this.stalled = false;
    this.buffered = 0;
    session.onDrain();
  }
  parsed(): readonly Frame[] {
    return this.frames.map((frame) => JSON.parse(frame) as Frame);
  }
}

export interface Node {
  readonly log: CommitEvents[];
  readonly hub: Hub<CommitEvents>;
  readonly registry: SubscriptionRegistryActor;
  publish(events: readonly EventSpec[]): void;
  connect(): {
    readonly socket: FakeSocket;
    readonly session: Session;
    readonly call: (id: number | string, method: string, params?: unknown) => void;
  };
}

export interface EventSpec {
  readonly type: ConsensusEventType;
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  readonly padding?: number;
}

/** A node reduced to its log, hub and registry. */
export function createNode(
  limits: Partial<Limits> = {},
  callRaw?: (method: string) => Promise<CallResult>,
  failingReplay?: Replay,
): Node {
  const all: Limits = { ...DEFAULT_LIMITS, ...limits };
  const log: CommitEvents[] = [];
  const hub = createHub<CommitEvents>();
  const registry = createSubscriptionRegistry({
    limits: all,
    feeds: { onCommit: (listener) => hub.onCommit(listener) },
    position: toPosition(0n),
  });
  const replay = async function* (from: bigint): AsyncGenerator<CommitEvents> {
    for (let at = 0; at < log.length; at += 1) {
      await Promise.resolve();
      const commit = log[at];
      if (commit !== undefined && commit.position > from) yield commit;
    }
  };
  return {
    log,
    hub,
    registry,
    publish(specs) {
      const number = BigInt(log.length + 1);
      const events = specs.map((spec, index): ConsensusEvent => ({
        type: spec.type,
        height: toHeight(number),
        position: toPosition(number * 2n),
        dataType: `tendermint/event/${spec.type}`,
        value: JSON.stringify(`${number}/${index}${'.'.repeat(spec.padding ?? 0)}`),
        attributes: new Map([
          ...Object.entries(spec.attributes ?? {}),
          ['tx.height', [String(number)]],
          ['tm.event', [spec.type]],
        ]),
      }));
      const commit = { position: toPosition(number * 2n), events };
      log.push(commit);
      hub.publish(commit);
    },
    connect() {
      const socket = new FakeSocket();
      const unknown: CallResult = { ok: false, error: { code: -32601, message: 'Method not found' } };
      const session = createCometSession({
        registry,
        replay: failingReplay ?? replay,
        socket,
        limits: all,
        callRaw: callRaw ?? ((method) => Promise.resolve(method === 'health' ? { ok: true, result: '{}' } : unknown)),
      });
      return {
        socket,
        session,
        call: (id, method, params) =>
          session.onMessage(
            JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }),
          ),
      };
    },
  };
}

/** Lets everything that is ready run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
