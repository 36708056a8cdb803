/**
 * Votes exactly at the limits of a tally, and what becomes of expedited proposals (cosmos-sdk v0.53
 * `x/gov/keeper/tally.go`, `x/gov/abci.go`). Account 0 operates the only validator: its vote is that of the 50, 30 and
 * 20 coins of accounts 0, 1 and 2, without the coins of those who vote themselves.
 */
import { describe, expect, it } from 'vitest';
import { ProposalStatus, VoteOption, type Proposal } from '../../../../src/core/proto/cosmos/gov/v1/gov_pb.js';
import * as query from '../../../../src/core/proto/cosmos/gov/v1/query_pb.js';
import * as v1 from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import { account } from '../../app/dev-chain.js';
import { achr, GOV, GovChain } from './gov-chain.js';

const { YES, NO, ABSTAIN, NO_WITH_VETO } = VoteOption;
const DEPOSIT = 5000n;
const BURNED = `burn ${GOV} | ${DEPOSIT}achr`;
const PASSED = 'active_proposal 1 | proposal_passed | passed';
const REJECTED = 'active_proposal 1 | proposal_rejected | rejected';
const CONVERTED = 'active_proposal 1 | expedited_proposal_rejected | expedited proposal converted to regular';

type Votes = Readonly<Partial<Record<0 | 1 | 2, VoteOption>>>;

function vote(chain: GovChain, votes: Votes): void {
  for (const [from, option] of Object.entries(votes))
    expect(
      chain.send(Number(from), v1.MsgVoteSchema, { proposalId: 1n, voter: account(Number(from)).address, option }).code,
    ).toBe(0);
}

/** A chain with one proposal, which is voted on. */
function proposed(params: Readonly<Record<string, unknown>>, votes: Votes, expedited = false): GovChain {
  const chain = new GovChain(params);
  const { code } = chain.send(0, v1.MsgSubmitProposalSchema, {
    proposer: account(0).address,
    initialDeposit: achr(DEPOSIT),
    title: 't',
    summary: 's',
    metadata: 'm',
    expedited,
  });
  expect(code).toBe(0);
  vote(chain, votes);
  return chain;
}

const proposal = ({ dev }: GovChain): Proposal | undefined =>
  dev.query(
    '/cosmos.gov.v1.Query/Proposal',
    query.QueryProposalRequestSchema,
    { proposalId: 1n },
    query.QueryProposalResponseSchema,
  ).proposal;
const cancel = (chain: GovChain) =>
  chain.send(0, v1.MsgCancelProposalSchema, { proposalId: 1n, proposer: account(0).address });

describe('a tally', () => {
  it.each<[string, Readonly<Record<string, unknown>>, Votes, readonly string[]]>([
    ['passes with exactly the quorum', { quorum: '0.3' }, { 1: YES }, [PASSED]],
    ['rejects with the smallest fraction below the quorum', { quorum: '0.300000000000000001' }, { 1: YES }, [REJECTED]],
    ['counts abstentions to the quorum', { quorum: '0.5' }, { 1: YES, 2: ABSTAIN }, [PASSED]],
    [
      'burns the deposits without a quorum when the parameter says so',
      { quorum: '0.4', burn_vote_quorum: true, burn_vote_veto: false },
      { 1: YES },
      [BURNED, REJECTED],
    ],
    [
      'burns no deposits without a quorum otherwise',
      { quorum: '0.4', burn_vote_quorum: false, burn_vote_veto: true },
      { 1: YES },
      [REJECTED],
    ],
    ['rejects without votes, even if the quorum is 0', { quorum: '0', burn_vote_quorum: true }, {}, [REJECTED]],
    ['rejects when all abstain, and burns nothing', { burn_vote_quorum: true }, { 0: ABSTAIN }, [REJECTED]],
    ['rejects with exactly the threshold', { threshold: '0.5' }, { 0: YES, 1: NO, 2: NO }, [REJECTED]],
    [
      'passes with the smallest fraction above the threshold',
      { threshold: '0.499999999999999999' },
      { 0: YES, 1: NO, 2: NO },
      [PASSED],
    ],
    ['measures the majority among those who vote', { threshold: '0.599999999999999999' }, { 1: YES, 2: NO }, [PASSED]],
    [
      'does not count abstentions against the majority',
      { threshold: '0.599999999999999999' },
      { 0: ABSTAIN, 1: YES, 2: NO },
      [PASSED],
    ],
    [
      'passes with exactly the veto threshold',
      { veto_threshold: '0.3', threshold: '0.5' },
      { 0: YES, 1: NO_WITH_VETO, 2: YES },
      [PASSED],
    ],
    [
      'rejects with the smallest fraction above the veto threshold, and burns the deposits',
      { veto_threshold: '0.299999999999999999' },
      { 0: YES, 1: NO_WITH_VETO, 2: YES },
      [BURNED, REJECTED],
    ],
    [
      'counts abstentions in the fraction of vetoes: three tenths of all, six tenths without them',
      { veto_threshold: '0.3' },
      { 0: ABSTAIN, 1: NO_WITH_VETO, 2: YES },
      [REJECTED],
    ],
    [
      'takes the fraction of vetoes of those who vote, not of all bonded coins',
      { quorum: '0.5', veto_threshold: '0.599999999999999999' },
      { 1: NO_WITH_VETO, 2: YES },
      [BURNED, REJECTED],
    ],
    [
      'burns nothing after a veto when the parameter says so',
      { burn_vote_veto: false, burn_vote_quorum: true },
      { 0: NO_WITH_VETO },
      [REJECTED],
    ],
  ])('%s', (_, params, votes, told) => {
    const chain = proposed(params, votes);
    expect(chain.pass(10n)).toEqual(told);
    expect(chain.balance(GOV)).toBe(0n);
  });
});

