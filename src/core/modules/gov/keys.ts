/** Keys of store `gov` (cosmos-sdk v0.53 `x/gov/types/keys.go`, and `collections` for their parts). */
import { be64 } from '../../bytes/big-endian.js';
import { concat, lengthPrefixed } from '../../bytes/bytes.js';
import { sortableTime } from '../../comet/time.js';
import type { TimeNs } from '../../primitives.js';

export const STORE = 'gov';

export const PROPOSAL_PREFIX = Uint8Array.of(0x00);
export const ACTIVE_PREFIX = Uint8Array.of(0x01);
export const INACTIVE_PREFIX = Uint8Array.of(0x02);
export const NEXT_ID_KEY = Uint8Array.of(0x03);
const VOTING_PREFIX = Uint8Array.of(0x04);
export const DEPOSIT_PREFIX = Uint8Array.of(0x10);
export const VOTE_PREFIX = Uint8Array.of(0x20);
export const PARAMS_KEY = Uint8Array.of(0x30);
export const CONSTITUTION_KEY = Uint8Array.of(0x31);

/** Key of a proposal. */
export const proposalKey = (id: bigint): Uint8Array => concat(PROPOSAL_PREFIX, be64(id));
/** Key of a row that exists while the proposal can be voted on. */
export const votingKey = (id: bigint): Uint8Array => concat(VOTING_PREFIX, be64(id));
/** Prefix of the deposits on a proposal. */
export const depositsOf = (id: bigint): Uint8Array => concat(DEPOSIT_PREFIX, be64(id));
/** Key of an account's deposit on a proposal. */
export const depositKey = (id: bigint, depositor: Uint8Array): Uint8Array =>
  concat(depositsOf(id), lengthPrefixed(depositor));
/** Prefix of the votes on a proposal. */
export const votesOf = (id: bigint): Uint8Array => concat(VOTE_PREFIX, be64(id));
/** Key of an account's vote on a proposal. */
export const voteKey = (id: bigint, voter: Uint8Array): Uint8Array => concat(votesOf(id), lengthPrefixed(voter));
/** Depositor or voter in a deposit or vote key. */
export const addressOfKey = (key: Uint8Array): Uint8Array => key.subarray(10);

/** Key in one of the two queues. */
export const queueKey = (queue: Uint8Array, time: TimeNs, id: bigint): Uint8Array =>
  concat(queue, sortableTime(time), be64(id));
/** Prefix of the queue's proposals whose period ends at `time`. */
export const queuedAt = (queue: Uint8Array, time: TimeNs): Uint8Array => concat(queue, sortableTime(time));
