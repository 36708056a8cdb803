/** Proposals, their ids, and the queues of their periods (cosmos-sdk v0.53 `x/gov/keeper/proposal.go`). */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { be64, readBe64 } from '../../bytes/big-endian.js';
import { prefixEnd, prefixRange } from '../../bytes/key-order.js';
import { fromDuration, fromTimestamp, toTimestamp } from '../../comet/time.js';
import { type TimeNs, toTimeNs } from '../../primitives.js';
import { ProposalSchema, ProposalStatus, type Proposal } from '../../proto/cosmos/gov/v1/gov_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { missing } from './errors.js';
import {
  ACTIVE_PREFIX,
  INACTIVE_PREFIX,
  NEXT_ID_KEY,
  PROPOSAL_PREFIX,
  proposalKey,
  queuedAt,
  queueKey,
  STORE,
  votingKey,
} from './keys.js';
import { getParams } from './params.js';

const FIRST_ID = 1n;
const PRESENT = Uint8Array.of(1);

/** Decodes a row of the store. */
export function decodeProposal(value: Uint8Array): Proposal {
  return fromBinary(ProposalSchema, value);
}

/** Reads a proposal; undefined where there is none. */
export function getProposal({ store }: Context, id: bigint): Proposal | undefined {
  const value = store.get(STORE, proposalKey(id));
  return value && decodeProposal(value);
}

/** Reads a proposal; throws the unregistered error of Go's `collections` when there is none. */
export function requireProposal(context: Context, id: bigint): Proposal {
  const proposal = getProposal(context, id);
  if (proposal === undefined) throw missing(id.toString(), 'Proposal');
  return proposal;
}

/** Stores a proposal and its voting flag. */
export function setProposal({ store }: Context, proposal: Proposal): void {
  if (proposal.status === ProposalStatus.VOTING_PERIOD) store.set(STORE, votingKey(proposal.id), PRESENT);
  else store.delete(STORE, votingKey(proposal.id));
  store.set(STORE, proposalKey(proposal.id), toBinary(ProposalSchema, proposal));
}

/** Deletes a proposal and its queue entries; throws SdkError for an unknown id. */
export function deleteProposal(context: Context, id: bigint): void {
  const { store } = context;
  const { depositEndTime, votingEndTime } = requireProposal(context, id);
  if (depositEndTime !== undefined) dequeue(context, 'inactive', fromTimestamp(depositEndTime), id);
  if (votingEndTime !== undefined) {
    dequeue(context, 'active', fromTimestamp(votingEndTime), id);
    store.delete(STORE, votingKey(id));
  }
  store.delete(STORE, proposalKey(id));
}

/** All proposals, ordered by id. */
export function allProposals({ store }: Context): readonly Proposal[] {
  return Array.from(store.range(STORE, prefixRange(PROPOSAL_PREFIX)), ({ value }) => decodeProposal(value));
}

/** Id of the next proposal. */
export function nextId({ store }: Context): bigint {
  const value = store.get(STORE, NEXT_ID_KEY);
  return value === undefined ? FIRST_ID : readBe64(value);
}

/** Stores the id of the next proposal. */
export function setNextId({ store }: Context, id: bigint): void {
  store.set(STORE, NEXT_ID_KEY, be64(id));
}

/** Takes the next proposal id. */
export function takeId(context: Context): bigint {
  const id = nextId(context);
  setNextId(context, id + 1n);
  return id;
}

/** `inactive`: proposals in their deposit period; `active`: in their voting period. Ordered by the period's end. */
export type Queue = 'active' | 'inactive';
const PREFIXES: Readonly<Record<Queue, Uint8Array>> = { active: ACTIVE_PREFIX, inactive: INACTIVE_PREFIX };

/** Adds a proposal to the queue of deposit periods (`inactive`) or of voting periods (`active`). */
export function enqueue({ store }: Context, queue: Queue, end: TimeNs, id: bigint): void {
  store.set(STORE, queueKey(PREFIXES[queue], end, id), be64(id));
}

/** Removes a proposal from a queue; `end` must be the time it was added under. */
export function dequeue({ store }: Context, queue: Queue, end: TimeNs, id: bigint): void {
  store.delete(STORE, queueKey(PREFIXES[queue], end, id));
}

/** Ids of proposals in a queue whose period has ended, read before any of them changes. */
export function dueIn({ store, time }: Context, queue: Queue): readonly bigint[] {
  const prefix = PREFIXES[queue];
  const end = prefixEnd(queuedAt(prefix, time));
  const range = end === undefined ? prefixRange(prefix) : { start: prefix, end };
  return Array.from(store.range(STORE, range), ({ value }) => readBe64(value));
}

/** Starts the voting period, because the deposit is complete. */
export function beginVoting(context: Context, proposal: Proposal): void {
  const { votingPeriod, expeditedVotingPeriod } = getParams(context);
  const period = fromDuration(proposal.expedited ? expeditedVotingPeriod : votingPeriod);
  const end = toTimeNs(context.time + period);
  setProposal(context, {
    ...proposal,
    votingStartTime: toTimestamp(context.time),
    votingEndTime: toTimestamp(end),
    status: ProposalStatus.VOTING_PERIOD,
  });
  dequeue(context, 'inactive', fromTimestamp(proposal.depositEndTime), proposal.id);
  enqueue(context, 'active', end, proposal.id);
}
