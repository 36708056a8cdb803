/** Listeners of gov that throw: messages fail, but at the end of a block the proposal ends as without them. */
import { expect, it } from 'vitest';
import { VoteOption } from '../../../../src/core/proto/cosmos/gov/v1/gov_pb.js';
import * as pb from '../../../../src/core/proto/cosmos/gov/v1/tx_pb.js';
import type { GovHooks } from '../../../../src/core/sdk/module/hooks.js';
import { account } from '../dev-chain.js';
import { achr, GovChain, govVersion, type Sent } from '../../modules/gov/gov-chain.js';
import { toHex } from '../support.js';
import { isHalfDone, refuseHalfway } from './listener.js';

const REFUSED = {
  code: 1,
  codespace: 'undefined',
  log: 'failed to execute message; message index: 0: the listener refuses',
};
const SUCCESS = { code: 0, codespace: '', log: '' };
const version = (gov: GovHooks) => govVersion({ hooks: { staking: [], gov: [gov], ethereum: [] } });
const submit = (chain: GovChain, amount = 100n): Sent =>
  chain.send(0, pb.MsgSubmitProposalSchema, {
    proposer: account(0).address,
    initialDeposit: achr(amount),
    title: 'a title',
    summary: 'a summary',
    metadata: 'ipfs://x',
  });
const deposit = (chain: GovChain): Sent =>
  chain.send(1, pb.MsgDepositSchema, { proposalId: 1n, depositor: account(1).address, amount: achr(900n) });
const vote = (chain: GovChain): Sent =>
  chain.send(0, pb.MsgVoteSchema, { proposalId: 1n, voter: account(0).address, option: VoteOption.YES });
const rows = (chain: GovChain): readonly string[] =>
  Array.from(chain.dev.state.range('gov', {}), ({ key, value }) => `${toHex(key)} ${toHex(value)}`);

const messages: readonly (readonly [
  keyof GovHooks,
  readonly ((chain: GovChain) => Sent)[],
  (chain: GovChain) => Sent,
])[] = [
  ['afterProposalSubmission', [], submit],
  ['afterProposalDeposit', [], submit],
  ['afterProposalDeposit', [submit], deposit],
  ['afterProposalVote', [submit, deposit], vote],
];
it.each(messages)(
  'a gov message fails and changes only the fee when the listener throws in %s (%#)',
  (hook, before, send) => {
    let refuses = false;
    const chain = new GovChain(
      {},
      version({ [hook]: (context: Parameters<typeof refuseHalfway>[0]) => refuses && refuseHalfway(context) }),
    );
    for (const one of before) expect(one(chain)).toEqual(SUCCESS);
    const [at, balances] = [rows(chain), [0, 1].map((index) => chain.balance(account(index).address))];
    refuses = true;
    expect(send(chain)).toEqual(REFUSED);
    expect(rows(chain)).toEqual(at);
    expect(isHalfDone(chain.dev.state)).toBe(false);
    // Only the fee is spent.
    const fee = 1_000_000n * 2_000_000_000n;
    const spent = [0, 1].map((index) => (balances[index] ?? 0n) - chain.balance(account(index).address));
    expect(spent.filter((amount) => amount !== 0n)).toEqual([fee]);
    refuses = false;
    expect(send(chain)).toEqual(SUCCESS);
    expect(chain.brokenInvariants()).toEqual([]);
  },
);

it.each([
  ['afterProposalFailedMinDeposit', 20n, 'inactive_proposal 1 | proposal_dropped', [submit]],
  ['afterProposalVotingPeriodEnded', 10n, 'active_proposal 1 | proposal_passed | passed', [submit, deposit, vote]],
] as const)('a proposal ends as usual when the listener throws in %s', (hook, seconds, event, before) => {
  const play = (gov: GovHooks): readonly string[] => {
    const chain = new GovChain({}, version(gov));
    for (const one of before) expect(one(chain)).toEqual(SUCCESS);
    expect(chain.pass(seconds)).toEqual([event]);
    expect(isHalfDone(chain.dev.state)).toBe(false);
    expect(chain.brokenInvariants()).toEqual([]);
    return rows(chain);
  };
  let calls = 0;
  const refusing = (context: Parameters<typeof refuseHalfway>[0]): never => {
    calls += 1;
    return refuseHalfway(context);
  };
  expect(play({ [hook]: refusing })).toEqual(play({}));
  expect(calls).toBe(1);
});
