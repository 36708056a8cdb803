import type { CommandRow, CommandTable, OptionRow, OptionSet } from '../command-table.js';

const ASKS: readonly OptionSet[] = ['output', 'node', 'height', 'keyring'];
const PAGES: readonly OptionSet[] = [...ASKS, 'page'];
const CHAIN: readonly OptionSet[] = ['output', 'node'];

const auth = () => import('../commands/query-auth.js');
const bank = () => import('../commands/query-bank.js');
const evm = () => import('../commands/query-evm.js');
const feemarket = () => import('../commands/query-feemarket.js');
const gov = () => import('../commands/query-gov.js');
const upgrade = () => import('../commands/query-upgrade.js');
const comet = () => import('../commands/query-comet.js');
const chain = () => import('../commands/query-chain.js');
const tx = () => import('../commands/query-tx.js');

const DENOM: OptionRow = { flag: '--denom <denom>', doc: 'the denom', required: true };
const SEARCH: readonly OptionRow[] = [
  {
    flag: '--query <query>',
    doc: 'conditions, for example "message.sender=\'chron1...\' AND tx.height > 7"',
  },
  {
    flag: '--events <events>',
    doc: 'conditions as older versions took them, for example "message.module=bank&tx.height=7"',
  },
  { flag: '--page <number>', doc: 'page of results, from 1', default: '1' },
  { flag: '--limit <count>', doc: 'results of a page', default: '100' },
  { flag: '--order_by <order>', doc: 'oldest or newest first', choices: ['asc', 'desc', 'dsc'] },
];

const PROPOSALS: readonly OptionRow[] = [
  { flag: '--depositor <account>', doc: 'with a deposit of this account' },
  { flag: '--voter <account>', doc: 'with a vote of this account' },
  {
    flag: '--proposal-status <status>',
    doc: 'in this status',
    choices: ['unspecified', 'deposit-period', 'voting-period', 'passed', 'rejected', 'failed'],
  },
];

function module(
  name: string,
  rows: readonly Omit<CommandRow, 'sets'>[],
  sets: readonly OptionSet[] = ASKS,
): readonly CommandRow[] {
  return rows.map((row) => ({ ...row, path: `query ${name} ${row.path}`, sets }));
}

