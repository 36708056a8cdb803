/** The life of proposals through public faces, with unmodified cosmjs. */
import { beforeAll, expect, it } from 'vitest';
import { MsgSendSchema } from '../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgCommunityPoolSpendSchema } from '../../src/core/proto/cosmos/distribution/v1beta1/tx_pb.js';
import { TextProposalSchema } from '../../src/core/proto/cosmos/gov/v1beta1/gov_pb.js';
import { CHR, coins, type DevChain, type Json, newAddress, packed, startDevChain } from './cosmos-wallets.js';

const GOV = 'chron10d07y265gmmuvt4z0w9aw880jnsr700jwg2t4s';
const [YES, NO, VETO] = [1, 3, 4];

let chain: DevChain;
let operator = '';
let delegator = '';
let proposer = '';
let validator = '';

beforeAll(async () => {
  chain = await startDevChain(3);
  [operator = '', delegator = '', proposer = ''] = chain.accounts;
  const { validators } = await chain.rest('/cosmos/staking/v1beta1/validators');
  validator = String((validators as readonly Json[])[0]?.['operator_address']);
});

const submit = (messages: readonly unknown[], initialDeposit: bigint, expedited = false) => ({
  typeUrl: '/cosmos.gov.v1.MsgSubmitProposal',
  value: {
    messages,
    initialDeposit: coins(initialDeposit),
    proposer,
    metadata: 'ipfs://CID',
    title: 'a title',
    summary: 'a summary',
    expedited,
  },
});
const deposit = (proposalId: bigint, depositor: string, amount: bigint) => ({
  typeUrl: '/cosmos.gov.v1.MsgDeposit',
  value: { proposalId, depositor, amount: coins(amount) },
});
const vote = (proposalId: bigint, voter: string, option: number | undefined) => ({
  typeUrl: '/cosmos.gov.v1.MsgVote',
  value: { proposalId, voter, option, metadata: '' },
});

/** The id of the proposal that a transaction submitted. */
async function submitted(...messages: Parameters<DevChain['send']>): Promise<bigint> {
  const { events } = await chain.send(...messages);
  const id = events
    .find(({ type }) => type === 'submit_proposal')
    ?.attributes.find(({ key }) => key === 'proposal_id')?.value;
  return BigInt(id ?? 'no id');
}

async function proposal(id: bigint): Promise<Json> {
  return (await chain.rest(`/cosmos/gov/v1/proposals/${id}`))['proposal'] as Json;
}

it('a proposal is deposited for, voted on with weights, tallied and executed', async () => {
  const receiver = await newAddress();
  await chain.send(proposer, {
    typeUrl: '/cosmos.distribution.v1beta1.MsgFundCommunityPool',
    value: { depositor: proposer, amount: coins(5n * CHR) },
  });
  await chain.send(delegator, {
    typeUrl: '/cosmos.staking.v1beta1.MsgDelegate',
    value: { delegatorAddress: delegator, validatorAddress: validator, amount: coins(500n * CHR)[0] },
  });
  const spend = packed(MsgCommunityPoolSpendSchema, { authority: GOV, recipient: receiver, amount: coins(3n * CHR) });
  const id = await submitted(proposer, submit([spend], 4n * CHR));
  expect(await proposal(id)).toMatchObject({ status: 'PROPOSAL_STATUS_DEPOSIT_PERIOD', title: 'a title' });
  await chain.refuse('inactive proposal', operator, vote(id, operator, YES));

  const before = await chain.balance(delegator);
  await chain.send(delegator, deposit(id, delegator, 6n * CHR));
  expect(await proposal(id)).toMatchObject({ status: 'PROPOSAL_STATUS_VOTING_PERIOD' });
  await chain.send(operator, vote(id, operator, YES));
  await chain.send(delegator, {
    typeUrl: '/cosmos.gov.v1.MsgVoteWeighted',
    value: {
      proposalId: id,
      voter: delegator,
      options: [
        { option: YES, weight: '0.6' },
        { option: NO, weight: '0.4' },
      ].map(({ option, weight }) => ({ option, weight: `${weight}00000000000000000` })),
      metadata: '',
    },
  });
  expect((await chain.rest(`/cosmos/gov/v1/proposals/${id}/tally`))['tally']).toEqual({
    yes_count: (1300n * CHR).toString(),
    abstain_count: '0',
    no_count: (200n * CHR).toString(),
    no_with_veto_count: '0',
  });
  await chain.pass(11);
  expect(await proposal(id)).toMatchObject({
    status: 'PROPOSAL_STATUS_PASSED',
    final_tally_result: { yes_count: (1300n * CHR).toString() },
    failed_reason: '',
  });
  expect(await chain.balance(receiver)).toBe(3n * CHR);
  // the deposit is refunded; two transactions paid fees
  expect(before - (await chain.balance(delegator))).toBeLessThan(CHR);
});

it('a v1beta1 text proposal is vetoed, and its deposit is burned', async () => {
  const before = await chain.balance(proposer);
  const id = await submitted(proposer, {
    typeUrl: '/cosmos.gov.v1beta1.MsgSubmitProposal',
    value: {
      content: packed(TextProposalSchema, { title: 'a text', description: 'of the old kind' }),
      initialDeposit: coins(10n * CHR),
      proposer,
    },
  });
  await chain.send(operator, vote(id, operator, VETO));
  await chain.pass(11);
  expect(await proposal(id)).toMatchObject({ status: 'PROPOSAL_STATUS_REJECTED' });
  expect(before - (await chain.balance(proposer))).toBeGreaterThanOrEqual(10n * CHR);
  await chain.refuse('inactive proposal', operator, vote(id, operator, YES));
});

it('a proposal whose message fails changes nothing and shows the reason', async () => {
  const receiver = await newAddress();
  const overdraw = packed(MsgSendSchema, { fromAddress: GOV, toAddress: receiver, amount: coins(10n ** 9n * CHR) });
  const id = await submitted(proposer, submit([overdraw], 50n * CHR, true));
  await chain.send(operator, vote(id, operator, YES));
  await chain.pass(6);
  expect(await proposal(id)).toMatchObject({
    status: 'PROPOSAL_STATUS_FAILED',
    failed_reason: expect.stringContaining('insufficient funds'),
  });
  expect(await chain.balance(receiver)).toBe(0n);
});

it('a message of another signer, a deposit in another denomination and one for no proposal are refused', async () => {
  const theft = packed(MsgSendSchema, { fromAddress: operator, toAddress: proposer, amount: coins(1n) });
  await chain.refuse('expected gov account as only signer', proposer, submit([theft], 10n * CHR));
  await chain.refuse("not found: key '999'", proposer, deposit(999n, proposer, CHR));
  const foreign = { ...submit([], CHR).value, initialDeposit: [{ denom: 'other', amount: '1' }] };
  await chain.refuse('invalid deposit denom', proposer, { ...submit([], CHR), value: foreign });
});
