/** Transactions of staking, distribution, slashing, authz, feegrant and vesting: their messages and errors. */
import { expect, test } from 'vitest';
import { runCli } from './support.js';

const [DEV0, DEV1] = ['chron17w0adeg64ky0daxwd2ugyuneellmjgnxhhzugr', 'chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9'];
const [VAL0, VAL1] = [
  'chronvaloper17w0adeg64ky0daxwd2ugyuneellmjgnxwj0rr8',
  'chronvaloper1wzvhjux9rqfdcwspp37srdgwp5tac7wgxetuhp',
];
const PRINTED = ['--from', 'dev0', '--generate-only', '--offline', '--gas', '200000'];
const KEY = { '@type': '/cosmos.crypto.ed25519.PubKey', key: 'oWg2ISpLF405Jcm2vXV+2v4fnjodh6aafuIdeoW+rUw=' };
const VALIDATOR = { pubkey: KEY, amount: '5chr', moniker: 'm' };
const coin = (amount: string) => ({ denom: 'achr', amount });
const FILES = new Map(
  Object.entries({
    'validator.json': { ...VALIDATOR, amount: '5achr', security: 's', 'commission-rate': '0.05' },
    'no-moniker.json': { ...VALIDATOR, amount: '5achr', moniker: '' },
    'no-amount.json': { pubkey: KEY, moniker: 'm' },
    'rate.json': { ...VALIDATOR, amount: '5achr', 'commission-rate': 'a lot' },
    'least.json': { ...VALIDATOR, amount: '5achr', 'min-self-delegation': '0' },
    'key.json': { ...VALIDATOR, amount: '5achr', pubkey: { '@type': '/cosmos.crypto.secp256k1.PubKey', key: '' } },
    'periods.json': { start_time: 7, periods: [{ coins: '3achr', length_seconds: 60 }] },
    'no-periods.json': { start_time: 7 },
    'long.json': { start_time: 7, periods: [{ coins: '3achr', length_seconds: -1 }] },
  }).map(([name, value]): [string, string] => [name, JSON.stringify(value)]),
);

/** The messages of the transaction that a command of dev0 makes, after the files that it reads were written. */
async function made(words: readonly string[]): Promise<readonly unknown[]> {
  const texts = new Map(FILES);
  if (words.includes('sends.json')) {
    const send = await runCli(['tx', 'bank', 'send', 'dev1', 'dev0', '7achr', ...PRINTED.slice(2)]);
    texts.set('sends.json', send.stdout);
  }
  const run = await runCli(['tx', ...words, ...PRINTED], { texts });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return (JSON.parse(run.stdout) as { readonly body: { readonly messages: readonly unknown[] } }).body.messages;
}

const staking = (name: string, fields: object) => ({ '@type': `/cosmos.staking.v1beta1.Msg${name}`, ...fields });
const distribution = (name: string, fields: object) => ({
  '@type': `/cosmos.distribution.v1beta1.Msg${name}`,
  ...fields,
});
const granted = (authorization: object, grant: object = {}) => ({
  '@type': '/cosmos.authz.v1beta1.MsgGrant',
  granter: DEV0,
  grantee: DEV1,
  grant: { authorization, expiration: null, ...grant },
});
const allowed = (allowance: object) => ({
  '@type': '/cosmos.feegrant.v1beta1.MsgGrantAllowance',
  granter: DEV0,
  grantee: DEV1,
  allowance,
});
const vesting = (name: string, fields: object) => ({
  '@type': `/cosmos.vesting.v1beta1.MsgCreate${name}`,
  from_address: DEV0,
  to_address: DEV1,
  ...fields,
});
const BASIC = {
  '@type': '/cosmos.feegrant.v1beta1.BasicAllowance',
  spend_limit: [coin('5')],
  expiration: '2030-01-02T03:04:05Z',
};

