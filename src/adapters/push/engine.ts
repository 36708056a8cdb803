import type { Limits } from '../../core/limits/limits.js';
import type { Timers } from '../../core/ports/time.js';
import type { Encoded, Matches, NodeSubscriptions, RingFrame, Subscription } from '../../core/subscriptions/index.js';
import { bodiesOf } from './bodies.js';
import { connect, type PushConnection } from './connection.js';
import type { PushEncoding, PushSocket } from './face.js';
import type { Delivery } from './delivery.js';
import type { Outlet, Pump } from './pump.js';

export interface PushEngineOptions {
  readonly subscriptions: NodeSubscriptions;
  readonly pump: Pump<Delivery>;
  readonly timers: Timers;
  readonly limits: Pick<Limits, 'replayInputsPerTurn'>;
  /** A notification could not be made, written or read again: a defect. Its receivers are cut off. */
  readonly onDefect: (error: unknown) => void;
}

/** Delivers to the websockets of every push face. */
export interface PushEngine {
  /** Opens the subscriptions of one socket. */
  connect(encoding: PushEncoding, socket: PushSocket): PushConnection;
  /** Sockets with subscriptions, now or before. */
  connections(): number;
  /** Leaves the registry; sockets stay as they are. */
  stop(): void;
}

/**
 * The one push engine of a node: what the registry matches goes into the ring, encoded once, and from there to the
 * sockets.
 */
export function createPushEngine({ subscriptions, pump, timers, limits, onDefect }: PushEngineOptions): PushEngine {
  const deliveries = new Map<Subscription, Delivery>();
  const connections = new Set<PushConnection>();

  const framesOf = ({ matches, position }: Matches): Map<Outlet, RingFrame<Delivery>[]> => {
    const frames = new Map<Outlet, RingFrame<Delivery>[]>();
    for (const { item, subscriptions: receivers } of matches) {
      const bodyFor = bodiesOf(item, position);
      for (const subscription of receivers) {
        const target = deliveries.get(subscription);
        if (target?.state !== 'live') continue;
        const body: Encoded = bodyFor(target);
        const list = frames.get(target.outlet);
        if (list === undefined) frames.set(target.outlet, [{ target, body }]);
        else list.push({ target, body });
      }
    }
    return frames;
  };
  const leave = subscriptions.registry.attach({
    held: () => deliveries.keys(),
    deliver(matches) {
      try {
        pump.publish({ lane: matches.lane, position: matches.position, frames: framesOf(matches) });
      } catch (error) {
        // A gap would be silent: each receiver learns that something was not delivered.
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
        closed: () => void connections.delete(connection),
      });
      connections.add(connection);
      return connection;
    },
    connections: () => connections.size,
    stop: leave,
  };
}
