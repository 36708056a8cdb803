/** Commands that submit a proposal with a message of a module, and `tx gov draft-proposal`. */
import { expect, test } from 'vitest';
import { runCli } from './support.js';

const GOV = 'chron10d07y265gmmuvt4z0w9aw880jnsr700jwg2t4s';
const DEV0 = 'chron17w0adeg64ky0daxwd2ugyuneellmjgnxhhzugr';
const PRINTED = ['--from', 'dev0', '--generate-only', '--offline', '--gas', '200000'];
const TEXTS = ['--title', 't', '--summary', 's', '--deposit', '5achr'];
const MINT = {
  mint_denom: 'achr',
  inflation_rate_change: '0.13',
  inflation_max: '0.2',
  inflation_min: '0.07',
  goal_bonded: '0.67',
  blocks_per_year: '6311520',
};

/** The messages of the transaction that the words make. */
async function made(words: readonly string[], texts = new Map<string, string>()): Promise<readonly unknown[]> {
  const run = await runCli(['tx', ...words, ...PRINTED], { texts });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return (JSON.parse(run.stdout) as { readonly body: { readonly messages: readonly unknown[] } }).body.messages;
}

test.each([
  [
    ['auth', 'update-params-proposal', '{"max_memo_characters":"9","tx_sig_limit":"7"}'],
    { '@type': '/cosmos.auth.v1beta1.MsgUpdateParams', params: { max_memo_characters: '9', tx_sig_limit: '7' } },
  ],
  [
    ['bank', 'update-params-proposal', '{"default_send_enabled":true}'],
    { '@type': '/cosmos.bank.v1beta1.MsgUpdateParams', params: { default_send_enabled: true } },
  ],
  [
    ['bank', 'set-send-enabled-proposal', '{"denom":"a","enabled":true}', '{"denom":"b"}', '--use-default-for', 'c,d'],
    {
      '@type': '/cosmos.bank.v1beta1.MsgSetSendEnabled',
      send_enabled: [
        { denom: 'a', enabled: true },
        { denom: 'b', enabled: false },
      ],
      use_default_for: ['c', 'd'],
    },
  ],
  [
    [
      'consensus',
      'update-params-proposal',
      '{"block":{"max_bytes":"9","max_gas":"8"},"evidence":{"max_age_num_blocks":"1","max_age_duration":"48h0m0s"},"validator":{"pub_key_types":["ed25519"]},"version":{},"abci":{}}',
    ],
    {
      '@type': '/cosmos.consensus.v1.MsgUpdateParams',
      block: { max_bytes: '9', max_gas: '8' },
      evidence: { max_age_num_blocks: '1', max_age_duration: '172800s', max_bytes: '0' },
      validator: { pub_key_types: ['ed25519'] },
    },
  ],
  [
    ['distribution', 'update-params-proposal', '{"community_tax":"0.02","withdraw_addr_enabled":true}'],
    {
      '@type': '/cosmos.distribution.v1beta1.MsgUpdateParams',
      params: { community_tax: '0.020000000000000000', withdraw_addr_enabled: true },
    },
  ],
  [
    ['distribution', 'community-pool-spend-proposal', 'dev0', '7achr'],
    {
      '@type': '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
      recipient: DEV0,
      amount: [{ denom: 'achr', amount: '7' }],
    },
  ],
  [
    ['feemarket', 'update-params', '--params', '{"no_base_fee":true,"base_fee":"5.5"}'],
    { '@type': '/cosmos.evm.feemarket.v1.MsgUpdateParams', params: { no_base_fee: true } },
  ],
  [
    ['mint', 'update-params-proposal', JSON.stringify(MINT)],
    { '@type': '/cosmos.mint.v1beta1.MsgUpdateParams', params: { inflation_max: '0.200000000000000000' } },
  ],
  [
    ['slashing', 'update-params-proposal', '{"signed_blocks_window":"30","min_signed_per_window":"0.5"}'],
    {
      '@type': '/cosmos.slashing.v1beta1.MsgUpdateParams',
      params: { signed_blocks_window: '30', min_signed_per_window: '0.500000000000000000' },
    },
  ],
  [['upgrade', 'cancel-upgrade-proposal'], { '@type': '/cosmos.upgrade.v1beta1.MsgCancelUpgrade' }],
] as const)('tx %j submits a proposal with its message', async (words, message) => {
  expect(await made([...words, ...TEXTS])).toMatchObject([
    {
      '@type': '/cosmos.gov.v1.MsgSubmitProposal',
      messages: [{ ...message, authority: GOV }],
      initial_deposit: [{ denom: 'achr', amount: '5' }],
      proposer: DEV0,
      title: 't',
      summary: 's',
    },
  ]);
});

test('update-params-proposal also reads parameters from a file', async () => {
  const texts = new Map([['mint.json', JSON.stringify(MINT)]]);
  expect(await made(['mint', 'update-params-proposal', 'mint.json', ...TEXTS], texts)).toEqual(
    await made(['mint', 'update-params-proposal', JSON.stringify(MINT), ...TEXTS]),
  );
});

