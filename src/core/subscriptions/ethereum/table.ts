/**
 * Who listens to what on the Ethereum websocket. `decide` judges a command against the table and changes nothing;
 * `evolve` applies its event. The table is mutable and has one owner (the actor).
 */
import { termsOf } from '../../filters/index.js';
import type { Limits } from '../../limits.js';
import { createLogIndex, type LogIndex } from './log-index.js';
import type { EthereumMatches, EthereumSubscription, EthereumWants, ShownBlock, ShownPending } from './ports.js';

export type EthereumRegistryLimits = Pick<Limits, 'ethSubscriptions' | 'ethSubscriptionsPerClient' | 'filterTerms'>;

export type EthereumCommand =
  | { readonly type: 'subscribe'; readonly client: number; readonly wants: EthereumWants }
  | { readonly type: 'activate'; readonly subscription: EthereumSubscription }
  | { readonly type: 'unsubscribe'; readonly subscription: EthereumSubscription }
  | { readonly type: 'disconnect'; readonly client: number };

export type EthereumRegistryEvent =
  | { readonly type: 'subscribed'; readonly subscription: EthereumSubscription }
  | { readonly type: 'activated'; readonly subscription: EthereumSubscription }
  | { readonly type: 'unsubscribed'; readonly subscriptions: readonly EthereumSubscription[] };

export type EthereumDecision =
  | { readonly ok: true; readonly event: EthereumRegistryEvent }
  | { readonly ok: false; readonly message: string };

/** Only `evolve` changes it. A client without subscriptions has no row. */
export interface EthereumTable {
  readonly clients: Map<number, Set<EthereumSubscription>>;
  readonly heads: Set<EthereumSubscription>;
  readonly pending: Set<EthereumSubscription>;
  readonly logs: LogIndex;
  nextOrder: number;
  size: number;
  terms: number;
}

export function createEthereumTable(): EthereumTable {
  return {
    clients: new Map(),
    heads: new Set(),
    pending: new Set(),
    logs: createLogIndex(),
    nextOrder: 1,
    size: 0,
    terms: 0,
  };
}

const TOO_MANY = { ok: false, message: 'too many subscriptions' } as const;
const NOT_FOUND = { ok: false, message: 'subscription not found' } as const;

export function decideEthereum(
  table: EthereumTable,
  command: EthereumCommand,
  limits: EthereumRegistryLimits,
): EthereumDecision {
  switch (command.type) {
    case 'subscribe': {
      const { client, wants } = command;
      const held = table.clients.get(client)?.size ?? 0;
      if (held >= limits.ethSubscriptionsPerClient || table.size >= limits.ethSubscriptions) return TOO_MANY;
      if (table.terms + termsOfWants(wants) > limits.filterTerms) return TOO_MANY;
      return { ok: true, event: { type: 'subscribed', subscription: { client, order: table.nextOrder, wants } } };
    }
    case 'activate':
    case 'unsubscribe': {
      const { subscription } = command;
      if (table.clients.get(subscription.client)?.has(subscription) !== true) return NOT_FOUND;
      return {
        ok: true,
        event:
          command.type === 'activate'
            ? { type: 'activated', subscription }
            : { type: 'unsubscribed', subscriptions: [subscription] },
      };
    }
    case 'disconnect':
      return {
        ok: true,
        event: { type: 'unsubscribed', subscriptions: [...(table.clients.get(command.client) ?? [])] },
      };
  }
}

/** Applies an event of `decideEthereum`. */
export function evolveEthereum(table: EthereumTable, event: EthereumRegistryEvent): void {
  switch (event.type) {
    case 'subscribed': {
      const { subscription } = event;
      const held = table.clients.get(subscription.client);
      if (held === undefined) table.clients.set(subscription.client, new Set([subscription]));
      else held.add(subscription);
      table.nextOrder = subscription.order + 1;
      table.size += 1;
      table.terms += termsOfWants(subscription.wants);
      return;
    }
    case 'activated': {
      const { subscription } = event;
      const { wants } = subscription;
      if (wants.kind === 'newHeads') table.heads.add(subscription);
      if (wants.kind === 'newPendingTransactions') table.pending.add(subscription);
      if (wants.kind === 'logs') table.logs.add(subscription, wants.criteria);
      return;
    }
    case 'unsubscribed':
      for (const subscription of event.subscriptions) {
        const held = table.clients.get(subscription.client);
        held?.delete(subscription);
        if (held?.size === 0) table.clients.delete(subscription.client);
        table.heads.delete(subscription);
        table.pending.delete(subscription);
        if (subscription.wants.kind === 'logs') table.logs.remove(subscription, subscription.wants.criteria);
        table.size -= 1;
        table.terms -= termsOfWants(subscription.wants);
      }
  }
}

/** Who receives the block's head and its logs; undefined when nobody does. */
export function matchBlock(table: EthereumTable, { block, position }: ShownBlock): EthereumMatches | undefined {
  const heads = [...table.heads]
    .filter(({ wants }) => wants.kind === 'newHeads' && (wants.fromBlock ?? 0n) <= block.height)
    .sort(byOrder);
  const logs =
    table.logs.size === 0
      ? []
      : block.transactions.flatMap((transaction) =>
          transaction.receipt.logs
            .map((log) => ({ log, transaction, subscriptions: table.logs.match(log, block.height) }))
            .filter(({ subscriptions }) => subscriptions.length > 0),
        );
  return heads.length === 0 && logs.length === 0 ? undefined : { kind: 'block', block, position, heads, logs };
}

export function matchPending(
  table: EthereumTable,
  { transaction, position }: ShownPending,
): EthereumMatches | undefined {
  if (table.pending.size === 0) return undefined;
  return { kind: 'pending', transaction, position, subscriptions: [...table.pending].sort(byOrder) };
}

function termsOfWants(wants: EthereumWants): number {
  return wants.kind === 'logs' ? termsOf(wants) : 1;
}

function byOrder(left: EthereumSubscription, right: EthereumSubscription): number {
  return left.order - right.order;
}
