import { toOrderedString } from '../bytes/key-order.js';
import type { StateWrite } from './state.js';

/**
 * Merges two lists of writes, the second taking precedence, in order of store name and key: the order in which the SDK
 * flushes.
 */
export function mergeWrites(first: readonly StateWrite[], second: readonly StateWrite[]): readonly StateWrite[] {
  const byPlace = new Map<string, StateWrite>();
  for (const write of [...first, ...second]) byPlace.set(`${write.store}\0${toOrderedString(write.key)}`, write);
  return [...byPlace.entries()].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, write]) => write);
}
