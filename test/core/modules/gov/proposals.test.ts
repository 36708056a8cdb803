import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import * as v1 from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import * as query from '../../../../src/core/proto/cosmos/gov/v1/query_pb.js';
import * as older from '../../../../src/core/proto/cosmos/gov/v1beta1/tx_pb.js';
import * as olderQuery from '../../../../src/core/proto/cosmos/gov/v1beta1/query_pb.js';
import { TextProposalSchema } from '../../../../src/core/proto/cosmos/gov/v1beta1/gov_pb.js';
import {
  ParamsSchema,
  ProposalStatus,
  VoteOption,
  type Proposal,
} from '../../../../src/core/proto/cosmos/gov/v1/gov_pb.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgSoftwareUpgradeSchema } from '../../../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import {
  CancelSoftwareUpgradeProposalSchema,
  SoftwareUpgradeProposalSchema,
} from '../../../../src/core/proto/cosmos/upgrade/v1beta1/upgrade_pb.js';
import { getPlan } from '../../../../src/core/modules/upgrade/plan-store.js';
import { exportGenesis } from '../../../../src/core/genesis/export-genesis.js';
import { MsgUpdateParamsSchema } from '../../../../src/core/proto/cosmos/auth/v1beta1/tx_pb.js';
import type { MessageHandler } from '../../../../src/core/sdk/module/context.js';
import { chronicle, evmd } from '../../../../src/core/app/presets.js';
import { readContent } from '../../../../src/core/modules/gov/legacy.js';
import { gov } from '../../../../src/core/peers/evmd/gov.js';
import { NIL_POINTER, RecoveredPanic } from '../../../../src/core/sdk/module/sdk-error.js';
import type { StateReader } from '../../../../src/core/state/state.js';
import { account, chain as chainConfig, contextOf, DevChain } from '../../app/dev-chain.js';
import { crypto, toHex } from '../../app/support.js';
import { achr, any, GOV, GovChain, govVersion, PARAMS } from './gov-chain.js';

const SUCCESS = { code: 0, codespace: '', log: '' };
const YES = VoteOption.YES;
const text = (from: number, change: object = {}) => ({
  proposer: account(from).address,
  initialDeposit: achr(1000n),
  title: 'a title',
  summary: 'a summary',
  metadata: 'ipfs://x',
  ...change,
});
const submit = (chain: GovChain, from = 0, change: object = {}) =>
  chain.send(from, v1.MsgSubmitProposalSchema, text(from, change));
const vote = (chain: GovChain, from: number, option: VoteOption, proposalId = 1n) =>
  chain.send(from, v1.MsgVoteSchema, { proposalId, voter: account(from).address, option });
const deposit = (chain: GovChain, from: number, amount: bigint, proposalId = 1n) =>
  chain.send(from, v1.MsgDepositSchema, { proposalId, depositor: account(from).address, amount: achr(amount) });
function proposal({ dev }: GovChain, proposalId = 1n): Proposal {
  const found = dev.query(
    '/cosmos.gov.v1.Query/Proposal',
    query.QueryProposalRequestSchema,
    { proposalId },
    query.QueryProposalResponseSchema,
  ).proposal;
  if (found === undefined) throw new Error('no proposal');
  return found;
}
const panic = (): never => {
  throw new RecoveredPanic('index out of range');
};
const refusal = (log: string): string => `failed to execute message; message index: 0: ${log}`;

