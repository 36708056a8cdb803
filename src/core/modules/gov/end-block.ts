/** Ends deposit and voting periods (cosmos-sdk v0.53 `x/gov/abci.go`). */
import type { Any } from '@bufbuild/protobuf/wkt';
import { fromDuration, fromTimestamp, toTimestamp } from '../../comet/time.js';
import { toTimeNs } from '../../primitives.js';
import { ProposalStatus, type Proposal } from '../../proto/cosmos/gov/v1/gov_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { decodeMessage } from '../../sdk/codec/any.js';
import { attempt, branch } from '../../sdk/module/branch.js';
import { compactText } from '../../sdk/go/compact-text.js';
import type { Context } from '../../sdk/module/context.js';
import { RecoveredPanic, SdkError } from '../../sdk/module/sdk-error.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { burnDeposits, refundDeposits } from './deposits.js';
import { getParams } from './params.js';
import { deleteProposal, dequeue, dueIn, enqueue, requireProposal, setProposal } from './proposals.js';
import { tally } from './tally.js';

/** Drops proposals whose deposit period has ended, and concludes those whose voting period has. */
export function endBlock(context: Context): void {
  for (const id of dueIn(context, 'inactive')) drop(context, id);
  for (const id of dueIn(context, 'active')) conclude(context, requireProposal(context, id));
}

/** Drops a proposal that did not reach its deposit in time. */
function drop(context: Context, id: bigint): void {
  deleteProposal(context, id);
  settleDeposits(context, id, getParams(context).burnProposalDepositPrevote);
  for (const { afterProposalFailedMinDeposit } of versionOf(context).hooks.gov)
    attempt(context, (inner) => afterProposalFailedMinDeposit?.(inner, id));
  emit(context, 'inactive_proposal', () => [
    ['proposal_id', id.toString()],
    ['proposal_result', 'proposal_dropped'],
  ]);
}

/**
 * Burns or refunds the deposits. If that fails because gov's account spent them, they stay, and an event reports it
 * (cosmos-sdk `x/gov/keeper/abci.go` of its main branch; in v0.53 the chain halts).
 */
function settleDeposits(context: Context, id: bigint, burns: boolean): void {
  const failure = attempt(context, (inner) => (burns ? burnDeposits(inner, id) : refundDeposits(inner, id)));
  if (failure === undefined) return;
  emit(context, 'proposal_deposit', () => [
    ['proposal_id', id.toString()],
    ['proposal_deposit_error', 'failed to refund or burn deposits'],
    ['error', failure.message],
  ]);
}

/** Outcome of a vote: the proposal's next status, and the event's texts. */
interface Conclusion {
  readonly proposal: Proposal;
  readonly result: string;
  readonly log: string;
}

function conclude(context: Context, proposal: Proposal): void {
  const { id, expedited } = proposal;
  const { passes, burnsDeposits, result: finalTallyResult } = tally(context, proposal);
  // An expedited proposal without enough votes keeps its deposits, because it becomes a regular one.
  if (passes || !expedited) settleDeposits(context, id, burnsDeposits);
  dequeue(context, 'active', fromTimestamp(proposal.votingEndTime), id);
  const conclusion = passes ? pass(context, proposal) : expedited ? convert(context, proposal) : reject(proposal);
  setProposal(context, { ...conclusion.proposal, finalTallyResult });
  for (const { afterProposalVotingPeriodEnded } of versionOf(context).hooks.gov)
    attempt(context, (inner) => afterProposalVotingPeriodEnded?.(inner, id));
  emit(context, 'active_proposal', () => [
    ['proposal_id', id.toString()],
    ['proposal_result', conclusion.result],
    ['proposal_log', conclusion.log],
  ]);
}

/** Executes all messages of a proposal, or none. */
function pass(context: Context, proposal: Proposal): Conclusion {
  const { context: inner, commit } = branch(context);
  for (const [index, { typeUrl, value }] of proposal.messages.entries()) {
    try {
      inner.router.find(typeUrl).handle(inner, value);
    } catch (error) {
      if (!(error instanceof SdkError)) throw error;
      context.evm?.clear();
      const reason = error instanceof RecoveredPanic ? panicText(context, { typeUrl, value }, error) : error.message;
      return {
        proposal: { ...proposal, status: ProposalStatus.FAILED, failedReason: reason },
        result: 'proposal_failed',
        log: `passed, but msg ${index} (${typeUrl}) failed on execution: ${reason}`,
      };
    }
  }
  commit();
  return { proposal: { ...proposal, status: ProposalStatus.PASSED }, result: 'proposal_passed', log: 'passed' };
}

/** Error text for a panic in a message, which gov recovers itself (`safeExecuteHandler`). */
function panicText(
  { router }: Context,
  { typeUrl, value }: Pick<Any, 'typeUrl' | 'value'>,
  { reason }: RecoveredPanic,
) {
  const schema = router.types.getMessage(typeUrl.slice(1));
  const shown = schema === undefined ? '' : compactText(schema, decodeMessage(schema, value));
  return `handling x/gov proposal msg [${shown}] PANICKED: ${reason}`;
}

/** Continues the vote as that of a regular proposal. */
function convert(context: Context, proposal: Proposal): Conclusion {
  const end = toTimeNs(fromTimestamp(proposal.votingStartTime) + fromDuration(getParams(context).votingPeriod));
  enqueue(context, 'active', end, proposal.id);
  return {
    proposal: { ...proposal, expedited: false, votingEndTime: toTimestamp(end) },
    result: 'expedited_proposal_rejected',
    log: 'expedited proposal converted to regular',
  };
}

function reject(proposal: Proposal): Conclusion {
  return {
    proposal: {
      ...proposal,
      status: ProposalStatus.REJECTED,
      failedReason: 'proposal did not get enough votes to pass',
    },
    result: 'proposal_rejected',
    log: 'rejected',
  };
}
