/** Decides whether a filter matches a log (geth v1.17 `filterLogs` in `eth/filters/filter.go`). */
import { equal } from '../bytes/bytes.js';
import type { LogCriteria } from './api.js';

interface Logged {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
}

/**
 * Matches a log. Addresses are alternatives, as are the topics at one position; an empty list matches everything. A
 * filter with more positions than the log has topics never matches, even when the extra positions are empty. Does not
 * check the block range.
 */
export function matchesLog({ addresses, topics }: Pick<LogCriteria, 'addresses' | 'topics'>, log: Logged): boolean {
  if (topics.length > log.topics.length) return false;
  if (!isAmong(log.address, addresses)) return false;
  return topics.every((alternatives, position) => isAmong(log.topics[position], alternatives));
}

function isAmong(value: Uint8Array | undefined, alternatives: readonly Uint8Array[]): boolean {
  return alternatives.length === 0 || (value !== undefined && alternatives.some((one) => equal(one, value)));
}