test('with --no-proposal the signer is the authority', async () => {
  expect(await made(['upgrade', 'cancel-upgrade-proposal', '--no-proposal'])).toEqual([
    { '@type': '/cosmos.upgrade.v1beta1.MsgCancelUpgrade', authority: DEV0 },
  ]);
});

test.each([
  [['mint', 'update-params-proposal', '{"mint_denom":"achr"}'], '--title is needed here'],
  [['mint', 'update-params-proposal', '{', ...TEXTS], 'params: '],
  [['mint', 'update-params-proposal', '{"inflation_max":"much"}', ...TEXTS], 'inflation_max: much is not a decimal'],
  [['mint', 'update-params-proposal', '{"nothing":1}', ...TEXTS], 'key "nothing" is unknown'],
  [['mint', 'update-params-proposal', 'absent.json', ...TEXTS], 'cannot read absent.json'],
  [['consensus', 'update-params-proposal', '[]', ...TEXTS], 'params: a JSON object is expected'],
  [['bank', 'set-send-enabled-proposal', ...TEXTS], 'an entry of send_enabled, or --use-default-for'],
  [['distribution', 'community-pool-spend-proposal', 'dev0', 'much', ...TEXTS], 'invalid coins'],
  [['distribution', 'community-pool-spend-proposal', 'nobody', '1achr', ...TEXTS], 'nobody'],
  [['feemarket', 'update-params', ...TEXTS], "required option '--params <json>'"],
])('tx %j is refused before anything is signed', async (words, reason) => {
  const run = await runCli(['tx', ...words, ...PRINTED]);
  expect(run.code).not.toBe(0);
  expect(run.stdout).toBe('');
  expect(run.stderr).toContain(reason);
});

test('tx evidence says that no kind of evidence can be submitted', async () => {
  const run = await runCli(['tx', 'evidence']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain('no kind of them can be submitted');
});

/** Runs `tx gov draft-proposal` with these answers. */
async function draft(answers: readonly string[], ...flags: readonly string[]) {
  const texts = new Map<string, string>();
  const run = await runCli(['tx', 'gov', 'draft-proposal', '--offline', ...flags], { texts, input: answers });
  const written = (file: string): unknown => JSON.parse(texts.get(file) ?? 'null');
  return { run, proposal: written('draft_proposal.json'), metadata: written('draft_metadata.json') };
}

test('draft-proposal writes a proposal that submit-proposal reads', async () => {
  const { run, proposal, metadata } = await draft([
    'software-upgrade',
    ...['t', 'an author', 's', 'd', 'https://f', 'o'],
    '5achr',
    '',
  ]);
  expect(run).toMatchObject({ code: 0, stdout: '' });
  const plan = { name: '', time: '0001-01-01T00:00:00Z', height: '0', info: '', upgraded_client_state: null };
  expect(proposal).toEqual({
    messages: [{ '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade', authority: GOV, plan }],
    metadata: 'ipfs://CID',
    deposit: '5achr',
    title: 't',
    summary: 's',
    expedited: false,
  });
  expect(metadata).toEqual({
    title: 't',
    authors: ['an author'],
    summary: 's',
    details: 'd',
    proposal_forum_url: 'https://f',
    vote_option_context: 'o',
  });
  const texts = new Map([['draft_proposal.json', JSON.stringify(proposal)]]);
  expect(await made(['gov', 'submit-proposal', 'draft_proposal.json'], texts)).toMatchObject([
    { messages: [{ authority: GOV }], title: 't', initial_deposit: [{ amount: '5' }] },
  ]);
});

test('draft-proposal drafts any message type, and skips metadata with --skip-metadata', async () => {
  const { run, proposal, metadata } = await draft(
    ['other', '/cosmos.gov.v1.MsgVote', 't', 's', '5achr', '3', 'dev0', 'why'],
    '--skip-metadata',
  );
  expect(run.code).toBe(0);
  expect(proposal).toMatchObject({
    messages: [{ '@type': '/cosmos.gov.v1.MsgVote', proposal_id: '3', voter: DEV0, metadata: 'why' }],
  });
  expect(metadata).toBeNull();
});

test.each([
  [[], 'Select proposal type'],
  [['nonsense'], 'proposal type: one of text, community-pool-spend'],
  [['other', '/no.Msg'], 'no type of a message: /no.Msg'],
  [['text', ''], 'Enter proposal title: the answer is empty'],
  [['text', 't', 's', 'coins'], 'deposit: invalid coins'],
  [['community-pool-spend', 't', 's', '5achr', '', 'nobody'], 'nobody'],
])('draft-proposal writes nothing for the invalid answers %j', async (answers, reason) => {
  const { run, proposal } = await draft(answers, '--skip-metadata');
  expect(run.code).not.toBe(0);
  expect(run.stderr).toContain(reason);
  expect(proposal).toBeNull();
});
