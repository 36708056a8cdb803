/** Which logs a filter selects (ethereum-json-rpc.md 2.2). */
import { equal } from '../bytes/bytes.js';
import type { LogCriteria } from './api.js';

interface Logged {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
}

/**
 * Addresses are alternatives, so are the topics of one position; no alternatives match anything. A filter with more
 * positions than the log has topics never matches, even where the extra positions are open. The range is not looked at.
 */
export function matchesLog({ addresses, topics }: Pick<LogCriteria, 'addresses' | 'topics'>, log: Logged): boolean {
  if (topics.length > log.topics.length) return false;
  if (!isAmong(log.address, addresses)) return false;
  return topics.every((alternatives, position) => isAmong(log.topics[position], alternatives));
}

function isAmong(value: Uint8Array | undefined, alternatives: readonly Uint8Array[]): boolean {
  return alternatives.length === 0 || (value !== undefined && alternatives.some((one) => equal(one, value)));
}