describe('a proposal', () => {
  it('collects deposits, then votes, then refunds the deposits', () => {
    const chain = new GovChain();
    expect(submit(chain, 0, { initialDeposit: achr(100n) })).toEqual(SUCCESS);
    expect(proposal(chain)).toMatchObject({ status: ProposalStatus.DEPOSIT_PERIOD, proposer: account(0).address });
    expect(vote(chain, 0, YES)).toEqual({ code: 3, codespace: 'gov', log: refusal('1: inactive proposal') });
    expect(deposit(chain, 1, 900n)).toEqual(SUCCESS);
    expect(proposal(chain)).toMatchObject({ status: ProposalStatus.VOTING_PERIOD, totalDeposit: achr(1000n) });
    expect(chain.balance(GOV)).toBe(1000n);
    expect(vote(chain, 0, YES)).toEqual(SUCCESS);
    expect(chain.pass(9n)).toEqual([]);
    expect(chain.pass(1n)).toEqual(['active_proposal 1 | proposal_passed | passed']);
    // the validator's vote counts for delegators who did not vote
    expect(proposal(chain).finalTallyResult?.yesCount).toBe((100n * 10n ** 18n).toString());
    expect(chain.balance(GOV)).toBe(0n);
    expect(vote(chain, 0, YES)).toEqual({ code: 3, codespace: 'gov', log: refusal('1: inactive proposal') });
    expect(deposit(chain, 1, 900n)).toEqual({ code: 3, codespace: 'gov', log: refusal('1: inactive proposal') });
  });

  it("counts the vote of a delegator in place of the validator's for the delegator's shares", () => {
    const chain = new GovChain();
    submit(chain);
    vote(chain, 0, YES);
    vote(chain, 1, VoteOption.NO);
    chain.send(2, v1.MsgVoteWeightedSchema, {
      proposalId: 1n,
      voter: account(2).address,
      options: [
        { option: YES, weight: '0.25' },
        { option: VoteOption.ABSTAIN, weight: '0.75' },
      ],
    });
    chain.pass(10n);
    const coins = (count: bigint): string => (count * 10n ** 18n).toString();
    expect(proposal(chain).finalTallyResult).toMatchObject({
      yesCount: coins(55n),
      noCount: coins(30n),
      abstainCount: coins(15n),
      noWithVetoCount: '0',
    });
  });

  it('is dropped when its deposit is not complete in time', () => {
    const chain = new GovChain();
    submit(chain, 0, { initialDeposit: achr(999n) });
    const before = chain.balance(account(0).address);
    expect(chain.pass(20n)).toEqual(['inactive_proposal 1 | proposal_dropped']);
    expect(chain.balance(account(0).address)).toBe(before + 999n);
    expect(() => proposal(chain)).toThrow("proposal 1 doesn't exist");
  });

  it('is dropped and its deposit burned when the parameters say so', () => {
    const chain = new GovChain({ burn_proposal_deposit_prevote: true });
    submit(chain, 0, { initialDeposit: achr(999n) });
    expect(chain.pass(20n)).toEqual([`burn ${GOV} | 999achr`, 'inactive_proposal 1 | proposal_dropped']);
  });

  it('is rejected without a quorum, without a majority, or by a veto, which burns the deposit', () => {
    const chain = new GovChain();
    submit(chain);
    submit(chain);
    submit(chain);
    vote(chain, 2, YES, 1n);
    vote(chain, 0, VoteOption.NO, 2n);
    vote(chain, 0, VoteOption.NO_WITH_VETO, 3n);
    expect(chain.pass(10n)).toEqual([
      'active_proposal 1 | proposal_rejected | rejected',
      'active_proposal 2 | proposal_rejected | rejected',
      `burn ${GOV} | 1000achr`,
      'active_proposal 3 | proposal_rejected | rejected',
    ]);
    expect(proposal(chain)).toMatchObject({
      status: ProposalStatus.REJECTED,
      failedReason: 'proposal did not get enough votes to pass',
    });
  });

  it('becomes regular when it is expedited and has less than two thirds of the votes', () => {
    const chain = new GovChain();
    submit(chain, 0, { initialDeposit: achr(5000n), expedited: true });
    vote(chain, 0, YES);
    vote(chain, 1, VoteOption.NO);
    vote(chain, 2, VoteOption.NO);
    expect(chain.pass(5n)).toEqual([
      'active_proposal 1 | expedited_proposal_rejected | expedited proposal converted to regular',
    ]);
    expect(proposal(chain)).toMatchObject({ expedited: false, status: ProposalStatus.VOTING_PERIOD });
    expect(chain.balance(GOV)).toBe(5000n);
    vote(chain, 0, YES);
    expect(chain.pass(5n)).toEqual(['active_proposal 1 | proposal_passed | passed']);
  });

  it('is cancelled by its proposer for half of the deposit', () => {
    const chain = new GovChain();
    submit(chain);
    vote(chain, 0, YES);
    const cancel = (from: number, proposalId = 1n) =>
      chain.send(from, v1.MsgCancelProposalSchema, { proposalId, proposer: account(from).address });
    expect(cancel(1)).toEqual({
      code: 18,
      codespace: 'gov',
      log: refusal(`invalid proposer ${account(1).address}: invalid proposer`),
    });
    expect(cancel(0, 7n).log).toBe(
      refusal("collections: not found: key '7' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Proposal"),
    );
    expect(cancel(0)).toEqual(SUCCESS);
    expect(chain.balance(GOV)).toBe(0n);
    expect(chain.pass(30n)).toEqual([]);
  });
});

