/** Index of subscriptions of one kind by their criteria. */
import type { Criteria, Subscription } from './criteria.js';

/** An index whose `match` costs time for candidate subscriptions only, not for all that exist. */
export interface CriteriaIndex<Kind extends Criteria, Item> {
  add(subscription: Subscription<Kind>): void;
  /** Removes a subscription; does nothing when it is unknown. */
  remove(subscription: Subscription<Kind>): void;
  /** Subscriptions that receive the item, in order of creation. */
  match(item: Item): readonly Subscription<Kind>[];
  /** Number of exact comparisons so far. */
  evaluations(): number;
  readonly size: number;
}

/** Compares subscriptions by creation order, for `sort`. */
export function byOrder(left: Subscription, right: Subscription): number {
  return left.order - right.order;
}

/** Entry of `parent` under `key`; creates it when absent. */
export function child<Value>(parent: Map<string, Value>, key: string, create: () => Value): Value {
  const existing = parent.get(key);
  if (existing !== undefined) return existing;
  const created = create();
  parent.set(key, created);
  return created;
}

/** Index for kinds whose subscriptions receive nearly every item. */
export function createListIndex<Kind extends Criteria, Item>(
  accepts: (criteria: Kind, item: Item) => boolean,
): CriteriaIndex<Kind, Item> {
  const subscriptions = new Set<Subscription<Kind>>();
  /** Cached order; undefined after a change. */
  let sorted: readonly Subscription<Kind>[] | undefined;
  return {
    add(subscription) {
      subscriptions.add(subscription);
      sorted = undefined;
    },
    remove(subscription) {
      if (subscriptions.delete(subscription)) sorted = undefined;
    },
    match(item) {
      sorted ??= [...subscriptions].sort(byOrder);
      return sorted.filter(({ criteria }) => accepts(criteria, item));
    },
    evaluations: () => 0,
    get size() {
      return subscriptions.size;
    },
  };
}

/** An empty map, for `child`. */
export function newMap<Value>(): Map<string, Value> {
  return new Map();
}
