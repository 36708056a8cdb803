import { ProposalStatus } from '../../core/proto/cosmos/gov/v1/gov_pb.js';
import { Query } from '../../core/proto/cosmos/gov/v1/query_pb.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { unary } from '../unary.js';
import { wholeNumber } from '../whole-number.js';

const { method } = Query;

/** Statuses as the SDK's command line spells them. */
export const STATUSES = {
  unspecified: ProposalStatus.UNSPECIFIED,
  'deposit-period': ProposalStatus.DEPOSIT_PERIOD,
  'voting-period': ProposalStatus.VOTING_PERIOD,
  passed: ProposalStatus.PASSED,
  rejected: ProposalStatus.REJECTED,
  failed: ProposalStatus.FAILED,
} as const satisfies Readonly<Record<string, ProposalStatus>>;

const idOf = (text: string): bigint => wholeNumber(text, 'proposal-id');

/** `query gov ...`: one method of the gov module each. */
export const constitution = unary(method.constitution, () => ({}));
export const deposit = unary(method.deposit, async (input) => ({
  proposalId: idOf(input.text(0)),
  depositor: await input.address(1),
}));
export const deposits = unary(method.deposits, ({ text, pagination }) => ({
  proposalId: idOf(text(0)),
  ...pagination,
}));
export const params = unary(method.params, () => ({}));
export const proposal = unary(method.proposal, ({ text }) => ({ proposalId: idOf(text(0)) }));
export const proposals = unary(method.proposals, async ({ flags, named, pagination }) => ({
  proposalStatus: statusOf(flags.text('proposal-status') ?? 'unspecified'),
  voter: await named(flags.text('voter')),
  depositor: await named(flags.text('depositor')),
  ...pagination,
}));
export const tally = unary(method.tallyResult, ({ text }) => ({ proposalId: idOf(text(0)) }));
export const vote = unary(method.vote, async (input) => ({
  proposalId: idOf(input.text(0)),
  voter: await input.address(1),
}));
export const votes = unary(method.votes, ({ text, pagination }) => ({ proposalId: idOf(text(0)), ...pagination }));

function statusOf(name: string): ProposalStatus {
  const found = Object.entries(STATUSES).find(([status]) => status === name);
  if (found === undefined)
    throw new CommandError(EXIT.usage, `--proposal-status: one of ${Object.keys(STATUSES).join(', ')}`);
  return found[1];
}