describe('messages of a proposal', () => {
  const upgrade = (name: string, height: bigint) =>
    any(MsgSoftwareUpgradeSchema, { authority: GOV, plan: { name, height, info: '' } });

  it('are executed when it passes', () => {
    const chain = new GovChain();
    expect(submit(chain, 0, { messages: [upgrade('next', 1000n)] })).toEqual(SUCCESS);
    vote(chain, 0, YES);
    expect(chain.pass(10n)).toEqual(['active_proposal 1 | proposal_passed | passed']);
    expect(getPlan(chain.dev.state)).toMatchObject({ name: 'next', height: 1000n });
  });

  it('have no effect at all when one fails', () => {
    const chain = new GovChain();
    submit(chain, 0, { messages: [upgrade('next', 1000n), upgrade('past', 1n)] });
    vote(chain, 0, YES);
    const reason = 'upgrade cannot be scheduled in the past: invalid request';
    expect(chain.pass(10n)).toEqual([
      `active_proposal 1 | proposal_failed | passed, but msg 1 (/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade) failed on execution: ${reason}`,
    ]);
    expect(proposal(chain)).toMatchObject({ status: ProposalStatus.FAILED, failedReason: reason });
    expect(getPlan(chain.dev.state)).toBeUndefined();
  });

  it('that spend the deposits leave refunds unpaid, and the chain continues', () => {
    const chain = new GovChain();
    submit(chain);
    const spend = any(MsgSendSchema, { fromAddress: GOV, toAddress: account(3).address, amount: achr(1500n) });
    submit(chain, 0, { messages: [spend] });
    submit(chain, 0, { messages: [spend] });
    vote(chain, 0, YES, 1n);
    vote(chain, 0, YES, 2n);
    const told = chain.pass(10n);
    expect(told).toContain('active_proposal 1 | proposal_passed | passed');
    expect(told.filter((line) => line.startsWith('active_proposal'))).toHaveLength(3);
  });

  it('that panic make it fail, and the reason shows the message', () => {
    const version = govVersion();
    const panics = (handler: MessageHandler): MessageHandler =>
      handler.typeUrl === `/${MsgSendSchema.typeName}` ? { ...handler, handle: panic } : handler;
    const modules = version.modules.map((one) => ({ ...one, messages: one.messages.map(panics) }));
    const chain = new GovChain({}, { ...version, modules });
    const to = account(3).address;
    submit(chain, 0, { messages: [any(MsgSendSchema, { fromAddress: GOV, toAddress: to, amount: achr(5n) })] });
    vote(chain, 0, YES);
    const shown = `from_address:"${GOV}" to_address:"${to}" amount:<denom:"achr" amount:"5" > `;
    const reason = `handling x/gov proposal msg [${shown}] PANICKED: index out of range`;
    expect(chain.pass(10n)).toEqual([
      `active_proposal 1 | proposal_failed | passed, but msg 0 (/cosmos.bank.v1beta1.MsgSend) failed on execution: ${reason}`,
    ]);
    expect(proposal(chain)).toMatchObject({ status: ProposalStatus.FAILED, failedReason: reason });
  });

  it('must be signed by governance only', () => {
    const chain = new GovChain();
    const own = any(MsgSendSchema, {
      fromAddress: account(0).address,
      toAddress: account(1).address,
      amount: achr(1n),
    });
    expect(submit(chain, 0, { messages: [own] })).toEqual({
      code: 13,
      codespace: 'gov',
      log: refusal(`${account(0).address}: expected gov account as only signer for proposal message`),
    });
  });
});

