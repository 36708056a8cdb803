import type { CommandRow, CommandTable, OptionRow, OptionSet } from '../command-table.js';

const ASKS: readonly OptionSet[] = ['output', 'node', 'height', 'keyring'];
const PAGES: readonly OptionSet[] = [...ASKS, 'page'];
const SENDS: readonly OptionSet[] = ['tx', 'output', 'node', 'keyring'];

const query = () => import('../commands/query-staking.js');
const tx = () => import('../commands/tx-staking.js');

const FROM: OptionRow = { flag: '--from <key>', doc: 'account that signs, by name or address', required: true };
const KEEP = '[do-not-modify]';

function asked(
  path: string,
  args: string,
  doc: string,
  load: CommandRow['load'],
  sets: readonly OptionSet[] = ASKS,
): CommandRow {
  return { path: `query staking ${path}`, ...(args === '' ? {} : { args }), doc, sets, load };
}

function sent(
  path: string,
  args: string,
  doc: string,
  load: CommandRow['load'],
  options: readonly OptionRow[] = [],
): CommandRow {
  return {
    path: `tx staking ${path}`,
    ...(args === '' ? {} : { args }),
    doc,
    output: 'json',
    sets: SENDS,
    options: [FROM, ...options],
    load,
  };
}

const PAIR = '<delegator> <validator>';

/** `query staking` and `tx staking`, under the command names of the SDK. */
export const STAKING: CommandTable = {
  groups: [
    { path: 'query staking', doc: 'validators and delegations' },
    { path: 'tx staking', doc: 'delegate, and run a validator' },
  ],
  commands: [
    asked('delegation', PAIR, 'a delegation', async () => (await query()).delegation),
    asked('delegations', '<delegator>', 'delegations of an account', async () => (await query()).delegations, PAGES),
    asked(
      'delegations-to',
      '<validator>',
      'delegations to a validator',
      async () => (await query()).delegationsTo,
      PAGES,
    ),
    asked(
      'delegator-validator',
      PAIR,
      'a validator that an account delegates to',
      async () => (await query()).delegatorValidator,
    ),
    asked(
      'delegator-validators',
      '<delegator>',
      'validators that an account delegates to',
      async () => (await query()).delegatorValidators,
      PAGES,
    ),
    asked(
      'historical-info',
      '<height>',
      'header and validators of a height',
      async () => (await query()).historicalInfo,
    ),
    asked('params', '', 'parameters of staking', async () => (await query()).params),
    asked('pool', '', 'bonded and other tokens', async () => (await query()).pool),
    asked(
      'redelegation',
      '<delegator> <source> <destination>',
      'a redelegation between two validators',
      async () => (await query()).redelegation,
      PAGES,
    ),
    asked(
      'unbonding-delegation',
      PAIR,
      'what unbonds from a validator for an account',
      async () => (await query()).unbondingDelegation,
    ),
    asked(
      'unbonding-delegations',
      '<delegator>',
      'what unbonds for an account',
      async () => (await query()).unbondingDelegations,
      PAGES,
    ),
    asked(
      'unbonding-delegations-from',
      '<validator>',
      'what unbonds from a validator',
      async () => (await query()).unbondingDelegationsFrom,
      PAGES,
    ),
    asked('validator', '<validator>', 'a validator', async () => (await query()).validator),
    {
      ...asked('validators', '', 'all validators', async () => (await query()).validators, PAGES),
      options: [{ flag: '--status <status>', doc: 'for example BOND_STATUS_BONDED' }],
    },
    sent(
      'cancel-unbond',
      '<validator> <amount> <creation-height>',
      'delegate again what unbonds',
      async () => (await tx()).cancelUnbond,
    ),
    sent(
      'create-validator',
      '<file>',
      'create a validator that a file of JSON describes',
      async () => (await tx()).createValidator,
    ),
    sent('delegate', '<validator> <amount>', 'delegate coins to a validator', async () => (await tx()).delegate),
    sent('edit-validator', '', 'change the validator of an account', async () => (await tx()).editValidator, [
      { flag: '--new-moniker <text>', doc: "the validator's name", default: KEEP },
      { flag: '--identity <text>', doc: 'signature of an identity', default: KEEP },
      { flag: '--website <text>', doc: 'website', default: KEEP },
      { flag: '--security-contact <text>', doc: 'email for security', default: KEEP },
      { flag: '--details <text>', doc: 'details', default: KEEP },
      { flag: '--commission-rate <rate>', doc: 'new commission, for example 0.1' },
      { flag: '--min-self-delegation <amount>', doc: 'least delegation of the operator, in the base denom' },
    ]),
    sent(
      'redelegate',
      '<source> <destination> <amount>',
      'move a delegation to another validator',
      async () => (await tx()).redelegate,
    ),
    sent('unbond', '<validator> <amount>', 'take coins back from a validator', async () => (await tx()).unbond),
  ],
};
