import { FIXED_LIMITS, type Limits } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';
import type { Encoded, Matches, NodeSubscriptions, RingFrame, Subscription } from '../../core/subscriptions/index.js';
import { bodiesOf } from './bodies.js';
import { connect, type PushConnection } from './connection.js';
import type { PushEncoding, PushSocket } from './face.js';
import type { Delivery } from './delivery.js';
import type { SocketWriter, Pump } from './pump.js';

export interface PushEngineOptions {
  readonly subscriptions: NodeSubscriptions;
  readonly pump: Pump<Delivery>;
  readonly timers: Timers;
  readonly limits: Pick<Limits, 'replayInputsPerTurn'>;
  /** Called when a notification could not be encoded, written or replayed (a bug). Its receivers are disconnected. */
  readonly onDefect: (error: unknown) => void;
}

export interface EndedDelivery {
  readonly delivery: Delivery;
  /** `unsubscribed`, `connection closed`, or the reason sent to its client. */
  readonly reason: string;
}

/** Delivers notifications to the websockets of all push faces. */
export interface PushEngine {
  /** Creates the connection of a socket. */
  connect(encoding: PushEncoding, socket: PushSocket): PushConnection;
  /** Number of sockets that have or had subscriptions. */
  connections(): number;
  /** The open subscriptions of all sockets, in order of creation. */
  deliveries(): Iterable<Delivery>;
  /** Recently ended subscriptions with the reason, newest first. */
  ended(): readonly EndedDelivery[];
  /** Disconnects from the registry; sockets stay open. */
  stop(): void;
}

/**
 * Creates the push engine of a node: items matched by the registry are encoded once, put into the ring, and written
 * to the sockets.
 */
export function createPushEngine({ subscriptions, pump, timers, limits, onDefect }: PushEngineOptions): PushEngine {
  const deliveries = new Map<Subscription, Delivery>();
  const connections = new Set<PushConnection>();
  let connected = 0;
  let ended: readonly EndedDelivery[] = [];

  const framesOf = ({ matches, position }: Matches): Map<SocketWriter, RingFrame<Delivery>[]> => {
    const frames = new Map<SocketWriter, RingFrame<Delivery>[]>();
    for (const { item, subscriptions: receivers } of matches) {
      const bodyFor = bodiesOf(item, position);
      for (const subscription of receivers) {
        const target = deliveries.get(subscription);
        if (target?.state !== 'live') continue;
        const body: Encoded = bodyFor(target);
        target.made += 1;
        target.newest = position;
        const list = frames.get(target.writer);
        if (list === undefined) frames.set(target.writer, [{ target, body }]);
        else list.push({ target, body });
      }
    }
    return frames;
  };
  const leave = subscriptions.registry.attach({
    held: () => deliveries.keys(),
    deliver(matches) {
      try {
        pump.publish({ kind: matches.kind, position: matches.position, frames: framesOf(matches) });
      } catch (error) {
        // Disconnect all receivers: otherwise they would miss the item silently.
        const receivers = new Set(matches.matches.flatMap((match) => match.subscriptions));
        for (const subscription of receivers) deliveries.get(subscription)?.defect();
        onDefect(error);
      }
    },
  });

  return {
    connect(encoding, socket) {
      const connection = connect(encoding, socket, {
        subscriptions,
        pump,
        timers,
        limits,
        onDefect,
        deliveries,
        client: (connected += 1),
        ended(some, reason) {
          const latest = some.slice(-FIXED_LIMITS.endedSubscriptions).map((delivery) => ({ delivery, reason }));
          ended = [...latest.reverse(), ...ended].slice(0, FIXED_LIMITS.endedSubscriptions);
        },
        closed: () => void connections.delete(connection),
      });
      connections.add(connection);
      return connection;
    },
    connections: () => connections.size,
    deliveries: () => deliveries.values(),
    ended: () => ended,
    stop: leave,
  };
}