describe('governance', () => {
  const chain = new GovChain();
  submit(chain);
  it.each([
    ['no title', { title: '' }, 18, 'sdk', 'proposal title cannot be empty: invalid request'],
    ['no summary', { summary: '' }, 18, 'sdk', 'proposal summary cannot be empty: invalid request'],
    [
      'neither metadata nor messages',
      { metadata: '' },
      11,
      'gov',
      'either metadata or Msgs length must be non-nil: no messages proposed',
    ],
    ['long metadata', { metadata: 'x'.repeat(256) }, 15, 'gov', 'got metadata with length 256: metadata too long'],
    ['a title of many bytes', { title: 'ä'.repeat(128) }, 15, 'gov', 'got metadata with length 256: metadata too long'],
    ['a long summary', { summary: 'x'.repeat(10_201) }, 22, 'gov', 'got summary with length 10201: summary too long'],
    [
      'another title in the metadata',
      { metadata: '{"title":"other","summary":"a summary"}' },
      5,
      'gov',
      "metadata title 'other' must equal proposal title 'a title': invalid proposal content",
    ],
    [
      'another summary in the metadata',
      { metadata: '{"TITLE":"a title","summary":"other"}' },
      5,
      'gov',
      "metadata summary 'other' must equal proposal summary 'a summary': invalid proposal content",
    ],
    ['a deposit of zero', { initialDeposit: achr(0n) }, 10, 'sdk', '0achr: invalid coins'],
    [
      'a deposit of another denom',
      { initialDeposit: [{ denom: 'other', amount: '5' }] },
      23,
      'gov',
      'deposited 5other, but gov accepts only the following denom(s): [achr]: invalid deposit denom',
    ],
    [
      'a small deposit',
      { initialDeposit: achr(9n) },
      16,
      'gov',
      'received 9achr but need at least one of the following: 10achr: minimum deposit is too small',
    ],
  ])('refuses a proposal with %s', (_, change, code, codespace, log) => {
    expect(submit(chain, 0, change)).toEqual({ code, codespace, log: refusal(log) });
  });

  it('accepts metadata in any form other than the recommended JSON', () => {
    for (const metadata of ['[]', '{"title":5}', '{"title":"x","authors":"me"}', '{', '"text"'])
      expect(submit(chain, 0, { metadata })).toEqual(SUCCESS);
  });

  it.each([
    [VoteOption.UNSPECIFIED, 'VOTE_OPTION_UNSPECIFIED: invalid vote option'],
    [9, '9: invalid vote option'],
  ])('refuses the vote option %s', (option, log) => {
    expect(vote(chain, 0, option)).toEqual({ code: 7, codespace: 'gov', log: refusal(log) });
  });

  it.each([
    [[], 18, 'null: invalid request'],
    [[[YES, '1.1']], 7, 'option:VOTE_OPTION_YES weight:"1.1" : invalid vote option'],
    [[[YES, '-1']], 7, 'option:VOTE_OPTION_YES weight:"-1" : invalid vote option'],
    [[[YES, '']], 7, 'option:VOTE_OPTION_YES : invalid vote option'],
    [[[VoteOption.UNSPECIFIED, '1']], 7, 'weight:"1" : invalid vote option'],
    [
      [
        [YES, '0.5'],
        [YES, '0.5'],
      ],
      7,
      'duplicated vote option: invalid vote option',
    ],
    [[[YES, '0.5']], 7, 'total weight lower than 1.00: invalid vote option'],
    [
      [
        [YES, '0.6'],
        [VoteOption.NO, '0.6'],
      ],
      7,
      'total weight overflow 1.00: invalid vote option',
    ],
  ] as const)('refuses the weighted vote %j', (options, code, log) => {
    const sent = chain.send(0, v1.MsgVoteWeightedSchema, {
      proposalId: 1n,
      voter: account(0).address,
      options: options.map(([option, weight]) => ({ option, weight })),
    });
    expect(sent).toEqual({ code, codespace: code === 18 ? 'sdk' : 'gov', log: refusal(log) });
  });

  it('refuses deposits that are empty, too small, or for an unknown proposal', () => {
    expect(chain.send(0, v1.MsgDepositSchema, { proposalId: 1n, depositor: account(0).address, amount: [] })).toEqual({
      code: 10,
      codespace: 'sdk',
      log: refusal(': invalid coins'),
    });
    expect(deposit(chain, 0, 9n).code).toBe(16);
    expect(deposit(chain, 0, 100n, 99n).log).toBe(
      refusal("collections: not found: key '99' of type github.com/cosmos/gogoproto/cosmos.gov.v1.Proposal"),
    );
  });

  it('refuses parameters that a user sets, and invalid ones', () => {
    const params = create(ParamsSchema, { minDeposit: achr(1n) });
    expect(chain.send(0, v1.MsgUpdateParamsSchema, { authority: account(0).address, params })).toMatchObject({
      code: 13,
      codespace: 'gov',
    });
    const own = new GovChain();
    submit(own, 0, { messages: [any(v1.MsgUpdateParamsSchema, { authority: GOV, params })] });
    vote(own, 0, YES);
    own.pass(10n);
    expect(proposal(own).failedReason).toBe('invalid expedited minimum deposit: ');
  });

  it('holds exactly its deposits after these refusals', () => {
    expect(chain.brokenInvariants()).toEqual([]);
  });
});

