/** Keys of store `feegrant` (cosmossdk.io/x/feegrant v0.2.0 `key.go`); addresses are length-prefixed. */
import { concat, lengthPrefixed } from '../../bytes/bytes.js';
import { keyAfter } from '../../bytes/key-order.js';
import { sortableTime } from '../../comet/time.js';
import type { TimeNs } from '../../primitives.js';
import type { StateRange } from '../../state/state.js';

export const STORE = 'feegrant';
export const ALLOWANCE_PREFIX = Uint8Array.of(0);
const QUEUE_PREFIX = Uint8Array.of(1);
const TIME_LENGTH = 29;

/** The granter pays fees of the grantee. */
export interface Pair {
  readonly granter: Uint8Array;
  readonly grantee: Uint8Array;
}

const pairKey = ({ granter, grantee }: Pair): Uint8Array => concat(lengthPrefixed(grantee), lengthPrefixed(granter));

/** Prefix of all allowances of a grantee. */
export const allowancesOf = (grantee: Uint8Array): Uint8Array => concat(ALLOWANCE_PREFIX, lengthPrefixed(grantee));
/** Key of the allowance from a granter to a grantee. */
export const allowanceKey = (pair: Pair): Uint8Array => concat(ALLOWANCE_PREFIX, pairKey(pair));
/** Key of an allowance in the expiry queue; keys sort by time. */
export const queueKey = (end: TimeNs, pair: Pair): Uint8Array => concat(QUEUE_PREFIX, sortableTime(end), pairKey(pair));

/** Range of queue keys before `time`. */
export const queueBefore = (time: TimeNs): StateRange => ({
  start: QUEUE_PREFIX,
  end: keyAfter(concat(QUEUE_PREFIX, sortableTime(time))),
  reverse: false,
});

/** Key of the allowance that a queue key refers to. */
export const allowanceOfQueueKey = (key: Uint8Array): Uint8Array =>
  concat(ALLOWANCE_PREFIX, key.subarray(QUEUE_PREFIX.length + TIME_LENGTH));

/** Granter in an allowance key. */
export function granterOf(key: Uint8Array): Uint8Array {
  const granteeEnd = 2 + (key[1] ?? 0);
  return key.slice(granteeEnd + 1, granteeEnd + 1 + (key[granteeEnd] ?? 0));
}
