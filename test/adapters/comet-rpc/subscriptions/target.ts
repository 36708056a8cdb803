/**
 * The consensus websocket's engine as a target of the model: sessions over a log, a registry and sockets that can
 * stall.
 */
import fc from 'fast-check';
import type { ConsensusEvent } from '../../../../src/core/comet/websocket-events.js';
import type { Limits } from '../../../../src/core/limits/limits.js';
import type { CommitEvents } from '../../../../src/core/node-api.js';
import {
  BrokenPromise,
  consensusProtocol,
  type Interest,
  type Target,
  type Trial,
  type Wire,
  type WireListener,
} from '../../../../src/testing/index.js';
import { createNode, GONE, settle, type EventSpec, type Node } from './harness.js';
import { messageOf } from '../../../support/message.js';

export type CommitAction =
  | { readonly do: 'commit'; readonly events: readonly EventSpec[] }
  /** Restarts the registry; with `away` a commit comes while it is stopped, and another during its catch-up. */
  | { readonly do: 'away'; readonly events: readonly EventSpec[] }
  | { readonly do: 'registryRestart' };

const has = (event: ConsensusEvent, key: string, value: string): boolean =>
  event.attributes.get(key)?.includes(value) === true;
const query = (name: string, accepts: (event: ConsensusEvent) => boolean): Interest<CommitEvents> => ({
  name,
  items: ({ events }) =>
    events.flatMap((event, place) => (accepts(event) ? [{ key: JSON.parse(event.value), place }] : [])),
});

export const QUERIES: readonly Interest<CommitEvents>[] = [
  query("tm.event='NewBlock'", (event) => event.type === 'NewBlock'),
  query("tm.event = 'Tx'", (event) => event.type === 'Tx'),
  query('tm.event EXISTS', () => true),
  query(
    "tm.event='Tx' AND transfer.recipient='a'",
    (event) => event.type === 'Tx' && has(event, 'transfer.recipient', 'a'),
  ),
  query("transfer.recipient='b'", (event) => has(event, 'transfer.recipient', 'b')),
  query('tm.event=Tx AND tx.height > 3', (event) => event.type === 'Tx' && event.height > 3n),
  query('transfer EXISTS', (event) => event.attributes.has('transfer.recipient')),
  query("ethereum.recipient='0xAB'", (event) => has(event, 'ethereum_tx.recipient', '0xab')),
];

const event: fc.Arbitrary<EventSpec> = fc.record({
  type: fc.constantFrom('NewBlock', 'Tx', 'Vote'),
  attributes: fc.constantFrom<Readonly<Record<string, readonly string[]>>>(
    {},
    { 'transfer.recipient': ['a'] },
    { 'transfer.recipient': ['a', 'b'] },
    { 'ethereum_tx.recipient': ['0xab'] },
  ),
  padding: fc.constantFrom(0, 30),
});

const PROTOCOL = consensusProtocol<CommitEvents>(({ data }) => {
  const value = data !== null && typeof data === 'object' && 'value' in data ? data.value : undefined;
  return typeof value === 'string' ? value : undefined;
});

export function consensusTarget(limits: Partial<Limits>): Target<CommitEvents, CommitAction> {
  return {
    source: `consensusTarget(${JSON.stringify(limits)})`,
    interests: QUERIES,
    actions: fc.oneof<fc.WeightedArbitrary<CommitAction>[]>(
      { weight: 8, arbitrary: fc.record({ do: fc.constant('commit'), events: fc.array(event, { maxLength: 4 }) }) },
      { weight: 1, arbitrary: fc.constant({ do: 'registryRestart' }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('away'), events: fc.array(event, { maxLength: 4 }) }) },
    ),
    abilities: { clients: 3, cursors: true, stalls: true },
    begin: () => begin(createNode(limits)),
  };
}

function begin(node: Node): Trial<CommitEvents, CommitAction> {
  return {
    patienceMs: 0,
    history: () => node.log.map((fact) => ({ fact })),
    async perform(action) {
      switch (action.do) {
        case 'commit':
          return node.publish(action.events);
        case 'away':
          node.engine.stopRegistry();
          node.publish(action.events);
          node.engine.startRegistry();
          node.publish(action.events);
          return await settle();
        case 'registryRestart':
          return node.engine.restartRegistry();
      }
    },
    settle: async () => {
      await settle();
      await settle();
    },
    push: {
      protocol: PROTOCOL,
      beginsWhenAsked: true,
      goneCursor: GONE.text,
      connect: (listener) => connect(node, listener),
      cursorAt(_, choice) {
        const facts = choice % (node.log.length + 1);
        const events = node.log[facts]?.events.length ?? 0;
        const place = events === 0 ? -1 : (choice % (events + 1)) - 1;
        // Commits of the harness are at every second position.
        const cursor = place < 0 ? String(facts * 2) : `${(facts + 1) * 2}.${place}`;
        return { cursor, begin: { facts, place } };
      },
    },
    end() {
      const { defects, failures, pump, shell } = node.engine;
      const { sockets, ringCommits, ringBytes } = pump.counters();
      const { clients, subscriptions } = shell.counters().faces.consensus;
      if (clients + subscriptions + sockets + ringCommits + ringBytes + defects.length + failures.length > 0)
        throw new BrokenPromise('nothing left', JSON.stringify({ ...pump.counters(), clients, subscriptions }));
    },
  };
}

/** A client of the harness' socket, which does not read while it is stalled. */
function connect(node: Node, listener: WireListener): Wire {
  const { socket, session, release } = node.connect();
  const unread: string[] = [];
  const tellEnd = (): void => {
    if (socket.closed === undefined || unread.length > 0) return;
    session.onClose();
    listener.onClosed('server', socket.closed.code, socket.closed.reason);
  };
  socket.onFrame = (frame) => (socket.stalled ? unread.push(frame) : listener.onText(frame));
  socket.onClosed = () => {
    if (!socket.stalled) tellEnd();
  };
  return {
    send: (text) => session.onMessage(messageOf(text)),
    pause() {
      socket.stalled = true;
    },
    resume() {
      for (const frame of unread.splice(0)) listener.onText(frame);
      if (socket.closed !== undefined) return tellEnd();
      if (socket.stalled) release();
    },
    close: () => session.onClose(),
  };
}