describe('proposals of v1beta1', () => {
  const send = (chain: GovChain, content: object) =>
    chain.send(0, older.MsgSubmitProposalSchema, {
      proposer: account(0).address,
      initialDeposit: achr(1000n),
      ...content,
    });
  const plan = { name: 'older', height: 1000n, info: '' };

  it('execute their content when they pass', () => {
    const chain = new GovChain();
    expect(send(chain, { content: any(TextProposalSchema, { title: 't', description: 'd' }) })).toEqual(SUCCESS);
    const content = any(SoftwareUpgradeProposalSchema, { title: 't', description: 'd', plan });
    expect(send(chain, { content })).toEqual(SUCCESS);
    vote(chain, 0, YES, 2n);
    chain.pass(10n);
    expect(getPlan(chain.dev.state)).toMatchObject(plan);
    const shown = chain.dev.query(
      '/cosmos.gov.v1beta1.Query/Proposal',
      olderQuery.QueryProposalRequestSchema,
      { proposalId: 2n },
      olderQuery.QueryProposalResponseSchema,
    );
    expect(shown.proposal?.content?.typeUrl).toBe('/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal');
    expect(
      send(chain, { content: any(CancelSoftwareUpgradeProposalSchema, { title: 't', description: 'd' }) }),
    ).toEqual(SUCCESS);
    vote(chain, 0, YES, 3n);
    chain.pass(10n);
    expect(getPlan(chain.dev.state)).toBeUndefined();
  });

  it('panic in evmd when they have no content', () => {
    const { router } = contextOf(new DevChain());
    for (const [version, refused] of [
      [evmd, `recovered: ${NIL_POINTER}: panic`],
      [chronicle, 'missing content: invalid proposal content'],
    ] as const)
      expect(() => readContent({ router, version }, undefined)).toThrow(refused);
  });

  it('are refused when the content fails, is missing, or has no title or description', () => {
    const chain = new GovChain();
    chain.pass(1n);
    const upgrade = (of: Partial<typeof plan>) =>
      any(SoftwareUpgradeProposalSchema, { title: 't', description: 'd', plan: { ...plan, ...of } });
    expect(send(chain, { content: upgrade({ height: 1n }) })).toMatchObject({ code: 5, codespace: 'gov' });
    // content that is invalid by itself keeps its own error
    expect(send(chain, { content: upgrade({ name: '' }) })).toMatchObject({ code: 18, codespace: 'sdk' });
    expect(send(chain, {})).toMatchObject({ log: refusal('missing content: invalid proposal content') });
    expect(send(chain, { content: any(TextProposalSchema, { title: ' ', description: 'd' }) })).toMatchObject({
      log: refusal('proposal title cannot be blank: invalid proposal content'),
    });
    expect(send(chain, { content: any(TextProposalSchema, { title: 't' }) })).toMatchObject({
      log: refusal('proposal description cannot be blank: invalid proposal content'),
    });
  });

  it('panic in a preset with the rules of evmd, and the fee is taken', () => {
    const chain = new GovChain({}, { ...govVersion(), rules: new Map([gov]) });
    const before = chain.balance(account(0).address);
    expect(send(chain, { content: any(TextProposalSchema, { title: 't', description: 'd' }) })).toEqual({
      code: 111222,
      codespace: 'undefined',
      log: 'recovered: runtime error: invalid memory address or nil pointer dereference: panic',
    });
    expect(chain.balance(account(0).address)).toBeLessThan(before);
  });

  it('accept votes and deposits of v1beta1', () => {
    const chain = new GovChain();
    submit(chain, 0, { initialDeposit: achr(500n) });
    const [voter, half] = [account(0).address, (10n ** 18n / 2n).toString()];
    expect(chain.send(0, older.MsgDepositSchema, { proposalId: 1n, depositor: voter, amount: achr(500n) })).toEqual(
      SUCCESS,
    );
    expect(chain.send(0, older.MsgVoteSchema, { proposalId: 1n, voter, option: 1 })).toEqual(SUCCESS);
    const options = [
      { option: 1, weight: half },
      { option: 3, weight: half },
    ];
    expect(chain.send(0, older.MsgVoteWeightedSchema, { proposalId: 1n, voter, options })).toEqual(SUCCESS);
    const { vote: cast } = chain.dev.query(
      '/cosmos.gov.v1beta1.Query/Vote',
      olderQuery.QueryVoteRequestSchema,
      { proposalId: 1n, voter },
      olderQuery.QueryVoteResponseSchema,
    );
    expect(cast?.options).toMatchObject(options);
  });
});

