import type { CommandRow, CommandTable, OptionRow, OptionSet } from '../command-table.js';

const ASKS: readonly OptionSet[] = ['output', 'node', 'height', 'keyring'];
const PAGES: readonly OptionSet[] = [...ASKS, 'page'];
const SENDS: readonly OptionSet[] = ['tx', 'output', 'node', 'keyring'];

const asked = () => import('../commands/query-rewards.js');
const sent = () => import('../commands/tx-rewards.js');

const DELEGATOR: OptionRow = {
  flag: '--delegator-address <account>',
  doc: 'the delegator, by address or key name',
  required: true,
};
const SIGNER: OptionRow = { flag: '--from <key>', doc: 'key that signs', required: true };

function query(path: string, row: Omit<CommandRow, 'path' | 'sets'>, sets = ASKS): CommandRow {
  return { ...row, path: `query ${path}`, sets };
}

function tx(path: string, { options = [], ...row }: Omit<CommandRow, 'path' | 'sets' | 'output'>): CommandRow {
  return { ...row, path: `tx ${path}`, output: 'json', sets: SENDS, options: [SIGNER, ...options] };
}

/** Inflation, rewards and punishments of validators, under the command names of the SDK. */
export const REWARDS: CommandTable = {
  groups: [
    { path: 'query mint', doc: 'inflation' },
    { path: 'query distribution', doc: 'rewards and the community pool' },
    { path: 'query slashing', doc: 'how well validators sign' },
    { path: 'query evidence', doc: 'proven offences of validators' },
    { path: 'query params', doc: 'parameters of all modules by their names of old' },
    { path: 'tx distribution', doc: 'withdraw rewards, fund the community pool' },
    { path: 'tx slashing', doc: 'free a jailed validator' },
    { path: 'tx crisis', doc: 'check an invariant' },
  ],
  commands: [
    query('params subspace', {
      args: '<subspace> <key>',
      doc: 'one parameter as JSON text',
      load: async () => (await asked()).subspaceParam,
    }),
    query('params subspaces', { doc: 'subspaces and their keys', load: async () => (await asked()).subspaces }),
    tx('crisis invariant-broken', {
      args: '<module-name> <invariant-route>',
      doc: 'check an invariant for a fee; a broken one fails the transaction',
      load: async () => (await sent()).invariantBroken,
    }),
    query('mint annual-provisions', {
      doc: 'coins of a year at the current inflation',
      load: async () => (await asked()).annualProvisions,
    }),
    query('mint inflation', { doc: 'the current inflation', load: async () => (await asked()).inflation }),
    query('mint params', { doc: 'parameters of inflation', load: async () => (await asked()).mintParams }),
    query('distribution commission', {
      args: '<validator>',
      doc: 'commission that a validator did not withdraw yet',
      load: async () => (await asked()).commission,
    }),
    query('distribution community-pool', {
      doc: 'coins of the community pool',
      load: async () => (await asked()).communityPool,
    }),
    query('distribution delegator-validators', {
      doc: 'validators of a delegator',
      options: [DELEGATOR],
      load: async () => (await asked()).delegatorValidators,
    }),
    query('distribution delegator-withdraw-address', {
      doc: 'account that gets the rewards of a delegator',
      options: [DELEGATOR],
      load: async () => (await asked()).withdrawAddress,
    }),
    query('distribution params', {
      doc: 'parameters of the distribution',
      load: async () => (await asked()).distributionParams,
    }),
    query('distribution rewards', {
      args: '<delegator>',
      doc: 'rewards of a delegator so far',
      load: async () => (await asked()).rewards,
    }),
    query('distribution rewards-by-validator', {
      args: '<delegator> <validator>',
      doc: 'rewards of one delegation so far',
      load: async () => (await asked()).rewardsByValidator,
    }),
    query(
      'distribution slashes',
      {
        args: '<validator> <start-height> <end-height>',
        doc: 'slashes of a validator',
        load: async () => (await asked()).slashes,
      },
      PAGES,
    ),
    query('distribution validator-distribution-info', {
      args: '<validator>',
      doc: 'commission and own rewards of a validator',
      load: async () => (await asked()).distributionInfo,
    }),
    query('distribution validator-outstanding-rewards', {
      args: '<validator>',
      doc: 'everything that is owed for a validator',
      load: async () => (await asked()).outstandingRewards,
    }),
    query('slashing params', { doc: 'parameters of slashing', load: async () => (await asked()).slashingParams }),
    query('slashing signing-info', {
      args: '<validator>',
      doc: 'how well a validator signs, by consensus address, key or name of a key',
      load: async () => (await asked()).signingInfo,
    }),
    query(
      'slashing signing-infos',
      { doc: 'how well all validators sign', load: async () => (await asked()).signingInfos },
      PAGES,
    ),
    query('evidence evidence', {
      args: '<hash>',
      doc: 'a proven offence',
      load: async () => (await asked()).oneEvidence,
    }),
    query('evidence list', { doc: 'all proven offences', load: async () => (await asked()).allEvidence }, PAGES),
    tx('distribution fund-community-pool', {
      args: '<amount>',
      doc: 'give coins to the community pool',
      load: async () => (await sent()).fundCommunityPool,
    }),
    tx('distribution fund-validator-rewards-pool', {
      args: '<validator> <amount>',
      doc: 'give coins to a validator and its delegators',
      load: async () => (await sent()).fundValidatorRewards,
    }),
    tx('distribution set-withdraw-addr', {
      args: '<address>',
      doc: 'name the account that gets rewards',
      load: async () => (await sent()).setWithdrawAddress,
    }),
    tx('distribution withdraw-all-rewards', {
      doc: 'withdraw the rewards of all delegations in one transaction',
      options: [{ flag: '--max-msgs <count>', doc: 'has no effect, as in the SDK with its broadcast modes' }],
      load: async () => (await sent()).withdrawAllRewards,
    }),
    tx('distribution withdraw-rewards', {
      args: '<validator>',
      doc: 'withdraw the rewards of a delegation',
      options: [{ flag: '--commission', doc: 'and the commission, as its operator' }],
      load: async () => (await sent()).withdrawRewards,
    }),
    tx('distribution withdraw-validator-commission', {
      args: '<validator>',
      doc: 'withdraw commission, as its operator',
      load: async () => (await sent()).withdrawCommission,
    }),
    tx('slashing unjail', {
      doc: 'free a validator that is jailed for downtime, as its operator',
      load: async () => (await sent()).unjail,
    }),
  ],
};
