/**
 * Finds queries that may match an event: by equality of `tm.event`, then by one further string equality. Candidates
 * are then matched exactly.
 */
import type { ConsensusEvent } from '../comet/websocket-events.js';
import { canonicalText, conditionsOf, matches, type Attributes, type Query } from '../query/index.js';
import type { QueryCriteria, Subscription } from './criteria.js';
import { byOrder, child, type CriteriaIndex, newMap } from './criteria-index.js';

/** Subscriptions with equal normal forms; matched once for all of them. */
interface Group {
  readonly query: Query;
  readonly members: Set<Subscription<QueryCriteria>>;
}

interface Bucket {
  readonly plain: Map<string, Group>;
  /** Groups by normal form, by canonical value, by key. */
  readonly byEquality: Map<string, Map<string, Map<string, Group>>>;
}

const ANY_EVENT = '';
const EVENT_KEY = 'tm.event';

/** Creates an empty index of event queries. */
export function createQueryIndex(): CriteriaIndex<QueryCriteria, ConsensusEvent> {
  const buckets = new Map<string, Bucket>();
  let evaluations = 0;
  let size = 0;

  const groupsOf = (query: Query): Map<string, Group> => {
    const { eventType, equality } = anchorsOf(query);
    const bucket = child(buckets, eventType, () => ({ plain: new Map(), byEquality: new Map() }));
    if (equality === undefined) return bucket.plain;
    return child(child(bucket.byEquality, equality.key, newMap<Map<string, Group>>), equality.value, newMap<Group>);
  };
  const candidates = function* (attributes: Attributes): Generator<Group> {
    for (const eventType of [...(attributes.get(EVENT_KEY) ?? []), ANY_EVENT]) {
      const bucket = buckets.get(eventType);
      if (bucket === undefined) continue;
      yield* bucket.plain.values();
      for (const [key, byValue] of bucket.byEquality) {
        for (const value of new Set((attributes.get(key) ?? []).map(canonicalText)))
          yield* byValue.get(value)?.values() ?? [];
      }
    }
  };

  return {
    add(subscription) {
      const { query } = subscription.criteria;
      const { members } = child(groupsOf(query), query.normal, () => ({ query, members: new Set() }));
      if (members.has(subscription)) return;
      members.add(subscription);
      size += 1;
    },
    remove(subscription) {
      const { query } = subscription.criteria;
      const { eventType, equality } = anchorsOf(query);
      const groups = groupsOf(query);
      const group = groups.get(query.normal);
      if (group?.members.delete(subscription) === true) size -= 1;
      if (group?.members.size === 0) groups.delete(query.normal);
      const bucket = buckets.get(eventType);
      if (bucket === undefined) return;
      if (equality !== undefined) {
        const byValue = bucket.byEquality.get(equality.key);
        if (groups.size === 0) byValue?.delete(equality.value);
        if (byValue?.size === 0) bucket.byEquality.delete(equality.key);
      }
      if (bucket.plain.size === 0 && bucket.byEquality.size === 0) buckets.delete(eventType);
    },
    match({ attributes }) {
      const matched: Subscription<QueryCriteria>[] = [];
      for (const group of candidates(attributes)) {
        evaluations += 1;
        if (matches(group.query, attributes)) for (const member of group.members) matched.push(member);
      }
      return matched.sort(byOrder);
    },
    evaluations: () => evaluations,
    get size() {
      return size;
    },
  };
}

interface Anchors {
  readonly eventType: string;
  readonly equality: { readonly key: string; readonly value: string } | undefined;
}

/**
 * Equalities that an event must satisfy to match a query. The empty string is not used, because it also matches event
 * types.
 */
function anchorsOf(query: Query): Anchors {
  let eventType: string | undefined;
  let equality: Anchors['equality'];
  for (const condition of conditionsOf(query)) {
    if (condition.op !== '=' || condition.operand.kind !== 'string' || condition.target.phase !== undefined) continue;
    const { text } = condition.operand;
    if (text === '') continue;
    if (eventType === undefined && condition.target.key === EVENT_KEY) eventType = text;
    else equality ??= { key: condition.target.key, value: canonicalText(text) };
  }
  return { eventType: eventType ?? ANY_EVENT, equality };
}