describe('hooks of governance', () => {
  it('are called at each step', () => {
    const calls: string[] = [];
    const chain = new GovChain(
      {},
      govVersion({
        hooks: {
          staking: [],
          ethereum: [],
          gov: [
            {
              afterProposalSubmission: (_, id) => calls.push(`submitted ${id}`),
              afterProposalDeposit: (_, id) => calls.push(`deposit ${id}`),
              afterProposalVote: (_, id) => calls.push(`vote ${id}`),
              afterProposalFailedMinDeposit: (_, id) => calls.push(`failed ${id}`),
              afterProposalVotingPeriodEnded: (_, id) => calls.push(`ended ${id}`),
            },
          ],
        },
      }),
    );
    submit(chain);
    submit(chain, 0, { initialDeposit: achr(500n) });
    vote(chain, 0, YES);
    chain.pass(30n);
    expect(calls).toEqual(['submitted 1', 'deposit 1', 'submitted 2', 'deposit 2', 'vote 1', 'failed 2', 'ended 1']);
  });
});

describe('the genesis of governance', () => {
  it('is exported and imported with the same rows', () => {
    const chain = new GovChain();
    submit(chain, 0, { messages: [any(MsgUpdateParamsSchema, { authority: GOV, params: {} })] });
    submit(chain, 1, { initialDeposit: achr(100n) });
    vote(chain, 0, YES);
    const version = govVersion();
    const { state } = chain.dev;
    const sections = exportGenesis(state, { version, chain: chainConfig, crypto, at: chain.dev.at() });
    const again = new DevChain(
      { version },
      4,
      true,
      Object.fromEntries(
        ['auth', 'bank', 'distribution', 'evm', 'gov', 'slashing', 'staking'].map((name) => [name, sections[name]]),
      ),
    );
    const rows = (reader: StateReader) =>
      Array.from(reader.range('gov', {}), ({ key, value }) => `${toHex(key)} ${toHex(value)}`);
    expect(rows(again.state)).toEqual(rows(state));
    expect(rows(state).length).toBeGreaterThan(8);
  });

  it.each([
    ['a starting proposal id of 0', { starting_proposal_id: '0' }, 'starting proposal id must be greater than 0'],
    [
      'a quorum above 1',
      { starting_proposal_id: '1', params: { ...PARAMS, quorum: '1.5' } },
      'app_state.gov.params: quorom too large: 1.5',
    ],
    [
      'a vote on an unknown proposal',
      { starting_proposal_id: '1', votes: [{ proposal_id: '4', voter: account(0).address }] },
      'app_state.gov.votes: has non-existent proposal id: 4',
    ],
  ])('with %s is refused', (_, section, message) => {
    expect(() => new DevChain({ version: govVersion() }, 4, true, { gov: section })).toThrow(message);
  });
});
