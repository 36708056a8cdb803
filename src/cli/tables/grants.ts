import type { CommandTable, OptionRow, OptionSet } from '../command-table.js';

const PAGES: readonly OptionSet[] = ['output', 'node', 'height', 'keyring', 'page'];
const SENDS: readonly OptionSet[] = ['tx', 'output', 'node', 'keyring'];

const queries = () => import('../commands/query-grants.js');
const authz = () => import('../commands/tx-authz.js');
const feegrant = () => import('../commands/tx-feegrant.js');
const vesting = () => import('../commands/tx-vesting.js');

const option = (flag: string, doc: string): OptionRow => ({ flag, doc });
const tx = { sets: SENDS, output: 'json' } as const;
const query = { sets: PAGES } as const;

/** Commands of authz, feegrant and vesting accounts, under the names and flags of the SDK's command line. */
export const GRANTS: CommandTable = {
  groups: [
    { path: 'query authz', doc: 'permissions to execute messages' },
    { path: 'query feegrant', doc: 'fees that one account pays for another' },
    { path: 'tx authz', doc: 'permissions to execute messages' },
    { path: 'tx feegrant', doc: 'fees that one account pays for another' },
    { path: 'tx vesting', doc: 'accounts whose coins become spendable over time' },
  ],
  commands: [
    {
      ...query,
      path: 'query authz grants',
      args: '<granter> <grantee> [msg-type-url]',
      doc: 'permissions between two accounts',
      load: async () => (await queries()).grants,
    },
    {
      ...query,
      path: 'query authz grants-by-granter',
      args: '<granter>',
      doc: 'permissions that an account gave',
      load: async () => (await queries()).grantsByGranter,
    },
    {
      ...query,
      path: 'query authz grants-by-grantee',
      args: '<grantee>',
      doc: 'permissions that an account has',
      load: async () => (await queries()).grantsByGrantee,
    },
    {
      ...query,
      path: 'query feegrant grant',
      args: '<granter> <grantee>',
      doc: 'the allowance between two accounts',
      load: async () => (await queries()).allowance,
    },
    {
      ...query,
      path: 'query feegrant grants-by-granter',
      args: '<granter>',
      doc: 'allowances that an account gave',
      load: async () => (await queries()).allowancesByGranter,
    },
    {
      ...query,
      path: 'query feegrant grants-by-grantee',
      args: '<grantee>',
      doc: 'allowances that an account has',
      load: async () => (await queries()).allowancesByGrantee,
    },
    {
      ...tx,
      path: 'tx authz grant',
      args: '<grantee> <type>',
      doc: 'allow messages: send, generic, delegate, unbond or redelegate',
      options: [
        option('--spend-limit <coins>', 'sum of all sends or delegations'),
        option('--allow-list <addresses>', 'receivers that sends may have, separated by commas'),
        option('--msg-type <url>', 'type of the messages of a generic permission'),
        option('--allowed-validators <addresses>', 'validators that may be chosen, separated by commas'),
        option('--deny-validators <addresses>', 'validators that may not be chosen, separated by commas'),
        option('--expiration <seconds>', 'end as Unix time; 0 for no end'),
      ],
      load: async () => (await authz()).grant,
    },
    {
      ...tx,
      path: 'tx authz revoke',
      args: '<grantee> <msg-type-url>',
      doc: 'end a permission',
      load: async () => (await authz()).revoke,
    },
    {
      ...tx,
      path: 'tx authz exec',
      args: '<file>',
      doc: 'execute the messages of a transaction for the accounts that allow it',
      load: async () => (await authz()).exec,
    },
    {
      ...tx,
      path: 'tx feegrant grant',
      args: '<granter> <grantee>',
      doc: 'pay fees for another account',
      aliases: ['grant-allowance'],
      options: [
        option('--spend-limit <coins>', 'sum of all fees'),
        option('--expiration <time>', 'end, RFC 3339'),
        option('--period <seconds>', 'length of a period'),
        option('--period-limit <coins>', 'sum of the fees of a period'),
        option('--allowed-messages <urls>', 'types of messages whose fees are paid, separated by commas'),
      ],
      load: async () => (await feegrant()).grant,
    },
    {
      ...tx,
      path: 'tx feegrant revoke',
      args: '<granter> <grantee>',
      doc: 'end an allowance',
      aliases: ['revoke-allowance'],
      load: async () => (await feegrant()).revoke,
    },
    {
      ...tx,
      path: 'tx feegrant prune',
      doc: 'delete allowances that have ended',
      load: async () => (await feegrant()).prune,
    },
    {
      ...tx,
      path: 'tx vesting create-vesting-account',
      args: '<to> <amount> <end-time>',
      doc: 'coins that vest until a Unix time',
      options: [option('--delayed', 'all coins at the end')],
      load: async () => (await vesting()).createVesting,
    },
    {
      ...tx,
      path: 'tx vesting create-permanent-locked-account',
      args: '<to> <amount>',
      doc: 'coins that are locked for ever',
      load: async () => (await vesting()).createPermanent,
    },
    {
      ...tx,
      path: 'tx vesting create-periodic-vesting-account',
      args: '<to> <file>',
      doc: 'coins that vest in periods',
      load: async () => (await vesting()).createPeriodic,
    },
  ],
};
