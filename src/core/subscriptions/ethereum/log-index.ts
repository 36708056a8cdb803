/**
 * Finds the log subscriptions that may match a log without examining the others: by address, then by the most selective
 * topic. The remaining short list is matched exactly, once for equal criteria.
 */
import type { LogCriteria } from '../../ethereum/api.js';
import type { EthereumLog } from '../../ethereum/block-view.js';
import { hexData, hexQuantity } from '../../bytes/hex.js';
import { matchesLog } from '../../ethereum/log-match.js';
import type { Height } from '../../primitives.js';
import type { EthereumSubscription } from './ports.js';

interface Group {
  readonly criteria: LogCriteria;
  readonly text: string;
  readonly members: Set<EthereumSubscription>;
}

/** Topic (its position and value), or `ANY`, to the groups by their text. */
type Bucket = Map<string, Map<string, Group>>;

export interface LogIndex {
  add(subscription: EthereumSubscription, criteria: LogCriteria): void;
  remove(subscription: EthereumSubscription, criteria: LogCriteria): void;
  /** Subscriptions that receive a log of the block at `height`, in order of creation. */
  match(log: EthereumLog, height: Height): readonly EthereumSubscription[];
  /** Number of exact matches so far, which shows the gain of the index. */
  evaluations(): number;
  readonly size: number;
}

const ANY = '';
/** Largest number of entries of one subscription: beyond it its topics are matched exactly instead of being indexed. */
const ENTRIES = 256;

export function createLogIndex(): LogIndex {
  const buckets = new Map<string, Bucket>();
  let evaluations = 0;
  let size = 0;

  return {
    add(subscription, criteria) {
      const text = textOf(criteria);
      size += 1;
      for (const [address, topic] of placesOf(criteria)) {
        const groups = child(child(buckets, address), topic);
        const group = groups.get(text);
        if (group === undefined) groups.set(text, { criteria, text, members: new Set([subscription]) });
        else group.members.add(subscription);
      }
    },
    remove(subscription, criteria) {
      const text = textOf(criteria);
      let found = false;
      for (const [address, topic] of placesOf(criteria)) {
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
    match(log, height) {
      const matched: EthereumSubscription[] = [];
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
      return matched.sort((left, right) => left.order - right.order);
    },
    evaluations: () => evaluations,
    get size() {
      return size;
    },
  };
}

export function isInRange({ fromBlock, toBlock }: Pick<LogCriteria, 'fromBlock' | 'toBlock'>, height: Height): boolean {
  return (fromBlock === undefined || height >= fromBlock) && (toBlock === undefined || height <= toBlock);
}

/**
 * The places of a subscription in the index. A log has one address and one topic at each position, so it meets each
 * group at most once. The last constrained position is the most selective: the first is the kind of event, the others
 * its subject.
 */
function placesOf({ addresses, topics }: LogCriteria): readonly (readonly [address: string, topic: string])[] {
  const keys = addresses.length === 0 ? [ANY] : [...new Set(addresses.map(hexData))];
  const position = topics.findLastIndex(
    (alternatives) => alternatives.length > 0 && alternatives.length * keys.length <= ENTRIES,
  );
  const values =
    position < 0 ? [ANY] : [...new Set((topics[position] ?? []).map((topic) => topicKey(position, hexData(topic))))];
  return keys.flatMap((address) => values.map((topic) => [address, topic] as const));
}

function topicKey(position: number, topic: string): string {
  return `${position}${topic}`;
}

/** Equal for criteria with the same spelling. */
function textOf({ addresses, topics, fromBlock, toBlock }: LogCriteria): string {
  const range = [fromBlock, toBlock].map((bound) => (bound === undefined ? '' : hexQuantity(bound)));
  return [
    ...range,
    addresses.map(hexData).join(),
    ...topics.map((alternatives) => alternatives.map(hexData).join()),
  ].join(';');
}

function child<Value>(parent: Map<string, Map<string, Value>>, key: string): Map<string, Value> {
  const existing = parent.get(key);
  if (existing !== undefined) return existing;
  const created = new Map<string, Value>();
  parent.set(key, created);
  return created;
}
