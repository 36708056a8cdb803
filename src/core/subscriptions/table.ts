/**
 * The table of subscriptions. `decide` judges a command against the table and changes nothing; `evolve` applies its
 * event. The table is mutable and has one owner (the registry's actor), so that a subscribe does not copy all rows.
 */
import type { DomainError } from '../errors.js';
import { termsOf } from '../filters/index.js';
import type { Limits } from '../limits/limits.js';
import { parseQuery, utf8Bytes } from '../query/index.js';
import type { Client, Criteria, PushFace, Subscription } from './criteria.js';
import { change, createIndexes, type Indexes } from './matching.js';

export type SubscriptionLimits = Pick<
  Limits,
  | 'cometWsClients'
  | 'cometWsSubscriptionsPerClient'
  | 'cometQueryBytes'
  | 'ethSubscriptions'
  | 'ethSubscriptionsPerClient'
  | 'filterTerms'
>;

/**
 * Criteria as a face asks for them. A query is read after the limits were checked, as CometBFT does
 * (rpc/core/events.go, v0.38).
 */
export type RequestedCriteria = Criteria | { readonly kind: 'queryText'; readonly text: string };

export type SubscriptionRefusal =
  /** No further connection of this face may subscribe. */
  | { readonly code: 'too-many-clients'; readonly maximum: number }
  | { readonly code: 'too-many-of-client'; readonly maximum: number }
  /** The face holds as many subscriptions, or as many addresses and topics, as it may. */
  | { readonly code: 'too-many-of-face'; readonly limit: 'ethSubscriptions' | 'filterTerms'; readonly maximum: number }
  | { readonly code: 'query-too-long' }
  | { readonly code: 'bad-query'; readonly message: string }
  /** The connection has a subscription with this query. */
  | { readonly code: 'already-subscribed' }
  | CursorRefusal
  /** `busy` while the registry is restarted and too many commands wait, or why the node takes no commands any more. */
  | { readonly code: 'failed'; readonly error: DomainError };

/** Reasons why a client cannot resume after a cursor. */
export type CursorRefusal =
  /** It names a position that nothing has been shown at yet. */
  | { readonly code: 'cursor-ahead' }
  /** The chain was reverted below the block that it names (dev mode). */
  | { readonly code: 'cursor-abandoned' }
  /** The log no longer holds what follows it. */
  | { readonly code: 'cursor-pruned' };

export interface SubscribeCommand {
  readonly client: Client;
  readonly requested: RequestedCriteria;
}

export type SubscribeDecision =
  | { readonly ok: true; readonly subscription: Subscription }
  | { readonly ok: false; readonly refusal: SubscriptionRefusal };

interface FaceRow {
  readonly clients: Map<Client, Set<Subscription>>;
  subscriptions: number;
  /** Addresses and topics that its log subscriptions hold; one for each other subscription. */
  terms: number;
}

/** Only `evolve` and `forget` change it. A client without subscriptions has no row. */
export interface SubscriptionTable {
  readonly faces: Readonly<Record<PushFace, FaceRow>>;
  readonly indexes: Indexes;
  nextOrder: number;
}

/** Creates a table without subscriptions, with one row for each face. */
export function createSubscriptionTable(): SubscriptionTable {
  return { faces: { consensus: emptyRow(), ethereum: emptyRow() }, indexes: createIndexes(), nextOrder: 1 };
}

/** Judges a subscribe by the limits of its face. */
export function decide(
  table: SubscriptionTable,
  { client, requested }: SubscribeCommand,
  limits: SubscriptionLimits,
): SubscribeDecision {
  const row = table.faces[client.face];
  const refusal = RULES[client.face](row, row.clients.get(client)?.size ?? 0, requested, limits);
  if (refusal !== undefined) return { ok: false, refusal };
  const read = readCriteria(requested, limits);
  if (!read.ok) return read;
  const subscription: Subscription = { client, order: table.nextOrder, criteria: read.criteria };
  for (const { criteria } of row.clients.get(client) ?? [])
    if (isSameQuery(criteria, read.criteria)) return { ok: false, refusal: { code: 'already-subscribed' } };
  return { ok: true, subscription };
}

