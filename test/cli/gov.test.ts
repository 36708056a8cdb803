import { expect, test } from 'vitest';
import { runCli } from './support.js';

const GOV = 'chron10d07y265gmmuvt4z0w9aw880jnsr700jwg2t4s';

/** The one message of the transaction that a command of dev0 makes. */
async function made(words: readonly string[], file?: object | string): Promise<unknown> {
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  const texts = new Map(file === undefined ? [] : [['proposal.json', text]]);
  const run = await runCli([...words, '--from', 'dev0', '--generate-only', '--offline', '--gas', '200000'], { texts });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const { body }: { readonly body: { readonly messages: readonly unknown[] } } = JSON.parse(run.stdout);
  expect(body.messages).toHaveLength(1);
  return body.messages[0];
}

test('submit-proposal reads a proposal from a file', async () => {
  const inner = { '@type': '/cosmos.upgrade.v1beta1.MsgCancelUpgrade', authority: GOV };
  const proposal = { messages: [inner], metadata: 'm', deposit: '5achr', title: 't', summary: 's', expedited: true };
  expect(await made(['tx', 'gov', 'submit-proposal', 'proposal.json'], proposal)).toMatchObject({
    '@type': '/cosmos.gov.v1.MsgSubmitProposal',
    messages: [inner],
    initial_deposit: [{ denom: 'achr', amount: '5' }],
    metadata: 'm',
    title: 't',
    summary: 's',
    expedited: true,
  });
});

test.each([
  ['MsgSoftwareUpgrade', '"plan":{"name":"n","height":9007199254740993}', { plan: { height: '9007199254740993' } }],
  ['MsgSoftwareUpgrade', '"plan":{"name":"n","info":"[9007199254740993]"}', { plan: { info: '[9007199254740993]' } }],
])('submit-proposal keeps large numbers exact: %s with %s', async (type, members, expected) => {
  const message = `{"@type":"/cosmos.upgrade.v1beta1.${type}","authority":"${GOV}",${members}}`;
  const text = `{"messages":[${message}],"deposit":"5achr","title":"t","summary":"s"}`;
  expect(await made(['tx', 'gov', 'submit-proposal', 'proposal.json'], text)).toMatchObject({ messages: [expected] });
});

test('submit-proposal reads decimals with a point and 18 digits', async () => {
  const params = {
    signed_blocks_window: '100',
    min_signed_per_window: '0.500000000000000001',
    downtime_jail_duration: '600s',
    slash_fraction_double_sign: '1',
    slash_fraction_downtime: '0.01',
  };
  const inner = { '@type': '/cosmos.slashing.v1beta1.MsgUpdateParams', authority: GOV, params };
  const proposal = (changed: object) => ({
    messages: [{ ...inner, params: { ...params, ...changed } }],
    deposit: '5achr',
    title: 't',
    summary: 's',
  });
  const command = ['tx', 'gov', 'submit-proposal', 'proposal.json'];
  expect(await made(command, proposal({}))).toMatchObject({
    messages: [
      {
        params: {
          min_signed_per_window: '0.500000000000000001',
          slash_fraction_double_sign: '1.000000000000000000',
          slash_fraction_downtime: '0.010000000000000000',
        },
      },
    ],
  });
  for (const wrong of ['0.0000000000000000001', '.5', '5.', '', 'half', 0.5]) {
    const texts = new Map([['proposal.json', JSON.stringify(proposal({ slash_fraction_downtime: wrong }))]]);
    const run = await runCli([...command, '--from', 'dev0', '--generate-only', '--offline'], { texts });
    expect(run, String(wrong)).toMatchObject({ code: 2, stderr: expect.stringContaining('slash_fraction_downtime') });
  }
});

test('submit-legacy-proposal takes a text proposal from flags or from a file', async () => {
  const expected = {
    '@type': '/cosmos.gov.v1beta1.MsgSubmitProposal',
    content: { '@type': '/cosmos.gov.v1beta1.TextProposal', title: 't', description: 'd' },
    initial_deposit: [{ denom: 'achr', amount: '5' }],
  };
  const command = ['tx', 'gov', 'submit-legacy-proposal'];
  const flags = ['--title', 't', '--description', 'd', '--type', 'Text', '--deposit', '5achr'];
  expect(await made([...command, ...flags])).toMatchObject(expected);
  const file = { title: 't', description: 'd', type: 'Text', deposit: '5achr' };
  expect(await made([...command, '--proposal', 'proposal.json'], file)).toMatchObject(expected);
});

