/**
 * Table of subscriptions. `decide` checks a command without changing anything; `evolve` applies its event. The table
 * is mutable and has one owner (the registry's actor), so that subscribing does not copy all rows.
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
 * Criteria as a face requests them. A query text is parsed after the limits were checked, as in CometBFT
 * (rpc/core/events.go, v0.38).
 */
export type RequestedCriteria = Criteria | { readonly kind: 'queryText'; readonly text: string };

export type SubscriptionRefusal =
  /** The maximum number of subscribed connections of this face is reached. */
  | { readonly code: 'too-many-clients'; readonly maximum: number }
  | { readonly code: 'too-many-of-client'; readonly maximum: number }
  /** The face has the maximum number of subscriptions, or of addresses and topics. */
  | { readonly code: 'too-many-of-face'; readonly limit: 'ethSubscriptions' | 'filterTerms'; readonly maximum: number }
  | { readonly code: 'query-too-long' }
  | { readonly code: 'bad-query'; readonly message: string }
  /** The connection already has a subscription with this query. */
  | { readonly code: 'already-subscribed' }
  | CursorRefusal
  /**
   * `busy`: the registry restarts and too many commands wait. Otherwise the reason why the node stopped accepting
   * commands.
   */
  | { readonly code: 'failed'; readonly error: DomainError };

/** Reasons why a client cannot resume from a cursor. */
export type CursorRefusal =
  /** The cursor is ahead of the last published position. */
  | { readonly code: 'cursor-ahead' }
  /** The chain was reverted below the cursor's block (dev mode). */
  | { readonly code: 'cursor-abandoned' }
  /** The log no longer contains the records after the cursor. */
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
  /** Addresses and topics of its log subscriptions, plus one for each other subscription. */
  terms: number;
}

/** Rows of clients with subscriptions. Only `evolve` and `forget` change them. */
export interface SubscriptionTable {
  readonly faces: Readonly<Record<PushFace, FaceRow>>;
  readonly indexes: Indexes;
  nextOrder: number;
}

/** Creates a table without subscriptions, with one row per face. */
export function createSubscriptionTable(): SubscriptionTable {
  return { faces: { consensus: emptyRow(), ethereum: emptyRow() }, indexes: createIndexes(), nextOrder: 1 };
}

/** Checks a subscribe command against the limits of its face. */
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

/** Adds a subscription that `decide` accepted, or that an earlier table contained. */
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

/** Removes a subscription; does nothing when it is unknown. */
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

/** Parses the text of a query; returns other criteria unchanged. */
export function readCriteria(requested: RequestedCriteria, limits: Pick<Limits, 'cometQueryBytes'>): ReadCriteria {
  if (requested.kind !== 'queryText') return { ok: true, criteria: requested };
  if (utf8Bytes(requested.text) > limits.cometQueryBytes) return { ok: false, refusal: { code: 'query-too-long' } };
  const parsed = parseQuery(requested.text);
  return parsed.ok
    ? { ok: true, criteria: { kind: 'query', query: parsed.query } }
    : { ok: false, refusal: { code: 'bad-query', message: parsed.message } };
}

/** Compares queries by normal form, so that different spellings are equal. */
function isSameQuery(left: Criteria, right: Criteria): boolean {
  return left.kind === 'query' && right.kind === 'query' && left.query.normal === right.query.normal;
}

function termsOfCriteria(requested: RequestedCriteria): number {
  return requested.kind === 'logs' ? termsOf(requested) : 1;
}

function emptyRow(): FaceRow {
  return { clients: new Map(), subscriptions: 0, terms: 0 };
}
