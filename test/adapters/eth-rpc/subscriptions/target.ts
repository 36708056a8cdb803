/** Delivery of `eth_subscribe` as a target of the model: a hub, a pump on virtual time and sockets that can stall. */
import fc from 'fast-check';
import { followedBy, type PushStart } from '../../../../src/adapters/push/index.js';
import type { Limits } from '../../../../src/core/limits/limits.js';
import { parseCursor } from '../../../../src/core/subscriptions/index.js';
import {
  BrokenPromise,
  ethereumProtocol,
  type Target,
  type Trial,
  type Wire,
  type WireListener,
} from '../../../../src/testing/index.js';
import { DeliveryNode, FakeSocket, GONE, KINDS, resultText, settle, type Fact, type LogSpec } from './harness.js';

export type DeliveryAction =
  /** `log` puts a block into the log that is published later: by `show`, or with the next one. */
  | { readonly do: 'mine' | 'log'; readonly logs: readonly LogSpec[] }
  /** Restarts the registry; with `away` blocks come while it is stopped, and during its catch-up. */
  | { readonly do: 'away'; readonly logs: readonly LogSpec[] }
  | { readonly do: 'admit' | 'show' | 'pump' | 'restart' | 'registryRestart' };

const logs = fc.array(fc.record({ address: fc.integer({ min: 1, max: 3 }), topic: fc.integer({ min: 1, max: 3 }) }), {
  maxLength: 5,
});

export function deliveryTarget(limits: Partial<Limits>): Target<Fact, DeliveryAction> {
  return {
    source: `deliveryTarget(${JSON.stringify(limits)})`,
    interests: KINDS,
    actions: fc.oneof<fc.WeightedArbitrary<DeliveryAction>[]>(
      { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('mine', 'log'), logs }) },
      { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('admit', 'show', 'pump') }) },
      { weight: 1, arbitrary: fc.constant({ do: 'restart' }) },
      { weight: 1, arbitrary: fc.constant({ do: 'registryRestart' }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('away'), logs }) },
    ),
    abilities: { clients: 3, cursors: true, stalls: true, heldAnswers: true },
    begin: () => begin(new DeliveryNode(limits)),
  };
}

function begin(node: DeliveryNode): Trial<Fact, DeliveryAction> {
  const sessions = new Set<Session>();
  const noDefects = (): void => {
    if (node.defects.length > 0) throw new BrokenPromise('nothing left', `defects: ${node.defects.join(', ')}`);
  };
  return {
    patienceMs: 0,
    history: () => node.history,
    async perform(action) {
      switch (action.do) {
        case 'mine':
          return node.mine(action.logs);
        case 'log':
          return node.log(action.logs);
        case 'admit':
          return node.admit();
        case 'show':
          return node.show();
        case 'pump':
          return await node.time.runUntilIdle();
        case 'restart':
          for (const session of sessions) session.restart();
          return node.restart();
        case 'away':
          node.engine.stopRegistry();
          node.mine(action.logs);
          node.admit();
          node.engine.startRegistry();
          node.mine(action.logs);
          return await settle();
        case 'registryRestart':
          return node.engine.restartRegistry();
      }
    },
    async settle() {
      for (let turn = 0; turn < 3; turn += 1) {
        await settle();
        await node.time.runUntilIdle();
      }
      noDefects();
    },
    push: {
      protocol: {
        ...ethereumProtocol<Fact>(KINDS, resultText),
        subscribeHeld: (request, { name }) => JSON.stringify({ id: request, method: 'held', params: [name] }),
      },
      beginsWhenAsked: true,
      goneCursor: GONE.text,
      connect(listener) {
        const session = new Session(node, listener);
        sessions.add(session);
        return session;
      },
      cursorAt(interest, choice) {
        const isPending = interest.name.startsWith('newPending');
        const list = node.history.flatMap(({ fact }, index) =>
          (fact.kind === 'pending') === isPending ? [{ fact, index }] : [],
        );
        const at = choice % (list.length + 1);
        const next = list[at];
        const count = next?.fact.kind === 'block' && interest.name !== 'newHeads' ? next.fact.logs.length : 0;
        const place = (choice % (count + 1)) - 1;
        const cursor =
          next === undefined || place < 0
            ? String(list[at - 1]?.fact.position ?? 0n)
            : `${next.fact.position}.${place}`;
        return { cursor, begin: { facts: next?.index ?? node.history.length, place } };
      },
    },
    end() {
      noDefects();
      const left = {
        ...node.engine.shell.counters().faces.ethereum,
        ...node.pump.counters(),
        connections: node.engine.engine.connections(),
      };
      if (left.clients + left.subscriptions + left.sockets + left.ringCommits + left.ringBytes + left.connections > 0)
        throw new BrokenPromise('nothing left', JSON.stringify(left));
    },
  };
}

interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: readonly [string, { readonly cursor?: string | true }?];
}

/** A websocket without its transport: requests go to the hub, answers and notifications to the listener. */
class Session implements Wire {
  readonly #socket = new FakeSocket();
  readonly #connection;
  readonly #held: (() => void)[] = [];
  readonly #unread: string[] = [];
  #isOver = false;

  constructor(
    node: DeliveryNode,
    private readonly listener: WireListener,
  ) {
    this.#connection = node.hub.connect(this.#socket);
    this.#socket.onFrame = (frame) => (this.#socket.stalled ? void this.#unread.push(frame) : listener.onText(frame));
    this.#socket.onClosed = () => this.#tellEnd();
  }

  send(text: string): void {
    const { id, method, params }: Request = JSON.parse(text);
    if (method === 'eth_unsubscribe') return this.#answer(id, { result: this.#connection.unsubscribe(params[0]) });
    const { request } = KINDS.find(({ name }) => name === params[0]) ?? {};
    const asked = params[1]?.cursor;
    if (request === undefined) return this.#answer(id, { error: { code: -32602, message: 'unknown' } });
    const cursor = typeof asked === 'string' ? parseCursor(asked) : undefined;
    const start: PushStart = cursor === undefined ? request.start : { kind: 'cursor', cursor };
    void followedBy(
      this.#connection.subscribe({ ...request, start, cursors: asked !== undefined }),
      (subscribed): void => {
        if (!subscribed.ok) return this.#answer(id, { error: subscribed.error });
        // As in the real session: the answer, then `activate` in the same turn; in a batch both wait.
        const answer = (): void => {
          if (this.#socket.closed !== undefined) return;
          this.#answer(id, { result: subscribed.id });
          subscribed.activate();
        };
        if (method === 'held') this.#held.push(answer);
        else answer();
      },
    );
  }

  answerHeld(): void {
    for (const answer of this.#held.splice(0)) answer();
  }

  pause(): void {
    this.#socket.stalled = true;
  }

  resume(): void {
    for (const frame of this.#unread.splice(0)) this.listener.onText(frame);
    if (this.#socket.closed !== undefined) return this.#tellEnd();
    if (!this.#socket.stalled) return;
    this.#socket.release();
    this.#connection.drained();
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#connection.closed();
  }

  /** The process has ended, and its sockets with it. */
  restart(): void {
    if (this.#isOver) return;
    this.close();
    this.listener.onClosed('restart', 1006, '');
  }

  #answer(id: number, outcome: { readonly result: unknown } | { readonly error: unknown }): void {
    if (this.#socket.closed === undefined) this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
  }

  #tellEnd(): void {
    const { closed } = this.#socket;
    if (closed === undefined || this.#unread.length > 0 || this.#isOver) return;
    this.close();
    this.listener.onClosed('server', closed.code, closed.reason);
  }
}