test.each<[readonly string[], object]>([
  [
    ['staking', 'delegate', VAL1, '5achr'],
    staking('Delegate', { delegator_address: DEV0, validator_address: VAL1, amount: coin('5') }),
  ],
  // an operator is also named by its account
  [
    ['staking', 'unbond', 'dev1', '5achr'],
    staking('Undelegate', { delegator_address: DEV0, validator_address: VAL1, amount: coin('5') }),
  ],
  [
    ['staking', 'redelegate', DEV0, VAL1, '5achr'],
    staking('BeginRedelegate', {
      delegator_address: DEV0,
      validator_src_address: VAL0,
      validator_dst_address: VAL1,
      amount: coin('5'),
    }),
  ],
  [
    ['staking', 'cancel-unbond', VAL1, '5achr', '42'],
    staking('CancelUnbondingDelegation', { validator_address: VAL1, amount: coin('5'), creation_height: '42' }),
  ],
  [
    ['staking', 'create-validator', 'validator.json'],
    staking('CreateValidator', {
      description: { moniker: 'm', identity: '', website: '', security_contact: 's', details: '' },
      commission: {
        rate: '0.050000000000000000',
        max_rate: '0.200000000000000000',
        max_change_rate: '0.010000000000000000',
      },
      min_self_delegation: '1',
      validator_address: VAL0,
      pubkey: KEY,
      value: coin('5'),
    }),
  ],
  [
    ['staking', 'edit-validator', '--new-moniker', 'n', '--commission-rate', '0.1'],
    staking('EditValidator', {
      description: { moniker: 'n', identity: '[do-not-modify]' },
      validator_address: VAL0,
      commission_rate: '0.100000000000000000',
      min_self_delegation: null,
    }),
  ],
  [
    ['distribution', 'withdraw-rewards', VAL0],
    distribution('WithdrawDelegatorReward', { delegator_address: DEV0, validator_address: VAL0 }),
  ],
  [
    ['distribution', 'withdraw-validator-commission', 'dev0'],
    distribution('WithdrawValidatorCommission', { validator_address: VAL0 }),
  ],
  [
    ['distribution', 'set-withdraw-addr', 'dev1'],
    distribution('SetWithdrawAddress', { delegator_address: DEV0, withdraw_address: DEV1 }),
  ],
  [
    ['distribution', 'fund-community-pool', '3achr,4b12'],
    distribution('FundCommunityPool', { depositor: DEV0, amount: [coin('3'), { denom: 'b12', amount: '4' }] }),
  ],
  [
    ['distribution', 'fund-validator-rewards-pool', VAL1, '3achr'],
    distribution('DepositValidatorRewardsPool', { depositor: DEV0, validator_address: VAL1, amount: [coin('3')] }),
  ],
  [['slashing', 'unjail'], { '@type': '/cosmos.slashing.v1beta1.MsgUnjail', validator_addr: VAL0 }],
  [
    ['authz', 'grant', 'dev1', 'send', '--spend-limit', '5achr', '--allow-list', `dev0,${DEV1}`],
    granted({
      '@type': '/cosmos.bank.v1beta1.SendAuthorization',
      spend_limit: [coin('5')],
      allow_list: [DEV0, DEV1],
    }),
  ],
  [
    ['authz', 'grant', 'dev1', 'generic', '--msg-type', '/cosmos.gov.v1.MsgVote', '--expiration', '4000000000'],
    granted(
      { '@type': '/cosmos.authz.v1beta1.GenericAuthorization', msg: '/cosmos.gov.v1.MsgVote' },
      { expiration: '2096-10-02T07:06:40Z' },
    ),
  ],
  [
    ['authz', 'grant', 'dev1', 'redelegate', '--deny-validators', `dev0,${VAL1}`, '--spend-limit', '9achr'],
    granted({
      '@type': '/cosmos.staking.v1beta1.StakeAuthorization',
      max_tokens: coin('9'),
      deny_list: { address: [VAL0, VAL1] },
      authorization_type: 'AUTHORIZATION_TYPE_REDELEGATE',
    }),
  ],
  [
    ['authz', 'revoke', 'dev1', '/cosmos.gov.v1.MsgVote'],
    {
      '@type': '/cosmos.authz.v1beta1.MsgRevoke',
      granter: DEV0,
      grantee: DEV1,
      msg_type_url: '/cosmos.gov.v1.MsgVote',
    },
  ],
  [
    ['authz', 'exec', 'sends.json'],
    {
      '@type': '/cosmos.authz.v1beta1.MsgExec',
      grantee: DEV0,
      msgs: [{ '@type': '/cosmos.bank.v1beta1.MsgSend', from_address: DEV1, to_address: DEV0, amount: [coin('7')] }],
    },
  ],
  [
    ['feegrant', 'grant', 'dev0', 'dev1', '--spend-limit', '5achr', '--expiration', '2030-01-02T03:04:05Z'],
    allowed(BASIC),
  ],
  [
    [
      'feegrant',
      'grant',
      'dev0',
      'dev1',
      '--period',
      '3600',
      '--period-limit',
      '2achr',
      '--allowed-messages',
      '/a.B,/c.D',
    ],
    allowed({
      '@type': '/cosmos.feegrant.v1beta1.AllowedMsgAllowance',
      allowance: {
        '@type': '/cosmos.feegrant.v1beta1.PeriodicAllowance',
        basic: { spend_limit: [], expiration: null },
        period: '3600s',
        period_spend_limit: [coin('2')],
        period_can_spend: [coin('2')],
      },
      allowed_messages: ['/a.B', '/c.D'],
    }),
  ],
  [
    ['feegrant', 'revoke', 'dev0', 'dev1'],
    { '@type': '/cosmos.feegrant.v1beta1.MsgRevokeAllowance', granter: DEV0, grantee: DEV1 },
  ],
  [['feegrant', 'prune'], { '@type': '/cosmos.feegrant.v1beta1.MsgPruneAllowances', pruner: DEV0 }],
  [
    ['vesting', 'create-vesting-account', 'dev1', '3achr', '1999999999', '--delayed'],
    vesting('VestingAccount', { amount: [coin('3')], end_time: '1999999999', delayed: true }),
  ],
  [
    ['vesting', 'create-permanent-locked-account', 'dev1', '3achr'],
    vesting('PermanentLockedAccount', { amount: [coin('3')] }),
  ],
  [
    ['vesting', 'create-periodic-vesting-account', 'dev1', 'periods.json'],
    vesting('PeriodicVestingAccount', { start_time: '7', vesting_periods: [{ length: '60', amount: [coin('3')] }] }),
  ],
])('tx %j makes its message', async (words, message) => {
  expect(await made(words)).toMatchObject([message]);
});

