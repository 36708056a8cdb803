/** Subscriptions of one kind, found by what they want. */
import type { Criteria, Subscription } from './criteria.js';

/** The cost of `match` depends on the subscriptions that may match, not on those that exist. */
export interface CriteriaIndex<Kind extends Criteria, Item> {
  add(subscription: Subscription<Kind>): void;
  /** Does nothing for a subscription that is not there. */
  remove(subscription: Subscription<Kind>): void;
  /** The subscriptions that receive the item, in order of creation. */
  match(item: Item): readonly Subscription<Kind>[];
  /** Criteria that were compared exactly so far. */
  evaluations(): number;
  readonly size: number;
}

/** Compares subscriptions by their creation, for `sort`. */
export function byOrder(left: Subscription, right: Subscription): number {
  return left.order - right.order;
}

/** The entry of `parent` under `key`, made where it is absent. */
export function child<Value>(parent: Map<string, Value>, key: string, create: () => Value): Value {
  const existing = parent.get(key);
  if (existing !== undefined) return existing;
  const created = create();
  parent.set(key, created);
  return created;
}

/** For kinds whose subscriptions receive nearly every item. */
export function createListIndex<Kind extends Criteria, Item>(
  accepts: (criteria: Kind, item: Item) => boolean,
): CriteriaIndex<Kind, Item> {
  const subscriptions = new Set<Subscription<Kind>>();
  /** Undefined after a change. */
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
