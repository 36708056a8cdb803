/** Keys of store `authz` (cosmos-sdk v0.53 `x/authz/keeper/keys.go`); addresses are length-prefixed. */
import { concat, lengthPrefixed, text, utf8 } from '../../bytes/bytes.js';
import { keyAfter } from '../../bytes/key-order.js';
import { sortableTime } from '../../comet/time.js';
import type { TimeNs } from '../../primitives.js';
import type { StateRange } from '../../state/state.js';

export const STORE = 'authz';
export const GRANT_PREFIX = Uint8Array.of(1);
const QUEUE_PREFIX = Uint8Array.of(2);

/** The two accounts of a grant. */
export interface Pair {
  readonly granter: Uint8Array;
  readonly grantee: Uint8Array;
}

/** Prefix of all grants of a granter. */
export const grantsOfGranter = (granter: Uint8Array): Uint8Array => concat(GRANT_PREFIX, lengthPrefixed(granter));
/** Prefix of all grants from one account to another. */
export const grantsOf = ({ granter, grantee }: Pair): Uint8Array =>
  concat(GRANT_PREFIX, lengthPrefixed(granter), lengthPrefixed(grantee));
/** Key of the grant for one message type. */
export const grantKey = (pair: Pair, msgTypeUrl: string): Uint8Array => concat(grantsOf(pair), utf8(msgTypeUrl));

/** Key of the queue entry with the message types whose grants expire at a time. */
export const queueKey = (time: TimeNs, { granter, grantee }: Pair): Uint8Array =>
  concat(QUEUE_PREFIX, sortableTime(time), lengthPrefixed(granter), lengthPrefixed(grantee));

/** Range of queue keys before `time`. */
export const queueBefore = (time: TimeNs): StateRange => ({
  start: QUEUE_PREFIX,
  end: keyAfter(concat(QUEUE_PREFIX, sortableTime(time))),
  reverse: false,
});

/** Parses a grant key. */
export function parseGrantKey(key: Uint8Array): Pair & { readonly msgTypeUrl: string } {
  const { pair, rest } = pairAt(key, GRANT_PREFIX.length);
  return { ...pair, msgTypeUrl: text(rest) };
}

/** Parses the accounts of a queue key. */
export function pairOfQueueKey(key: Uint8Array): Pair {
  return pairAt(key, QUEUE_PREFIX.length + TIME_LENGTH).pair;
}

const TIME_LENGTH = 29;

function pairAt(key: Uint8Array, at: number): { readonly pair: Pair; readonly rest: Uint8Array } {
  const granterEnd = at + 1 + (key[at] ?? 0);
  const granteeEnd = granterEnd + 1 + (key[granterEnd] ?? 0);
  return {
    pair: { granter: key.slice(at + 1, granterEnd), grantee: key.slice(granterEnd + 1, granteeEnd) },
    rest: key.subarray(granteeEnd),
  };
}