test('withdraw-rewards --commission withdraws rewards and commission together', async () => {
  expect(await made(['distribution', 'withdraw-rewards', VAL0, '--commission'])).toMatchObject([
    { '@type': '/cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward' },
    { '@type': '/cosmos.distribution.v1beta1.MsgWithdrawValidatorCommission', validator_address: VAL0 },
  ]);
});

test.each([
  [['staking', 'delegate', 'nobody', '5achr'], 'key not found: nobody'],
  [['staking', 'delegate', VAL1.replace('1w', '1z'), '5achr'], 'its checksum is wrong'],
  [['staking', 'delegate', VAL1, '5achr,6b12'], 'is not one coin'],
  [['staking', 'delegate', VAL1, '-5achr'], 'unknown option'],
  [['staking', 'delegate', VAL1], "missing required argument 'amount'"],
  [['staking', 'redelegate', VAL0, '0x12', '5achr'], 'expected 0x and 40 hexadecimal digits'],
  [['staking', 'cancel-unbond', VAL1, '5achr', 'x'], 'creation-height: "x" is not a whole number'],
  [['staking', 'create-validator', 'absent.json'], 'cannot read absent.json'],
  [['staking', 'create-validator', 'no-moniker.json'], 'must specify the moniker name'],
  [['staking', 'create-validator', 'no-amount.json'], 'must specify amount of coins to bond'],
  [['staking', 'create-validator', 'rate.json'], 'commission-rate is not a decimal'],
  [['staking', 'create-validator', 'least.json'], 'minimum self delegation must be a positive integer'],
  [['staking', 'create-validator', 'key.json'], 'pubkey must be'],
  [['staking', 'edit-validator', '--commission-rate', 'x'], '--commission-rate: x is not a decimal'],
  [['staking', 'edit-validator', '--min-self-delegation', '1.5'], '--min-self-delegation: "1.5" is not a whole number'],
  [['distribution', 'withdraw-rewards', 'nobody'], 'key not found: nobody'],
  [['distribution', 'set-withdraw-addr', 'nobody'], 'key not found: nobody'],
  [['distribution', 'fund-community-pool', 'coins'], 'invalid coins'],
  [['authz', 'grant', 'dev1', 'vote'], 'invalid authorization type, vote'],
  [['authz', 'grant', 'dev1', 'send'], '--spend-limit is needed here'],
  [['authz', 'grant', 'dev1', 'send', '--spend-limit', '0achr'], 'spend-limit should be greater than zero'],
  [['authz', 'grant', 'dev1', 'generic'], '--msg-type is needed here'],
  [['authz', 'grant', 'dev1', 'delegate'], 'one of --allowed-validators and --deny-validators'],
  [['authz', 'grant', 'dev1', 'delegate', '--allowed-validators', 'nobody'], 'key not found: nobody'],
  [
    ['authz', 'grant', 'dev1', 'delegate', '--allowed-validators', VAL0, '--spend-limit', '1a12,2b12'],
    'for a stake of one coin',
  ],
  [['authz', 'grant', 'dev1', 'send', '--spend-limit', '5achr', '--expiration', 'soon'], '--expiration: "soon" is not'],
  [['authz', 'exec', 'absent.json'], 'cannot read absent.json'],
  [['feegrant', 'grant', 'dev0', 'dev1', '--expiration', 'soon'], '--expiration: soon is no RFC 3339 time'],
  [['feegrant', 'grant', 'dev0', 'dev1', '--period', '60'], '--period and --period-limit go together'],
  [['feegrant', 'grant', 'dev0', 'dev1', '--period-limit', '5achr'], '--period and --period-limit go together'],
  [['feegrant', 'grant', 'dev0', 'dev1', '--spend-limit', 'much'], '--spend-limit: invalid coins'],
  [['vesting', 'create-vesting-account', 'dev1', '3achr', 'soon'], 'end_time: "soon" is not a whole number'],
  [['vesting', 'create-periodic-vesting-account', 'dev1', 'no-periods.json'], 'periods is not a list'],
  [['vesting', 'create-periodic-vesting-account', 'dev1', 'long.json'], 'length_seconds'],
])('tx %j is refused before anything is signed', async (words, reason) => {
  const run = await runCli(['tx', ...words, ...PRINTED], { texts: new Map(FILES) });
  expect(run.code).not.toBe(0);
  expect(run.stdout).toBe('');
  expect(run.stderr).toContain(reason);
});

test('tx staking delegate signs in amino JSON', async () => {
  const flags = ['--offline', '-a', '0', '-s', '0', '--chain-id', 'c', '--gas', '200000', '-y', '--sign-mode'];
  const run = await runCli(['tx', 'staking', 'delegate', VAL1, '5achr', '--from', 'dev0', ...flags, 'amino-json']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(run.stdout)).toMatchObject({
    auth_info: { signer_infos: [{ mode_info: { single: { mode: 'SIGN_MODE_LEGACY_AMINO_JSON' } } }] },
  });
});
