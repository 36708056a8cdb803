/**
 * Runs each subcommand of `query` and `tx` against one dev chain, in this process. The lists are compared with the
 * command tables of the program: the test fails for a command that is in no list.
 */
import { encodeDeployData, getContractAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import { everyCommand } from '../cli/every-command.js';
import { runCli } from '../cli/support.js';
import { Token } from '../contracts/index.js';
import { encodeAddress } from '../../src/core/sdk/codec/address.js';
import { startDaemonProcess } from '../support/daemon.js';

const COMMANDS = await everyCommand();
const ALL = COMMANDS.map(({ path }) => path).filter((path) => /^(query|tx) /.test(path));

const DEV1 = 'chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9';
const DEV2_KEY = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';
const HEX1 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const COIN_TOKEN = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const KEY = { '@type': '/cosmos.crypto.ed25519.PubKey', key: 'oWg2ISpLF405Jcm2vXV+2v4fnjodh6aafuIdeoW+rUw=' };
const MINT =
  '{"mint_denom":"achr","inflation_rate_change":"0.13","inflation_max":"0.2","inflation_min":"0.07","goal_bonded":"0.67","blocks_per_year":"6311520"}';
const proposal = (...words: readonly string[]) => [...words, '--title', 't', '--summary', 's', '--deposit', '1chr'];
const dev0 = (...words: readonly string[]) => [...words, '--from', 'dev0'];

/** Runs a command against the dev chain. `input` has the lines of standard input. */
let run: (
  words: readonly string[],
  input?: readonly string[],
) => Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
const texts = new Map<string, string>();
const done = new Set<string>();

beforeAll(async () => {
  const { endpoints } = await startDaemonProcess({ args: ['--deterministic'] });
  const env = {
    CHRONICLED_NODE: endpoints.comet.replace(/^http/, 'tcp'),
    CHRONICLED_ETH_NODE: endpoints.eth_http ?? '',
  };
  const keys = new Map<string, string>();
  run = async (words, input = []) => {
    const path = ALL.filter((one) => `${words.join(' ')} `.startsWith(`${one} `)).toSorted(
      (a, b) => b.length - a.length,
    );
    if (path[0] !== undefined) done.add(path[0]);
    return runCli(words, { env, texts, keys, input });
  };
  texts.set('v.json', JSON.stringify({ pubkey: KEY, amount: '5000000000000000000achr', moniker: 'second' }));
  texts.set('periods.json', JSON.stringify({ start_time: 7, periods: [{ coins: '3achr', length_seconds: 60 }] }));
  const later = { start_time: 7, periods: [{ coins: '3achr', length_seconds: 4_000_000_000 }] };
  texts.set('later.json', JSON.stringify(later));
  texts.set(
    'p.json',
    JSON.stringify({ messages: [], metadata: 'm', deposit: '9chr', title: 't', summary: 's', expedited: false }),
  );
}, 60_000);

async function ok(...words: readonly string[]): Promise<string> {
  const ended = await run(words);
  expect(ended.code, `${words.join(' ')}: ${ended.stderr}${ended.stdout}`).toBe(0);
  expect(ended.stdout.length, words.join(' ')).toBeGreaterThan(2);
  return ended.stdout;
}

interface Sent {
  readonly code: number;
  readonly height: string;
  readonly txhash: string;
  readonly raw_log: string;
}

/** Sends a transaction and expects that its block executed it successfully. */
async function sent(...words: readonly string[]): Promise<Sent> {
  const answer: Sent = JSON.parse(await ok(...words, '-y', '-b', 'block'));
  expect(answer.code, `${words.join(' ')}: ${answer.raw_log}`).toBe(0);
  return answer;
}

test('tx staking, slashing and distribution commands succeed', async () => {
  await sent('tx', 'staking', 'create-validator', 'v.json', '--from', 'dev1');
  await sent(...dev0('tx', 'staking', 'delegate', 'dev1', '3chr'));
  await sent(...dev0('tx', 'staking', 'delegate', 'dev0', '3chr'));
  await sent('tx', 'staking', 'edit-validator', '--new-moniker', 'other', '--from', 'dev1');
  const { height } = await sent(...dev0('tx', 'staking', 'unbond', 'dev1', '2chr'));
  await sent(...dev0('tx', 'staking', 'cancel-unbond', 'dev1', '1chr', height));
  await sent(...dev0('tx', 'staking', 'redelegate', 'dev1', 'dev0', '1chr'));
  await ok('query', 'staking', 'redelegation', 'dev0', 'dev1', 'dev0');
  await ok('query', 'staking', 'unbonding-delegation', 'dev0', 'dev1');
  await sent(...dev0('tx', 'distribution', 'withdraw-rewards', 'dev0'));
  await sent(...dev0('tx', 'distribution', 'withdraw-all-rewards'));
  await sent(...dev0('tx', 'distribution', 'withdraw-validator-commission', 'dev0'));
  await sent(...dev0('tx', 'distribution', 'set-withdraw-addr', 'dev2'));
  await sent(...dev0('tx', 'distribution', 'fund-community-pool', '7achr'));
  await sent(...dev0('tx', 'distribution', 'fund-validator-rewards-pool', 'dev0', '7achr'));
});

test('tx authz, feegrant and vesting commands succeed', async () => {
  await sent(...dev0('tx', 'authz', 'grant', 'dev3', 'send', '--spend-limit', '5achr'));
  texts.set(
    'sends.json',
    await ok('tx', 'bank', 'send', 'dev0', 'dev1', '1achr', '--generate-only', '--gas', '200000'),
  );
  await sent('tx', 'authz', 'exec', 'sends.json', '--from', 'dev3');
  await ok('query', 'authz', 'grants', 'dev0', 'dev3');
  await ok('query', 'authz', 'grants-by-grantee', 'dev3');
  await ok('query', 'authz', 'grants-by-granter', 'dev0');
  await sent(...dev0('tx', 'authz', 'revoke', 'dev3', '/cosmos.bank.v1beta1.MsgSend'));
  await sent('tx', 'feegrant', 'grant', 'dev0', 'dev3', '--spend-limit', '5achr');
  await ok('query', 'feegrant', 'grant', 'dev0', 'dev3');
  await ok('query', 'feegrant', 'grants-by-grantee', 'dev3');
  await ok('query', 'feegrant', 'grants-by-granter', 'dev0');
  await sent('tx', 'feegrant', 'revoke', 'dev0', 'dev3');
  await sent(...dev0('tx', 'feegrant', 'prune'));
  const to = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;
  await sent(...dev0('tx', 'vesting', 'create-vesting-account', to(0xa1), '3achr', '1999999999'));
  await sent(...dev0('tx', 'vesting', 'create-permanent-locked-account', to(0xa2), '3achr'));
  await sent(...dev0('tx', 'vesting', 'create-periodic-vesting-account', to(0xa3), 'periods.json'));
  const grant = ['tx', 'vesting', 'create-clawback-vesting-account', to(0xa4)];
  await sent(...dev0(...grant, '--lockup', 'periods.json', '--vesting', 'later.json'));
  await sent(...dev0(...grant, '--vesting', 'periods.json', '--merge'));
  expect(await ok('query', 'vesting', 'balances', to(0xa4))).toBe('Locked: \nUnvested: 3achr\nVested: 3achr\n');
  await sent(...dev0('tx', 'vesting', 'clawback', to(0xa4), '--dest', 'dev1'));
  expect(JSON.parse(await ok('query', 'vesting', 'balances', to(0xa4), '-o', 'json'))).toEqual({
    locked: [],
    unvested: [],
    vested: [{ denom: 'achr', amount: '3' }],
  });
  expect(await ok('query', 'auth', 'account', to(0xa4), '-o', 'json')).toContain('ClawbackVestingAccount');
});

test('tx gov commands, and commands that submit proposals, succeed', async () => {
  await sent(...dev0('tx', 'gov', 'submit-proposal', 'p.json'));
  await sent(...dev0('tx', 'gov', 'deposit', '1', '1chr'));
  await sent(...dev0('tx', 'gov', 'vote', '1', 'yes'));
  await sent('tx', 'gov', 'weighted-vote', '1', 'yes=0.5,no=0.5', '--from', 'dev1');
  for (const query of ['proposal 1', 'deposits 1', 'deposit 1 dev0', 'vote 1 dev0', 'votes 1', 'tally 1', 'proposals'])
    await ok('query', 'gov', ...query.split(' '));
  await sent(...dev0('tx', 'gov', 'cancel-proposal', '1'));
  const answers = ['software-upgrade', 't', 'an author', 's', 'd', 'https://f', 'o', '1chr', ''];
  expect((await run(['tx', 'gov', 'draft-proposal'], answers)).code).toBe(0);
  await sent(...dev0('tx', 'gov', 'submit-proposal', 'draft_proposal.json'));
  await sent(
    ...dev0(
      'tx',
      'gov',
      'submit-legacy-proposal',
      '--title',
      't',
      '--description',
      'd',
      '--type',
      'Text',
      '--deposit',
      '1chr',
    ),
  );
  const proposals: readonly (readonly string[])[] = [
    ['auth', 'update-params-proposal', '{"max_memo_characters":"9","tx_sig_limit":"7"}'],
    ['bank', 'update-params-proposal', '{"default_send_enabled":true}'],
    ['bank', 'set-send-enabled-proposal', '{"denom":"abc","enabled":true}'],
    [
      'consensus',
      'update-params-proposal',
      '{"block":{"max_bytes":"90000","max_gas":"8"},"evidence":{"max_age_num_blocks":"1","max_age_duration":"48h0m0s"},"validator":{"pub_key_types":["ed25519"]}}',
    ],
    ['distribution', 'update-params-proposal', '{"community_tax":"0.02","withdraw_addr_enabled":true}'],
    ['distribution', 'community-pool-spend-proposal', 'dev0', '7achr'],
    [
      'feemarket',
      'update-params',
      '--params',
      '{"base_fee_change_denominator":8,"elasticity_multiplier":2,"base_fee":"5.5","min_gas_price":"0","min_gas_multiplier":"0.5"}',
    ],
    ['mint', 'update-params-proposal', MINT],
    [
      'slashing',
      'update-params-proposal',
      '{"signed_blocks_window":"20","min_signed_per_window":"0.5","downtime_jail_duration":"60s","slash_fraction_double_sign":"0.05","slash_fraction_downtime":"0.01"}',
    ],
    ['upgrade', 'cancel-upgrade-proposal'],
  ];
  for (const words of proposals) await sent(...dev0(...proposal('tx', ...words)));
});

test('tx bank, crisis and upgrade commands, and commands for transaction files, succeed', async () => {
  const { txhash, height } = await sent('tx', 'bank', 'send', 'dev0', 'dev1', '1achr');
  await sent('tx', 'bank', 'multi-send', 'dev0', 'dev1', 'dev2', '2achr');
  await sent('tx', 'bank', 'send', 'dev0', 'dev1', '1achr', '--fee-payer', 'dev3');
  await sent(...dev0('tx', 'crisis', 'invariant-broken', 'bank', 'total-supply'));
  await sent('tx', 'upgrade', 'software-upgrade', 'v9', '--upgrade-height', '+1000');
  await ok('query', 'upgrade', 'plan');
  await sent('tx', 'upgrade', 'cancel-software-upgrade');
  await ok('query', 'tx', txhash);
  await ok('query', 'wait-tx', txhash);
  await ok('query', 'txs', '--query', `tx.height=${height}`);
  await ok('query', 'blocks', '--query', `block.height=${height}`);

  texts.set('u.json', await ok('tx', 'bank', 'send', 'dev0', 'dev1', '1achr', '--generate-only', '--gas', '200000'));
  await ok('tx', 'simulate', 'u.json', '--from', 'dev0');
  const signed = await ok('tx', 'sign', 'u.json', '--from', 'dev0');
  texts.set('s.json', signed);
  await ok('tx', 'validate-signatures', 's.json');
  await ok('tx', 'decode', (await ok('tx', 'encode', 's.json')).trim());
  await ok('tx', 'broadcast', 's.json', '-b', 'block');
});

/** Mines blocks on request, because a dev node mines an empty block only every 2 s. */
const mine = (count: number) => run(['dev', 'mine', `${count}`]);

test('tx slashing unjail frees a jailed validator', async () => {
  await mine(25);
  expect(await ok('query', 'staking', 'validator', 'dev1', '-o', 'json')).toContain('"jailed": true');
  expect((await run(['dev', 'time', 'increase', '61'])).code).toBe(0);
  await mine(1);
  await sent('tx', 'slashing', 'unjail', '--from', 'dev1');
});

test('tx evm and erc20 commands send Ethereum transactions and convert tokens', async () => {
  await ok('tx', 'evm', 'send', 'dev0', HEX1, '1achr', '-y');
  await mine(1);
  const account = privateKeyToAccount(DEV2_KEY);
  const fields = { chainId: 271_828, gas: 2_000_000n, maxFeePerGas: 4_000_000_000n, type: 'eip1559' } as const;
  const data = encodeDeployData({ ...Token, args: ['Penny', 'PNY', 1000n] });
  const raw = await account.signTransaction({ ...fields, nonce: 0, data });
  await sent('tx', 'evm', 'raw', raw);
  const token = getContractAddress({ from: account.address, nonce: 0n });
  await sent(...dev0('tx', 'erc20', 'register-erc20', token));
  await sent('tx', 'erc20', 'convert-erc20', token, '5', '--from', 'dev2');
  await sent('tx', 'erc20', 'convert-coin', `3erc20:${token}`, '--from', 'dev2');
});

/** The CREATE2 deployer of the dev genesis; this call creates a contract without code. */
const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const DEPLOYS = `0x${'00'.repeat(33)}` as const;

test('governance registers and cancels an incentive for a contract, and gas meters count its gas', async () => {
  const words_ = ['--title', 't', '--description', 'd', '--deposit', '10chr'];
  const decide = async (...words: readonly string[]): Promise<void> => {
    await sent(...dev0('tx', 'gov', 'submit-legacy-proposal', ...words, ...words_));
    const { proposals }: { readonly proposals: readonly { readonly id: string }[] } = JSON.parse(
      await ok('query', 'gov', 'proposals', '--reverse', '--limit', '1', '-o', 'json'),
    );
    await sent(...dev0('tx', 'gov', 'vote', proposals[0]?.id ?? '', 'yes'));
    expect((await run(['dev', 'time', 'increase', '3600'])).code).toBe(0);
    await mine(1);
  };
  expect((await run(['tx', 'gov', 'submit-legacy-proposal', 'cancel-incentive', 'x', '--from', 'dev0'])).code).toBe(2);
  await decide('register-incentive', DEPLOYER, '0.05achr', '2');
  expect(JSON.parse(await ok('query', 'incentives', 'incentive', DEPLOYER, '-o', 'json'))).toMatchObject({
    incentive: { contract: DEPLOYER, epochs: 2, allocations: [{ denom: 'achr', amount: '0.050000000000000000' }] },
  });
  expect(await ok('query', 'incentives', 'allocation-meter', 'achr')).toContain('0.050000000000000000');
  const account = privateKeyToAccount(DEV2_KEY);
  const fields = { chainId: 271_828, gas: 200_000n, maxFeePerGas: 4_000_000_000n, type: 'eip1559' } as const;
  const nonce = Number(JSON.parse(await ok('query', 'auth', 'account-info', 'dev2', '-o', 'json')).info.sequence);
  await sent('tx', 'evm', 'raw', await account.signTransaction({ ...fields, nonce, to: DEPLOYER, data: DEPLOYS }));
  const meters = await ok('query', 'incentives', 'gas-meters', DEPLOYER);
  expect(meters).toContain(`participant: ${account.address}`);
  expect(await ok('query', 'incentives', 'gas-meter', DEPLOYER, account.address, '-o', 'json')).toMatch(
    /"gas_meter": ?"[1-9][0-9]{4}/,
  );
  await decide('cancel-incentive', DEPLOYER);
  expect(await ok('query', 'incentives', 'incentives', '-o', 'json')).toContain('"incentives":[]');
});

test('a multisig account signs a transaction', async () => {
  await ok('keys', 'add', 'team', '--multisig', 'dev0,dev1', '--multisig-threshold', '1');
  const team = (await ok('keys', 'show', 'team', '-a')).trim();
  await sent('tx', 'bank', 'send', 'dev0', team, '1chr');
  const unsigned = await ok('tx', 'bank', 'send', team, DEV1, '1achr', '--generate-only', '--gas', '300000');
  texts.set('t.json', unsigned);
  texts.set('batch.json', unsigned);
  texts.set('t0.json', await ok('tx', 'sign', 't.json', '--from', 'dev0', '--multisig', 'team'));
  texts.set('t1.json', await ok('tx', 'multi-sign', 't.json', 'team', 't0.json'));
  await ok('tx', 'validate-signatures', 't1.json');
  texts.set('b0.json', await ok('tx', 'sign-batch', 'batch.json', '--from', 'dev0', '--multisig', 'team'));
  await ok('tx', 'multisign-batch', 'batch.json', 'team', 'b0.json');
  await ok('tx', 'broadcast', 't1.json', '-b', 'block');
});

/** Queries that succeed, one on each line. */
const ANSWERED = `
account dev0
auth account dev0
auth account-info dev0
auth accounts --limit 1
auth address-by-acc-num 0
auth address-bytes-to-string 70997970c51812dc3a010c7d01b50e0d17dc79c8
auth address-string-to-bytes ${DEV1}
auth bech32-prefix
auth module-account gov
auth module-accounts
auth params
bank balance dev0 achr
bank balances dev0 --height 1
bank denom-metadata achr
bank denom-metadata-by-query-string --denom achr
bank denom-owners achr --limit 2
bank denom-owners-by-query --denom achr
bank denoms-metadata
bank params
bank send-enabled
bank spendable-balance dev0 achr
bank spendable-balances dev0
bank total-supply
bank total-supply-of achr
block 1
block-results 1
comet-validator-set
consensus comet block-by-height 1
consensus comet block-latest
consensus comet node-info
consensus comet syncing
consensus comet validator-set
consensus comet validator-set-by-height 1
consensus params
distribution commission dev0
distribution community-pool
distribution delegator-validators --delegator-address dev0
distribution delegator-withdraw-address --delegator-address dev0
distribution params
distribution rewards dev0
distribution rewards-by-validator dev0 dev0
distribution slashes dev1 1 1000
distribution validator-distribution-info dev0
distribution validator-outstanding-rewards dev0
claims claims-records
claims params
claims total-unclaimed
epochs current-epoch day
epochs epoch-infos
erc20 params
erc20 token-pair achr
erc20 token-pairs
evidence list
evm 0x-to-bech32 ${HEX1}
evm account dev0
evm balance dev0
evm balance-bank dev0 achr
evm balance-erc20 dev0 ${COIN_TOKEN}
evm bech32-to-0x ${DEV1}
evm code ${COIN_TOKEN}
evm config
evm params
evm storage dev0 0x0
feemarket base-fee
feemarket block-gas
feemarket params
gov constitution
gov params
ibc client header
ibc client self-consensus-state
ibc-transfer escrow-address transfer channel-0
incentives allocation-meters
incentives gas-meters ${COIN_TOKEN}
incentives incentives
incentives params
inflation epoch-mint-provision
inflation inflation-rate
inflation params
inflation period -o json
inflation skipped-epochs -o json
inflation total-supply
recovery params
mint annual-provisions
mint inflation
mint params
params subspace staking MaxValidators
params subspaces
slashing params
slashing signing-infos
staking delegation dev0 dev0
staking delegations dev0
staking delegations-to dev0
staking delegator-validator dev0 dev0
staking delegator-validators dev0
staking historical-info 5
staking params
staking pool
staking unbonding-delegations dev0
staking unbonding-delegations-from dev1
staking validators
upgrade authority
upgrade module_versions bank
`;

test.each(ANSWERED.trim().split('\n'))('query %s succeeds', async (query) => {
  await ok('query', ...query.split(' '));
});

/** Queries for things that the chain does not have. */
test.each([
  ['evidence evidence 00', 'evidence 00 not found'],
  [`slashing signing-info ${encodeAddress('chronvalcons', new Uint8Array(20))}`, 'SigningInfo not found'],
  ['claims claims-record dev0', 'claims record for address'],
  ['incentives allocation-meter achr', 'allocationMeter with denomination'],
  [`incentives gas-meter ${COIN_TOKEN} ${HEX1}`, 'gas meter with contract'],
  [`incentives incentive ${COIN_TOKEN}`, 'incentive with contract'],
  ['upgrade applied v1', 'no upgrade'],
])('query %s fails with "%s"', async (query, text) => {
  const ended = await run(['query', ...query.split(' ')]);
  expect(ended).toMatchObject({ stdout: '', stderr: expect.stringContaining(text) });
  expect(ended.code).not.toBe(0);
});

/** Argument values, by name, for commands of modules that a dev chain lacks. */
const VALUES: Readonly<Record<string, string>> = {
  address: 'dev0',
  'channel-id': 'channel-0',
  'source-channel': 'channel-0',
  'client-id': '07-tendermint-0',
  coin: '1achr',
  'connection-id': 'connection-0',
  denom: 'achr',
  'hash-or-denom': 'achr',
  'port-id': 'transfer',
  'source-port': 'transfer',
  receiver: 'dev1',
  'revision-height': '1-1',
  sequence: '1',
  trace: 'transfer/channel-0/uatom',
};
/** Commands that need only blocks or their arguments. */
const ANYWHERE = / (header|self-consensus-state|escrow-address)$/;
const ABSENT = COMMANDS.filter(({ path }) => /^(query|tx) precisebank /.test(path));
const UNCONNECTED = COMMANDS.filter(({ path }) => /^(query|tx) (ibc|ibc-transfer) /.test(path) && !ANYWHERE.test(path));
/** Lists, parameters, and IBC v2 queries that succeed without a client. */
const LISTS =
  /^query (ibc (client (params|states|config|consensus-states|consensus-state-heights|status|creator|counterparty-info)|connection (params|connections|path)|channel (channels|connections|packet-receipt)|channelv2 .*)|ibc-transfer (params|denoms|total-escrow))$/;

const wordsOf = (path: string, args: string): readonly string[] => [
  ...path.split(' '),
  ...Array.from(args.matchAll(/[<[]([^>\].]+)/g), ([, name = '']) => VALUES[name] ?? name),
];

test.each(UNCONNECTED.map(({ path, args = '' }) => [path, args] as const))(
  '%s: a dev chain has the module, but no IBC client',
  async (path, args) => {
    if (path.startsWith('tx')) {
      const title = path.includes('recover') || path.includes('schedule') ? ['--title', 'x'] : [];
      const ended = await run([...wordsOf(path, args), '--from', 'dev0', '-y', ...title]);
      if (!path.includes('recover-client')) expect(ended.code).not.toBe(0);
      expect(ended.stderr).not.toContain('unable to resolve type URL');
      return;
    }
    const ended = await run(wordsOf(path, args));
    expect(ended.stderr).not.toContain('has no module');
    if (LISTS.test(path)) return;
    expect(ended.stdout).toBe('');
    expect(ended.stderr).toMatch(/not found|invalid acknowledgement|invalid denom trace hash/);
  },
);

test.each(ABSENT.map(({ path, args = '' }) => [path, args] as const))(
  '%s: a dev chain does not have the module',
  async (path, args) => {
    const ended = await run(wordsOf(path, args));
    expect(ended).toMatchObject({ code: 11, stdout: '' });
    expect(ended.stderr).toContain('has no module precisebank\n');
  },
);

test('every query and tx subcommand is in one of the lists', () => {
  expect(ALL.filter((path) => !done.has(path))).toEqual([]);
});