describe('an expedited proposal', () => {
  it('needs only the threshold of its kind', () => {
    const votes = { 0: YES, 1: NO } as const;
    const limits = { threshold: '0.5', expedited_threshold: '0.7' };
    expect(proposed(limits, votes, true).pass(5n)).toEqual([CONVERTED]);
    expect(proposed({ ...limits, expedited_threshold: '0.699999999999999999' }, votes, true).pass(5n)).toEqual([
      PASSED,
    ]);
  });

  it('that fails becomes regular, keeps its deposits, and is voted on until a regular vote would end', () => {
    const chain = proposed({ burn_vote_veto: true }, { 0: NO_WITH_VETO }, true);
    const before = proposal(chain);
    expect(chain.pass(5n)).toEqual([CONVERTED]);
    expect(chain.balance(GOV)).toBe(DEPOSIT);
    const converted = proposal(chain);
    expect(converted).toMatchObject({
      expedited: false,
      status: ProposalStatus.VOTING_PERIOD,
      votingStartTime: before?.votingStartTime,
      // the tally of the failed vote stays visible
      finalTallyResult: { noWithVetoCount: (100n * 10n ** 18n).toString() },
    });
    expect(converted?.votingEndTime?.seconds).toBe((before?.votingStartTime?.seconds ?? 0n) + 10n);
    // nobody has voted in the second vote
    expect(chain.pass(4n)).toEqual([]);
    expect(chain.pass(1n)).toEqual([REJECTED]);
    expect(proposal(chain)?.finalTallyResult?.noWithVetoCount).toBe('0');
    expect(chain.balance(GOV)).toBe(0n);
  });

  it('is decided by the regular threshold in the second vote', () => {
    const chain = proposed({ threshold: '0.5', expedited_threshold: '0.9' }, { 0: NO }, true);
    expect(chain.pass(5n)).toEqual([CONVERTED]);
    vote(chain, { 0: YES, 1: NO });
    expect(chain.pass(5n)).toEqual([PASSED]);
  });

  it('that a late block converts is decided in the next block', () => {
    const chain = proposed({}, { 0: NO }, true);
    expect(chain.pass(60n)).toEqual([CONVERTED]);
    expect(chain.pass(0n)).toEqual([REJECTED]);
  });

  it('needs the deposit of its kind', () => {
    const chain = new GovChain();
    chain.send(0, v1.MsgSubmitProposalSchema, {
      proposer: account(0).address,
      initialDeposit: achr(DEPOSIT - 1n),
      title: 't',
      summary: 's',
      metadata: 'm',
      expedited: true,
    });
    expect(proposal(chain)?.status).toBe(ProposalStatus.DEPOSIT_PERIOD);
    chain.send(0, v1.MsgDepositSchema, { proposalId: 1n, depositor: account(0).address, amount: achr(50n) });
    expect(proposal(chain)?.status).toBe(ProposalStatus.VOTING_PERIOD);
  });
});

describe('cancelling a proposal', () => {
  it('is possible in the block at the end of its vote, and not in a later one', () => {
    const inTime = proposed({}, { 0: YES });
    inTime.now += 10n;
    expect(cancel(inTime).code).toBe(0);
    expect(inTime.balance(GOV)).toBe(0n);
    expect(inTime.pass(1n)).toEqual([]);
    const late = proposed({}, { 0: YES });
    late.now += 11n;
    expect(cancel(late)).toMatchObject({ codespace: 'gov', code: 20 });
    expect(proposal(late)?.status).toBe(ProposalStatus.PASSED);
  });

  it('costs the ratio of each deposit that the parameters name, truncated to whole units', () => {
    const chain = proposed({ proposal_cancel_ratio: '0.3333' }, {});
    chain.send(1, v1.MsgDepositSchema, { proposalId: 1n, depositor: account(1).address, amount: achr(101n) });
    const before = chain.balance(account(1).address);
    expect(cancel(chain).code).toBe(0);
    // 5000 * 0.3333 = 1666.5, 101 * 0.3333 = 33.6633
    expect(chain.balance(account(1).address)).toBe(before + 101n - 33n);
  });
});