/** `query`: the queries of a node, under the command names of the SDK. */
export const QUERIES: CommandTable = {
  groups: [
    { path: 'query', doc: 'ask the node', aliases: ['q'] },
    { path: 'query auth', doc: 'accounts' },
    { path: 'query bank', doc: 'balances and supply' },
    { path: 'query evm', doc: 'accounts and contracts of the EVM' },
    { path: 'query feemarket', doc: 'the base fee' },
    { path: 'query gov', doc: 'proposals, deposits and votes' },
    { path: 'query upgrade', doc: 'upgrade plans' },
    { path: 'query consensus', doc: 'consensus parameters and the node' },
    { path: 'query consensus comet', doc: 'blocks, validators and the node itself' },
  ],
  commands: [
    {
      path: 'trace',
      args: '<hash>',
      doc: 'the calls of a transaction as a tree, by name',
      sets: ['eth', 'node', 'output'],
      options: [
        {
          flag: '--abi <folders>',
          doc: 'folders of compiled contracts, separated by commas (default: ./artifacts and ./out)',
        },
      ],
      load: async () => (await import('../commands/trace.js')).trace,
    },
    ...module('auth', [
      { path: 'account', args: '<address>', doc: 'an account', load: async () => (await auth()).account },
      {
        path: 'account-info',
        args: '<address>',
        doc: 'what all kinds of accounts have',
        load: async () => (await auth()).accountInfo,
      },
      {
        path: 'address-by-acc-num',
        args: '<number>',
        doc: 'address of an account number',
        aliases: ['address-by-id'],
        load: async () => (await auth()).addressByNumber,
      },
      {
        path: 'address-bytes-to-string',
        args: '<hex>',
        doc: 'bech32 of address bytes',
        load: async () => (await auth()).addressBytesToString,
      },
      {
        path: 'address-string-to-bytes',
        args: '<address>',
        doc: 'bytes of a bech32 address',
        load: async () => (await auth()).addressStringToBytes,
      },
      {
        path: 'bech32-prefix',
        doc: "prefix of the chain's addresses",
        aliases: ['bech32'],
        load: async () => (await auth()).bech32Prefix,
      },
      {
        path: 'module-account',
        args: '<name>',
        doc: 'account of a module',
        load: async () => (await auth()).moduleAccount,
      },
      { path: 'module-accounts', doc: 'accounts of all modules', load: async () => (await auth()).moduleAccounts },
      { path: 'params', doc: 'parameters of auth', load: async () => (await auth()).params },
    ]),
    ...module('auth', [{ path: 'accounts', doc: 'all accounts', load: async () => (await auth()).accounts }], PAGES),
    ...module('bank', [
      {
        path: 'balance',
        args: '<address> <denom>',
        doc: 'balance of one denom',
        load: async () => (await bank()).balance,
      },
      {
        path: 'denom-metadata',
        args: '<denom>',
        doc: 'metadata of a denom',
        load: async () => (await bank()).denomMetadata,
      },
      {
        path: 'denom-metadata-by-query-string',
        doc: 'metadata of a denom that may hold slashes',
        options: [DENOM],
        load: async () => (await bank()).denomMetadataByQueryString,
      },
      { path: 'params', doc: 'parameters of bank', load: async () => (await bank()).params },
      {
        path: 'spendable-balance',
        args: '<address> <denom>',
        doc: 'spendable balance of one denom',
        load: async () => (await bank()).spendableBalance,
      },
      {
        path: 'total-supply-of',
        args: '<denom>',
        doc: 'supply of a denom',
        load: async () => (await bank()).totalSupplyOf,
      },
    ]),
    ...module(
      'bank',
      [
        {
          path: 'balances',
          args: '<address>',
          doc: 'all balances of an account, by address or key name',
          options: [{ flag: '--resolve-denom', doc: 'display denoms' }],
          load: async () => (await bank()).balances,
        },
        {
          path: 'denom-owners',
          args: '<denom>',
          doc: 'who holds a denom',
          load: async () => (await bank()).denomOwners,
        },
        {
          path: 'denom-owners-by-query',
          doc: 'who holds a denom that may hold slashes',
          options: [DENOM],
          load: async () => (await bank()).denomOwnersByQuery,
        },
        { path: 'denoms-metadata', doc: 'metadata of all denoms', load: async () => (await bank()).denomsMetadata },
        {
          path: 'send-enabled',
          args: '[denoms]',
          doc: 'denoms whose transfers are enabled or not',
          load: async () => (await bank()).sendEnabled,
        },
        {
          path: 'spendable-balances',
          args: '<address>',
          doc: 'spendable balances of an account',
          load: async () => (await bank()).spendableBalances,
        },
        {
          path: 'total-supply',
          doc: 'supply of all denoms',
          aliases: ['total'],
          load: async () => (await bank()).totalSupply,
        },
      ],
      PAGES,
    ),
    ...module('evm', [
      {
        path: 'account',
        args: '<address>',
        doc: 'balance, nonce and code hash',
        load: async () => (await evm()).account,
      },
      { path: 'balance', args: '<address>', doc: 'balance in the EVM denom', load: async () => (await evm()).balance },
      {
        path: 'balance-bank',
        args: '<address> <denom>',
        doc: 'balance of the bank',
        load: async () => (await evm()).balanceBank,
      },
      {
        path: 'balance-erc20',
        args: '<address> <contract>',
        doc: 'balance of an ERC-20 contract',
        load: async () => (await evm()).balanceErc20,
      },
      { path: 'code', args: '<address>', doc: 'code of a contract (base64)', load: async () => (await evm()).code },
      { path: 'config', doc: 'chain configuration: forks and ids', load: async () => (await evm()).config },
      { path: 'params', doc: 'parameters of the EVM', load: async () => (await evm()).params },
      { path: 'storage', args: '<address> <key>', doc: 'a storage slot', load: async () => (await evm()).storage },
      {
        path: '0x-to-bech32',
        args: '<address>',
        doc: 'the bech32 spelling of an address',
        load: async () => (await evm()).hexToBech32,
      },
      {
        path: 'bech32-to-0x',
        args: '<address>',
        doc: 'the 0x spelling of an address',
        load: async () => (await evm()).bech32ToHex,
      },
    ]),
    ...module('feemarket', [
      { path: 'base-fee', doc: 'base fee of the last block', load: async () => (await feemarket()).baseFee },
      { path: 'block-gas', doc: 'gas of the last block', load: async () => (await feemarket()).blockGas },
      { path: 'params', doc: 'parameters of the fee market', load: async () => (await feemarket()).params },
    ]),
    ...module('gov', [
      { path: 'constitution', doc: 'the constitution', load: async () => (await gov()).constitution },
      {
        path: 'deposit',
        args: '<proposal-id> <depositor>',
        doc: 'a deposit',
        load: async () => (await gov()).deposit,
      },
      { path: 'params', doc: 'parameters of governance', load: async () => (await gov()).params },
      {
        path: 'proposal',
        args: '<proposal-id>',
        doc: 'a proposal',
        aliases: ['proposer'],
        load: async () => (await gov()).proposal,
      },
      { path: 'tally', args: '<proposal-id>', doc: 'the count of a vote', load: async () => (await gov()).tally },
      { path: 'vote', args: '<proposal-id> <voter>', doc: 'a vote', load: async () => (await gov()).vote },
    ]),
    ...module(
      'gov',
      [
        {
          path: 'deposits',
          args: '<proposal-id>',
          doc: 'deposits of a proposal',
          load: async () => (await gov()).deposits,
        },
        {
          path: 'proposals',
          doc: 'proposals, the oldest first',
          options: PROPOSALS,
          load: async () => (await gov()).proposals,
        },
        { path: 'votes', args: '<proposal-id>', doc: 'votes on a proposal', load: async () => (await gov()).votes },
      ],
      PAGES,
    ),
    ...module('upgrade', [
      { path: 'plan', doc: 'the scheduled plan', load: async () => (await upgrade()).plan },
      {
        path: 'applied',
        args: '<name>',
        doc: 'the block that applied a plan',
        output: 'json',
        load: async () => (await upgrade()).applied,
      },
      {
        path: 'module_versions',
        args: '[module]',
        doc: 'consensus versions of modules',
        aliases: ['module-versions'],
        load: async () => (await upgrade()).moduleVersions,
      },
      { path: 'authority', doc: 'who schedules upgrades', load: async () => (await upgrade()).authority },
    ]),
    ...module('consensus', [
      {
        path: 'params',
        doc: 'consensus parameters',
        load: async () => (await import('../commands/query-consensus.js')).params,
      },
      { path: 'comet block-latest', doc: 'the last block', load: async () => (await comet()).blockLatest },
      {
        path: 'comet block-by-height',
        args: '<height>',
        doc: 'a block',
        load: async () => (await comet()).blockByHeight,
      },
      { path: 'comet node-info', doc: 'names and versions of the node', load: async () => (await comet()).nodeInfo },
      { path: 'comet syncing', doc: 'whether the node catches up', load: async () => (await comet()).syncing },
    ]),
    ...module(
      'consensus',
      [
        {
          path: 'comet validator-set',
          doc: 'the validators',
          aliases: [
            'validator-set-latest',
            'comet-validator-set',
            'cometbft-validator-set',
            'tendermint-validator-set',
          ],
          load: async () => (await comet()).validatorSet,
        },
        {
          path: 'comet validator-set-by-height',
          args: '<height>',
          doc: 'the validators of a block',
          load: async () => (await comet()).validatorSetByHeight,
        },
      ],
      PAGES,
    ),
    {
      path: 'query tx',
      args: '<hash|address/sequence|signatures>',
      doc: 'a transaction and its result',
      sets: CHAIN,
      options: [
        {
          flag: '--type <type>',
          doc: 'what the argument is; guessed unless given',
          choices: ['hash', 'acc_seq', 'signature'],
        },
      ],
      load: async () => (await tx()).queryTx,
    },
    {
      path: 'query txs',
      doc: 'transactions whose events match',
      sets: CHAIN,
      options: SEARCH,
      load: async () => (await tx()).queryTxs,
    },
    {
      path: 'query wait-tx',
      args: '[hash]',
      doc: 'wait until a transaction is in a block; that of a `tx` command whose answer is standard input',
      aliases: ['event-query-tx-for'],
      sets: CHAIN,
      options: [{ flag: '--timeout <duration>', doc: 'longest wait (default: 15s)' }],
      load: async () => (await tx()).waitTx,
    },
    {
      path: 'query block',
      args: '[height|hash]',
      doc: 'a block; the last one by default',
      sets: CHAIN,
      options: [{ flag: '--type <type>', doc: 'what the argument is', choices: ['height', 'hash'] }],
      load: async () => (await chain()).queryBlock,
    },
    {
      path: 'query blocks',
      doc: 'blocks whose events match',
      sets: CHAIN,
      options: SEARCH,
      load: async () => (await chain()).queryBlocks,
    },
    {
      path: 'query block-results',
      args: '[height]',
      doc: 'what executing a block answered',
      sets: CHAIN,
      load: async () => (await chain()).queryBlockResults,
    },
    {
      path: 'query comet-validator-set',
      args: '[height]',
      doc: 'the validators of a block',
      aliases: ['cometbft-validator-set', 'tendermint-validator-set'],
      sets: CHAIN,
      options: [
        { flag: '--page <number>', doc: 'page of validators, from 1', default: '1' },
        { flag: '--limit <count>', doc: 'validators of a page', default: '100' },
      ],
      load: async () => (await chain()).queryValidators,
    },
    {
      path: 'query account',
      args: '<address>',
      doc: 'an account (as `query auth account`)',
      sets: ASKS,
      load: async () => (await auth()).account,
    },
    {
      path: 'status',
      doc: 'what the node says of itself',
      output: 'json',
      sets: CHAIN,
      load: async () => (await chain()).status,
    },
  ],
};
