import { LargeRequests } from '../../../../src/adapters/transport/index.js';
import type { Session } from '../../../../src/adapters/transport/index.js';
import { createCometSession } from '../../../../src/adapters/comet-rpc/websocket/index.js';
import type { CallResult } from '../../../../src/adapters/comet-rpc/method.js';
import type { ConsensusEvent, ConsensusEventType } from '../../../../src/core/comet/websocket-events.js';
import type { Limits } from '../../../../src/core/limits/limits.js';
import type { CommitEvents } from '../../../../src/core/node-api.js';
import { toHeight, toPosition } from '../../../../src/core/primitives.js';
import type { ShownCommit } from '../../../../src/core/subscriptions/index.js';
import { EngineNode, FakeSocket as PlainSocket, GONE, settle, TestLog } from '../../push/engine-node.js';
import { messageOf } from '../../../support/message.js';

export { GONE, settle };

export interface Frame {
  readonly id?: string | number;
  readonly result?: { readonly query?: string; readonly data?: { readonly value: string }; readonly cursor?: string };
  readonly error?: { readonly code: number; readonly data?: string };
}

/** A socket that parses the frames that it got. */
export class FakeSocket extends PlainSocket {
  parsed(): readonly Frame[] {
    return this.frames.map((frame) => JSON.parse(frame) as Frame);
  }
}

export interface Node {
  readonly log: CommitEvents[];
  readonly source: TestLog;
  readonly engine: EngineNode;
  publish(events: readonly EventSpec[]): void;
  connect(): {
    readonly socket: FakeSocket;
    readonly session: Session;
    /** The client reads again. */
    readonly release: () => void;
    readonly call: (id: number | string, method: string, params?: unknown) => void;
  };
}

export interface EventSpec {
  readonly type: ConsensusEventType;
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  readonly padding?: number;
}

export function inputOf({ position, events }: CommitEvents): ShownCommit {
  return { kind: 'commits', position, events: () => events, block: () => undefined };
}

/** A node reduced to its log and its push engine. */
export function createNode(limits: Partial<Limits> = {}, callRaw?: (method: string) => Promise<CallResult>): Node {
  const log: CommitEvents[] = [];
  const source = new TestLog();
  const engine = new EngineNode(source, limits);
  return {
    log,
    source,
    engine,
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
      source.add(inputOf(commit));
    },
    connect() {
      const socket = new FakeSocket();
      const unknown: CallResult = { ok: false, error: { code: -32601, message: 'Method not found' } };
      const session = createCometSession({
        engine: engine.engine,
        socket,
        limits: engine.limits,
        large: new LargeRequests({ yield: () => Promise.resolve() }),
        callRaw: callRaw ?? ((method) => Promise.resolve(method === 'health' ? { ok: true, result: '{}' } : unknown)),
        onDefect: (error) => engine.defects.push(error),
      });
      return {
        socket,
        session,
        release() {
          socket.release();
          session.onDrain();
        },
        call: (id, method, params) =>
          session.onMessage(
            messageOf(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) })),
          ),
      };
    },
  };
}
