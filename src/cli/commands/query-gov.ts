import { ProposalStatus } from '../../core/proto/cosmos/gov/v1/gov_pb.js';
import { Query } from '../../core/proto/cosmos/gov/v1/query_pb.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { CommandRow } from '../table/command-table.js';
import { query, paged } from '../table/query-rows.js';

const { method } = Query;

/** Statuses as the SDK's command line spells them. */
const STATUSES = {
  unspecified: ProposalStatus.UNSPECIFIED,
  'deposit-period': ProposalStatus.DEPOSIT_PERIOD,
  'voting-period': ProposalStatus.VOTING_PERIOD,
  passed: ProposalStatus.PASSED,
  rejected: ProposalStatus.REJECTED,
  failed: ProposalStatus.FAILED,
} as const satisfies Readonly<Record<string, ProposalStatus>>;

function statusOf(name: string): ProposalStatus {
  const found = Object.entries(STATUSES).find(([status]) => status === name);
  if (found === undefined)
    throw new CommandError(EXIT.usage, `--proposal-status: one of ${Object.keys(STATUSES).join(', ')}`);
  return found[1];
}

/** `query gov ...`: one method of the gov module each. */
export const commands: readonly CommandRow[] = [
  query('gov constitution', 'the constitution', method.constitution),
  query('gov deposit <proposal-id> <depositor>', 'a deposit', method.deposit),
  query('gov params', 'parameters of governance', method.params),
  query('gov proposal <proposal-id>', 'a proposal', method.proposal, { aliases: ['proposer'] }),
  query('gov tally <proposal-id>', 'the count of a vote', method.tallyResult),
  query('gov vote <proposal-id> <voter>', 'a vote', method.vote),
  paged('gov deposits <proposal-id>', 'deposits of a proposal', method.deposits),
  paged('gov proposals', 'proposals, the oldest first', method.proposals, {
    request: async ({ flags, named, pagination }) => ({
      proposalStatus: statusOf(flags.text('proposal-status') ?? 'unspecified'),
      voter: await named(flags.text('voter')),
      depositor: await named(flags.text('depositor')),
      ...pagination,
    }),
    options: [
      { flag: '--depositor <account>', doc: 'with a deposit of this account' },
      { flag: '--voter <account>', doc: 'with a vote of this account' },
      {
        flag: '--proposal-status <status>',
        doc: 'in this status',
        choices: ['unspecified', 'deposit-period', 'voting-period', 'passed', 'rejected', 'failed'],
      },
    ],
  }),
  paged('gov votes <proposal-id>', 'votes on a proposal', method.votes),
];
