import { createActor, fromTransition } from 'xstate';
import { invariant } from '../../core/errors.js';
import type { CommitEvents, Feeds } from '../../core/node-api.js';
import { toPosition, type Position } from '../../core/primitives.js';
import {
  createRegistryTable,
  decide,
  deliveriesOf,
  evolve,
  match,
  type Delivery,
  type RegistryClient,
  type RegistryCommand,
  type RegistryEvent,
  type RegistryLimits,
  type SubscriptionRegistry,
} from '../../core/subscriptions/index.js';

/** Counters for metrics and tests. */
export interface RegistryCounters {
  readonly clients: number;
  readonly subscriptions: number;
  readonly delivered: number;
  /** Clients cut off because they did not read. */
  readonly slowClients: number;
  /** Clients removed because delivering to them threw. */
  readonly failedClients: number;
  /** Queries matched exactly against events: what the index saves shows here. */
  readonly evaluations: number;
}

export interface SubscriptionRegistryActor extends SubscriptionRegistry {
  counters(): RegistryCounters;
  /** Leaves the feed and forgets everybody. */
  stop(): void;
}

export interface SubscriptionRegistryOptions {
  readonly limits: RegistryLimits;
  readonly feeds: Feeds;
  /** Position of the head at the start. */
  readonly position: Position;
}

type Reply = { readonly ok: true; readonly event: RegistryEvent } | { readonly ok: false; readonly message: string };
type Message =
  | { readonly type: 'ask'; readonly command: RegistryCommand; readonly reply: (reply: Reply) => void }
  | { readonly type: 'commit'; readonly commit: CommitEvents };

/**
 * The owner of all consensus subscriptions: asks and commits pass through one mailbox, so that a commit is either
 * before or after a subscribe for everybody. Volatile: nothing of it is logged.
 */
export function createSubscriptionRegistry(options: SubscriptionRegistryOptions): SubscriptionRegistryActor {
  const table = createRegistryTable();
  const sinks = new Map<number, (deliveries: readonly Delivery[]) => void>();
  const rows = { delivered: 0, slowClients: 0, failedClients: 0 };
  let position = options.position;
  let nextClient = 1;

  const forget = (client: number): void => {
    sinks.delete(client);
    const left = decide(table, { type: 'disconnect', client }, options.limits);
    if (left.ok) evolve(table, left.event);
  };
  const deliver = (commit: CommitEvents): void => {
    if (commit.position > position) position = commit.position;
    if (table.size === 0) return;
    for (const [client, deliveries] of deliveriesOf(commit, (event) => match(table, event.attributes))) {
      try {
        sinks.get(client)?.(deliveries);
        rows.delivered += deliveries.length;
      } catch {
        // One broken socket must not stop the others, nor end this actor.
        rows.failedClients += 1;
        forget(client);
      }
    }
  };
  const actor = createActor(
    fromTransition((state: null, message: Message) => {
      if (message.type === 'commit') deliver(message.commit);
      if (message.type === 'ask') {
        const decision = decide(table, message.command, options.limits);
        if (decision.ok) evolve(table, decision.event);
        message.reply(decision);
      }
      return state;
    }, null),
  );
  actor.start();
  const leaveFeed = options.feeds.onCommit((commit) => actor.send({ type: 'commit', commit }));

  const ask = (command: RegistryCommand): Reply => {
    const replies: Reply[] = [];
    actor.send({ type: 'ask', command, reply: (reply) => replies.push(reply) });
    return replies[0] ?? { ok: false, message: 'subscription registry is busy' };
  };

  const connect = (sink: (deliveries: readonly Delivery[]) => void): RegistryClient => {
    const client = nextClient;
    nextClient += 1;
    sinks.set(client, sink);
    return {
      subscribe(text, { paused }) {
        const reply = ask({ type: 'subscribe', client, text, paused });
        if (!reply.ok) return reply;
        invariant(reply.event.type === 'subscribed', 'subscribe answers with subscribed');
        return { ok: true, value: reply.event.subscription };
      },
      activate: (subscription) => ask({ type: 'activate', subscription }).ok,
      unsubscribe(text) {
        const reply = ask({ type: 'unsubscribe', client, text });
        if (!reply.ok) return reply;
        const [subscription] = reply.event.type === 'unsubscribed' ? reply.event.subscriptions : [];
        return subscription === undefined
          ? { ok: false, message: 'subscription not found' }
          : { ok: true, value: subscription };
      },
      unsubscribeAll() {
        const reply = ask({ type: 'unsubscribeAll', client });
        if (!reply.ok) return reply;
        return { ok: true, value: reply.event.type === 'unsubscribed' ? reply.event.subscriptions : [] };
      },
      disconnect(reason) {
        if (!sinks.delete(client)) return;
        if (reason === 'slow client') rows.slowClients += 1;
        ask({ type: 'disconnect', client });
      },
    };
  };

  return {
    connect,
    position: () => toPosition(position),
    counters: () => ({
      clients: table.clients.size,
      subscriptions: table.size,
      evaluations: table.index.evaluations(),
      ...rows,
    }),
    stop() {
      leaveFeed();
      sinks.clear();
      actor.stop();
    },
  };
}
