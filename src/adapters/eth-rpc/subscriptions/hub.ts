import { hexQuantity } from '../../../core/bytes/hex.js';
import { bigintOfBytes } from '../../../core/bytes/big-endian.js';
import type { Randomness, Timers } from '../../../core/ports/time.js';
import type { Cursor } from '../../../core/subscriptions/index.js';
import type {
  EthereumHistory,
  EthereumMatches,
  EthereumRegistry,
  EthereumRegistryClient,
  EthereumSubscription,
  EthereumWants,
} from '../../../core/subscriptions/ethereum/index.js';
import type { DeliveryFrame, DeliveryTarget, Outlet, Pump } from '../../transport/delivery/index.js';
import { invalidParams, serverError } from '../errors.js';
import type {
  ConnectionSubscriptions,
  Subscribed,
  SubscriberSocket,
  SubscriptionHub,
  SubscriptionRequest,
} from '../subscription-seam.js';
import { bodiesOfBlock, headBody, logBody, pendingBody } from './encode.js';
import { bodyOf, prefixOf } from './notification.js';
import { replay, type ReplayStart } from './replay.js';

export interface DeliveryHubOptions {
  readonly registry: EthereumRegistry;
  readonly history: EthereumHistory;
  /** May be shared with other faces. */
  readonly pump: Pump;
  readonly timers: Timers;
  readonly randomness: Randomness;
  /** A commit could not be encoded or read again: a defect. Who should have received it is cut off. */
  readonly onDefect: (error: unknown) => void;
}

export interface DeliveryHub extends SubscriptionHub {
  /** Open connections with subscriptions, now or before. */
  connections(): number;
  /** Leaves the registry; sockets stay as they are. */
  stop(): void;
}

/** One subscription of one connection. */
interface Held {
  readonly subscription: EthereumSubscription;
  readonly target: DeliveryTarget;
  readonly connection: Connection;
}

interface Connection {
  readonly outlet: Outlet;
  readonly client: EthereumRegistryClient;
  end(code: number, reason: string): void;
}

const ID_BYTES = 16;
const CLOSE_INTERNAL_ERROR = 1011;
const CLOSE_TRY_LATER = 1013;