/** Adds a subscription that `decide` allowed, or one that an earlier table held. */
export function evolve(table: SubscriptionTable, subscription: Subscription): void {
  const row = table.faces[subscription.client.face];
  const held = row.clients.get(subscription.client);
  if (held?.has(subscription) === true) return;
  if (held === undefined) row.clients.set(subscription.client, new Set([subscription]));
  else held.add(subscription);
  table.nextOrder = Math.max(table.nextOrder, subscription.order + 1);
  row.subscriptions += 1;
  row.terms += termsOfCriteria(subscription.criteria);
  change(table.indexes, 'add', subscription);
}

/** Removes a subscription; does nothing when it is not there. */
export function forget(table: SubscriptionTable, subscription: Subscription): void {
  const row = table.faces[subscription.client.face];
  const held = row.clients.get(subscription.client);
  if (held?.delete(subscription) !== true) return;
  if (held.size === 0) row.clients.delete(subscription.client);
  row.subscriptions -= 1;
  row.terms -= termsOfCriteria(subscription.criteria);
  change(table.indexes, 'remove', subscription);
}

type Rule = (
  row: FaceRow,
  held: number,
  requested: RequestedCriteria,
  limits: SubscriptionLimits,
) => SubscriptionRefusal | undefined;

const RULES: Readonly<Record<PushFace, Rule>> = {
  consensus({ clients }, held, _, limits) {
    if (held === 0 && clients.size >= limits.cometWsClients)
      return { code: 'too-many-clients', maximum: limits.cometWsClients };
    return held >= limits.cometWsSubscriptionsPerClient
      ? { code: 'too-many-of-client', maximum: limits.cometWsSubscriptionsPerClient }
      : undefined;
  },
  ethereum({ subscriptions, terms }, held, requested, limits) {
    if (held >= limits.ethSubscriptionsPerClient)
      return { code: 'too-many-of-client', maximum: limits.ethSubscriptionsPerClient };
    const { ethSubscriptions, filterTerms } = limits;
    if (subscriptions >= ethSubscriptions)
      return { code: 'too-many-of-face', limit: 'ethSubscriptions', maximum: ethSubscriptions };
    return terms + termsOfCriteria(requested) > filterTerms
      ? { code: 'too-many-of-face', limit: 'filterTerms', maximum: filterTerms }
      : undefined;
  },
};

type ReadCriteria =
  | { readonly ok: true; readonly criteria: Criteria }
  | { readonly ok: false; readonly refusal: SubscriptionRefusal };

/** Reads the text of a query; other criteria are returned unchanged. */
export function readCriteria(requested: RequestedCriteria, limits: Pick<Limits, 'cometQueryBytes'>): ReadCriteria {
  if (requested.kind !== 'queryText') return { ok: true, criteria: requested };
  if (utf8Bytes(requested.text) > limits.cometQueryBytes) return { ok: false, refusal: { code: 'query-too-long' } };
  const parsed = parseQuery(requested.text);
  return parsed.ok
    ? { ok: true, criteria: { kind: 'query', query: parsed.query } }
    : { ok: false, refusal: { code: 'bad-query', message: parsed.message } };
}

/** Two spellings of a query are one query. */
function isSameQuery(left: Criteria, right: Criteria): boolean {
  return left.kind === 'query' && right.kind === 'query' && left.query.normal === right.query.normal;
}

function termsOfCriteria(requested: RequestedCriteria): number {
  return requested.kind === 'logs' ? termsOf(requested) : 1;
}

function emptyRow(): FaceRow {
  return { clients: new Map(), subscriptions: 0, terms: 0 };
}