test('submit-legacy-proposal makes upgrade and cancel-upgrade proposals', async () => {
  const command = ['tx', 'gov', 'submit-legacy-proposal'];
  const texts = ['--title', 't', '--description', 'd', '--deposit', '5achr'];
  const upgrade = ['software-upgrade', 'v2', '--upgrade-height', '100', '--upgrade-info', 'i'];
  expect(await made([...command, ...upgrade, ...texts])).toMatchObject({
    '@type': '/cosmos.gov.v1beta1.MsgSubmitProposal',
    content: {
      '@type': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
      title: 't',
      description: 'd',
      plan: { name: 'v2', height: '100', info: 'i', time: '0001-01-01T00:00:00Z' },
    },
    initial_deposit: [{ denom: 'achr', amount: '5' }],
  });
  expect(await made([...command, 'cancel-software-upgrade', ...texts])).toMatchObject({
    content: {
      '@type': '/cosmos.upgrade.v1beta1.CancelSoftwareUpgradeProposal',
      title: 't',
      description: 'd',
    },
  });
});

test('tx gov makes deposits, votes and cancellations', async () => {
  expect(await made(['tx', 'gov', 'deposit', '3', '7achr'])).toMatchObject({
    '@type': '/cosmos.gov.v1.MsgDeposit',
    proposal_id: '3',
    amount: [{ denom: 'achr', amount: '7' }],
  });
  expect(await made(['tx', 'gov', 'weighted-vote', '3', 'yes=0.6,no_with_veto=0.4'])).toMatchObject({
    '@type': '/cosmos.gov.v1.MsgVoteWeighted',
    options: [
      { option: 'VOTE_OPTION_YES', weight: '0.600000000000000000' },
      { option: 'VOTE_OPTION_NO_WITH_VETO', weight: '0.400000000000000000' },
    ],
  });
  expect(await made(['tx', 'gov', 'vote', '3', 'abstain', '--metadata', 'why'])).toMatchObject({
    '@type': '/cosmos.gov.v1.MsgVote',
    option: 'VOTE_OPTION_ABSTAIN',
    metadata: 'why',
  });
  expect(await made(['tx', 'gov', 'cancel-proposal', '3'])).toMatchObject({
    '@type': '/cosmos.gov.v1.MsgCancelProposal',
    proposal_id: '3',
  });
});

test('tx upgrade software-upgrade with a title submits a proposal', async () => {
  const command = ['tx', 'upgrade', 'software-upgrade', 'v2', '--upgrade-height', '100', '--title', 't'];
  expect(await made([...command, '--summary', 's', '--deposit', '5achr'])).toMatchObject({
    '@type': '/cosmos.gov.v1.MsgSubmitProposal',
    messages: [{ '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade', authority: GOV, plan: { name: 'v2' } }],
  });
});

test.each([
  [['vote', '3', 'maybe'], "'maybe' is not a valid vote option"],
  [['vote', 'x', 'yes'], 'proposal-id'],
  [['weighted-vote', '3', 'yes'], 'weight field does not exist for yes option'],
  [['submit-proposal', 'nothing.json'], 'cannot read nothing.json'],
  [['submit-legacy-proposal', '--type', 'Spend', '--title', 't'], 'unknown proposal type Spend'],
  [['submit-legacy-proposal', 'software-upgrade', '--title', 't'], 'the name of the plan is needed'],
  [['submit-legacy-proposal', 'software-upgrade', 'v2', '--title', 't'], '--upgrade-height is needed here'],
])('tx gov %j is refused', async (words, reason) => {
  const run = await runCli(['tx', 'gov', ...words, '--from', 'dev0', '--generate-only', '--offline']);
  expect(run.code).not.toBe(0);
  expect(run.stderr).toContain(reason);
});