/** The subscriptions of all Ethereum websockets: what the registry matches goes into the ring, encoded once. */
export function createDeliveryHub(options: DeliveryHubOptions): DeliveryHub {
  const { registry, history, pump } = options;
  const held = new Map<EthereumSubscription, Held>();
  const connections = new Set<Connection>();

  const framesOf = (matches: EthereumMatches): Map<Outlet, readonly DeliveryFrame[]> => {
    const frames = new Map<Outlet, DeliveryFrame[]>();
    const add = (subscriptions: readonly EthereumSubscription[], body: string): void => {
      for (const subscription of subscriptions) {
        const receiver = held.get(subscription);
        if (receiver === undefined) continue;
        const { target, connection } = receiver;
        const list = frames.get(connection.outlet);
        if (list === undefined) frames.set(connection.outlet, [{ target, body }]);
        else list.push({ target, body });
      }
    };
    if (matches.kind === 'block') {
      if (matches.heads.length > 0) add(matches.heads, headBody(matches));
      for (const match of matches.logs) add(match.subscriptions, logBody(matches, match));
      return frames;
    }
    const bodies = new Map<boolean, string>();
    for (const subscription of matches.subscriptions) {
      const full = subscription.wants.kind === 'newPendingTransactions' && subscription.wants.fullTransactions;
      const body = bodies.get(full) ?? pendingBody(matches, full);
      bodies.set(full, body);
      add([subscription], body);
    }
    return frames;
  };
  const leave = registry.onMatches((matches) => {
    try {
      pump.publish(framesOf(matches));
    } catch (error) {
      // A gap would be silent: who should have received something learns that it did not.
      for (const subscription of receiversOf(matches))
        held.get(subscription)?.connection.end(CLOSE_INTERNAL_ERROR, 'internal error');
      options.onDefect(error);
    }
  });

  const connect = (socket: SubscriberSocket): ConnectionSubscriptions => {
    const byId = new Map<string, Held>();
    const client = registry.connect();
    const outlet = pump.attach(socket, (pending) =>
      connection.end(CLOSE_TRY_LATER, `slow consumer: ${pending} bytes pending`),
    );
    /** Replays of one connection run one after another: a client cannot have the log read many times at once. */
    let replays: Promise<void> = Promise.resolve();

    const forget = (): void => {
      for (const { subscription, target } of byId.values()) {
        target.open = false;
        held.delete(subscription);
      }
      byId.clear();
      outlet.close();
      client.disconnect();
      connections.delete(connection);
    };
    const connection: Connection = {
      outlet,
      client,
      end(code, reason) {
        forget();
        socket.end(code, reason);
      },
    };
    connections.add(connection);

    const replayFor = ({ subscription, target }: Held, start: ReplayStart, seen: Cursor['partial']): Promise<void> => {
      const { wants } = subscription;
      const deliver = async (bodies: readonly string[]): Promise<void> => {
        if (bodies.length === 0) return;
        await outlet.room();
        if (target.open) outlet.write(bodies.map((body) => target.prefix + body));
        await outlet.room();
      };
      const shared = {
        isOpen: () => target.open,
        rest: () => options.timers.yield(),
        activate: () => void client.activate(subscription),
      };
      if (wants.kind === 'newPendingTransactions') {
        return replay(start, {
          ...shared,
          history: (from) => history.pending('after' in from ? from : { after: registry.pendingShown() }),
          shown: () => registry.pendingShown(),
          deliver: (shown) => deliver([pendingBody(shown, wants.fullTransactions)]),
        });
      }
      return replay(start, {
        ...shared,
        history: (from) => history.blocks(from),
        shown: () => registry.blocksShown(),
        deliver: (shown) => deliver(bodiesOfBlock(wants, shown, seen)),
      });
    };
    const activate = (receiver: Held, start: ReplayStart, seen: Cursor['partial']): void => {
      const { subscription, target } = receiver;
      if (!target.open) return;
      if (subscription.wants.kind === 'syncing') {
        outlet.write([target.prefix + bodyOf('false', undefined)]);
        return;
      }
      const shown =
        subscription.wants.kind === 'newPendingTransactions' ? registry.pendingShown() : registry.blocksShown();
      if ('after' in start && start.after === shown) {
        client.activate(subscription);
        return;
      }
      replays = replays
        .then(() => replayFor(receiver, start, seen))
        .catch((error: unknown) => {
          options.onDefect(error);
          if (target.open) connection.end(CLOSE_INTERNAL_ERROR, 'replay failed');
        });
    };

    return {
      subscribe(request): Subscribed {
        const cursor = request.kind === 'syncing' ? undefined : request.cursor;
        if (cursor !== undefined && lastOf(cursor) > latest(registry))
          return { ok: false, error: invalidParams('cursor is ahead of the log') };
        const wants = wantsOf(request);
        const subscribed = client.subscribe(wants);
        if (!subscribed.ok) return { ok: false, error: serverError(subscribed.message) };
        const id = hexQuantity(bigintOfBytes(options.randomness.bytes(ID_BYTES)));
        const receiver: Held = {
          subscription: subscribed.value,
          target: { prefix: prefixOf(id), open: true },
          connection,
        };
        byId.set(id, receiver);
        held.set(receiver.subscription, receiver);
        const start = startOf(request, registry);
        return { ok: true, id, activate: () => activate(receiver, start, cursor?.partial) };
      },
      unsubscribe(id) {
        const receiver = byId.get(id);
        if (receiver === undefined) return false;
        // What waits in the ring for it is passed over.
        receiver.target.open = false;
        byId.delete(id);
        held.delete(receiver.subscription);
        client.unsubscribe(receiver.subscription);
        return true;
      },
      drained: () => outlet.drained(),
      stalled: () =>
        connection.end(CLOSE_TRY_LATER, `slow consumer: ${outlet.backlog() + socket.bufferedBytes()} bytes pending`),
      closed: forget,
    };
  };

  return {
    connect,
    connections: () => connections.size,
    stop: leave,
  };
}

function wantsOf(request: SubscriptionRequest): EthereumWants {
  switch (request.kind) {
    case 'newHeads':
      return { kind: 'newHeads', fromBlock: request.fromBlock };
    case 'logs':
      return { kind: 'logs', criteria: request.criteria };
    case 'newPendingTransactions':
      return { kind: 'newPendingTransactions', fullTransactions: request.fullTransactions };
    case 'syncing':
      return { kind: 'syncing' };
  }
}

/** Where a subscription begins: at its cursor, at a block, or with what is shown after this moment. */
function startOf(request: SubscriptionRequest, registry: EthereumRegistry): ReplayStart {
  if (request.kind === 'syncing') return { after: registry.blocksShown() };
  if (request.cursor !== undefined) return { after: request.cursor.after };
  if (request.kind === 'newPendingTransactions') return { after: registry.pendingShown() };
  const height = request.kind === 'newHeads' ? request.fromBlock : request.criteria.fromBlock;
  return height === undefined ? { after: registry.blocksShown() } : { height };
}

function lastOf({ after, partial }: Cursor): bigint {
  return partial?.within ?? after;
}

function latest(registry: EthereumRegistry): bigint {
  const blocks = registry.blocksShown();
  const pending = registry.pendingShown();
  return blocks > pending ? blocks : pending;
}

function receiversOf(matches: EthereumMatches): readonly EthereumSubscription[] {
  return matches.kind === 'block'
    ? [...matches.heads, ...matches.logs.flatMap(({ subscriptions }) => subscriptions)]
    : matches.subscriptions;
}
