/**
 * Finds log subscriptions that may match a log: by address, then by the most selective topic. Candidates are then
 * compared exactly, once per distinct criteria.
 */
import { hexData, hexQuantity } from '../bytes/hex.js';
import type { LogCriteria } from '../ethereum/api.js';
import type { EthereumLog } from '../ethereum/block-view.js';
import { matchesLog } from '../ethereum/log-match.js';
import { DEFAULT_LIMITS } from '../limits/limits.js';
import type { Height } from '../primitives.js';
import type { LogsCriteria, Subscription } from './criteria.js';
import { byOrder, child, type CriteriaIndex, newMap } from './criteria-index.js';

/** A log and the height of its block. */
export interface LogItem {
  readonly log: EthereumLog;
  readonly height: Height;
}

interface Group {
  readonly criteria: LogCriteria;
  readonly text: string;
  readonly members: Set<Subscription<LogsCriteria>>;
}

/** Groups by criteria text, by topic (position and value, or `ANY`). */
type Bucket = Map<string, Map<string, Group>>;

const ANY = '';

/** Creates an empty index of log subscriptions. */
export function createLogIndex(): CriteriaIndex<LogsCriteria, LogItem> {
  const buckets = new Map<string, Bucket>();
  let evaluations = 0;
  let size = 0;

  return {
    add(subscription) {
      const { criteria } = subscription.criteria;
      const text = textOf(criteria);
      let isNew = false;
      for (const [address, topic] of locationsOf(criteria)) {
        const groups = child(child(buckets, address, newMap<Map<string, Group>>), topic, newMap<Group>);
        const { members } = child(groups, text, () => ({ criteria, text, members: new Set() }));
        isNew ||= !members.has(subscription);
        members.add(subscription);
      }
      if (isNew) size += 1;
    },
    remove(subscription) {
      const { criteria } = subscription.criteria;
      const text = textOf(criteria);
      let found = false;
      for (const [address, topic] of locationsOf(criteria)) {
        const bucket = buckets.get(address);
        const groups = bucket?.get(topic);
        const group = groups?.get(text);
        found = group?.members.delete(subscription) === true || found;
        if (group?.members.size === 0) groups?.delete(text);
        if (groups?.size === 0) bucket?.delete(topic);
        if (bucket?.size === 0) buckets.delete(address);
      }
      if (found) size -= 1;
    },
    match({ log, height }) {
      const matched: Subscription<LogsCriteria>[] = [];
      const topics = [ANY, ...log.topics.map((topic, position) => topicKey(position, hexData(topic)))];
      for (const address of [ANY, hexData(log.address)]) {
        const bucket = buckets.get(address);
        if (bucket === undefined) continue;
        for (const topic of topics) {
          for (const { criteria, members } of bucket.get(topic)?.values() ?? []) {
            evaluations += 1;
            if (isInRange(criteria, height) && matchesLog(criteria, log))
              for (const member of members) matched.push(member);
          }
        }
      }
      return matched.sort(byOrder);
    },
    evaluations: () => evaluations,
    get size() {
      return size;
    },
  };
}

/** True for a height within a block range, bounds included; undefined bounds are open. */
export function isInRange({ fromBlock, toBlock }: Pick<LogCriteria, 'fromBlock' | 'toBlock'>, height: Height): boolean {
  return (fromBlock === undefined || height >= fromBlock) && (toBlock === undefined || height <= toBlock);
}

/**
 * Index keys of a subscription. A log has one address and one topic per position, so it meets each group at most
 * once. The last constrained position is the most selective: the first topic is the event type, the others its
 * parameters.
 */
function locationsOf({ addresses, topics }: LogCriteria): readonly (readonly [address: string, topic: string])[] {
  const keys = addresses.length === 0 ? [ANY] : [...new Set(addresses.map(hexData))];
  const position = topics.findLastIndex(
    (alternatives) => alternatives.length > 0 && alternatives.length * keys.length <= DEFAULT_LIMITS.logIndexEntries,
  );
  const values =
    position < 0 ? [ANY] : [...new Set((topics[position] ?? []).map((topic) => topicKey(position, hexData(topic))))];
  return keys.flatMap((address) => values.map((topic) => [address, topic] as const));
}

function topicKey(position: number, topic: string): string {
  return `${position}${topic}`;
}

/** Text of criteria; equal texts mean equal criteria. */
function textOf({ addresses, topics, fromBlock, toBlock }: LogCriteria): string {
  const range = [fromBlock, toBlock].map((bound) => (bound === undefined ? '' : hexQuantity(bound)));
  return [
    ...range,
    addresses.map(hexData).join(),
    ...topics.map((alternatives) => alternatives.map(hexData).join()),
  ].join(';');
}
