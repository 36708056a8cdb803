/**
 * Who listens to what. `decide` judges a command against the table and changes nothing; `evolve` applies its event.
 * The table is mutable and has one owner (the actor), so that a subscribe does not copy everybody's rows.
 * Order of checks and texts: cometbft-rpc.md 3.2.
 */
import type { Limits } from '../limits.js';
import { parseQuery, utf8Bytes, type Attributes, type Query } from '../query/index.js';
import { createQueryIndex, type QueryIndex } from './index-of-queries.js';
import type { Subscription } from './ports.js';

export type RegistryLimits = Pick<Limits, 'cometWsClients' | 'cometWsSubscriptionsPerClient' | 'cometQueryBytes'>;

export type RegistryCommand =
  | { readonly type: 'subscribe'; readonly client: number; readonly text: string; readonly paused: boolean }
  | { readonly type: 'activate'; readonly subscription: Subscription }
  | { readonly type: 'unsubscribe'; readonly client: number; readonly text: string }
  | { readonly type: 'unsubscribeAll'; readonly client: number }
  | { readonly type: 'disconnect'; readonly client: number };

export type RegistryEvent =
  | { readonly type: 'subscribed'; readonly subscription: Subscription; readonly paused: boolean }
  | { readonly type: 'activated'; readonly subscription: Subscription }
  | { readonly type: 'unsubscribed'; readonly subscriptions: readonly Subscription[] };

export type Decision =
  | { readonly ok: true; readonly event: RegistryEvent }
  | { readonly ok: false; readonly message: string };

/** Only `evolve` changes it. A client without subscriptions has no row. */
export interface RegistryTable {
  readonly clients: Map<number, Map<string, Subscription>>;
  readonly index: QueryIndex;
  nextOrder: number;
  size: number;
}

export function createRegistryTable(): RegistryTable {
  return { clients: new Map(), index: createQueryIndex(), nextOrder: 1, size: 0 };
}

const NOT_FOUND = { ok: false, message: 'subscription not found' } as const;

/** Judges a command; refusals carry CometBFT's text. */
export function decide(table: RegistryTable, command: RegistryCommand, limits: RegistryLimits): Decision {
  switch (command.type) {
    case 'subscribe':
      return decideSubscribe(table, command, limits);
    case 'activate': {
      const { subscription } = command;
      const held = table.clients.get(subscription.client)?.get(subscription.query.normal);
      return held === subscription ? { ok: true, event: { type: 'activated', subscription } } : NOT_FOUND;
    }
    case 'unsubscribe': {
      const parsed = parseBounded(command.text, limits);
      if (!parsed.ok) return parsed;
      const subscription = table.clients.get(command.client)?.get(parsed.query.normal);
      return subscription === undefined
        ? NOT_FOUND
        : { ok: true, event: { type: 'unsubscribed', subscriptions: [subscription] } };
    }
    case 'unsubscribeAll':
    case 'disconnect': {
      const subscriptions = [...(table.clients.get(command.client)?.values() ?? [])];
      if (subscriptions.length === 0 && command.type === 'unsubscribeAll') return NOT_FOUND;
      return { ok: true, event: { type: 'unsubscribed', subscriptions } };
    }
  }
}

function decideSubscribe(
  table: RegistryTable,
  command: RegistryCommand & { readonly type: 'subscribe' },
  limits: RegistryLimits,
): Decision {
  const held = table.clients.get(command.client);
  if (held === undefined && table.clients.size >= limits.cometWsClients) {
    return { ok: false, message: `max_subscription_clients ${limits.cometWsClients} reached` };
  }
  if ((held?.size ?? 0) >= limits.cometWsSubscriptionsPerClient) {
    return { ok: false, message: `max_subscriptions_per_client ${limits.cometWsSubscriptionsPerClient} reached` };
  }
  const parsed = parseBounded(command.text, limits);
  if (!parsed.ok) return parsed;
  if (held?.has(parsed.query.normal) === true) return { ok: false, message: 'already subscribed' };
  const subscription = { client: command.client, order: table.nextOrder, query: parsed.query };
  return { ok: true, event: { type: 'subscribed', subscription, paused: command.paused } };
}

function parseBounded(
  text: string,
  limits: RegistryLimits,
): { readonly ok: true; readonly query: Query } | { readonly ok: false; readonly message: string } {
  if (utf8Bytes(text) > limits.cometQueryBytes) return { ok: false, message: 'maximum query length exceeded' };
  const parsed = parseQuery(text);
  return parsed.ok ? parsed : { ok: false, message: `failed to parse query: ${parsed.message}` };
}

/** Applies an event of `decide`. */
export function evolve(table: RegistryTable, event: RegistryEvent): void {
  switch (event.type) {
    case 'subscribed': {
      const { subscription } = event;
      const held = table.clients.get(subscription.client) ?? new Map<string, Subscription>();
      held.set(subscription.query.normal, subscription);
      table.clients.set(subscription.client, held);
      table.nextOrder = subscription.order + 1;
      table.size += 1;
      if (!event.paused) table.index.add(subscription);
      return;
    }
    case 'activated':
      table.index.add(event.subscription);
      return;
    case 'unsubscribed':
      for (const subscription of event.subscriptions) {
        const held = table.clients.get(subscription.client);
        held?.delete(subscription.query.normal);
        if (held?.size === 0) table.clients.delete(subscription.client);
        table.index.remove(subscription);
        table.size -= 1;
      }
  }
}

/** Subscriptions that an event goes to, in order of creation. */
export function match(table: RegistryTable, attributes: Attributes): readonly Subscription[] {
  return table.index.match(attributes);
}
