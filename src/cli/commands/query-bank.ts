import { Query } from '../../core/proto/cosmos/bank/v1beta1/query_pb.js';
import type { CommandRow, OptionRow } from '../table/command-table.js';
import { query, paged } from '../table/query-rows.js';

const { method } = Query;

const DENOM: OptionRow = { flag: '--denom <denom>', doc: 'the denom', required: true };

/** `query bank ...`: one method of the bank module each. */
export const commands: readonly CommandRow[] = [
  query('bank balance <address> <denom>', 'balance of one denom', method.balance),
  query('bank denom-metadata <denom>', 'metadata of a denom', method.denomMetadata),
  query(
    'bank denom-metadata-by-query-string',
    'metadata of a denom whose name has slashes',
    method.denomMetadataByQueryString,
    { request: ({ flags }) => ({ denom: flags.needed('denom') }), options: [DENOM] },
  ),
  query('bank params', 'parameters of bank', method.params),
  query('bank spendable-balance <address> <denom>', 'spendable balance of one denom', method.spendableBalanceByDenom),
  query('bank total-supply-of <denom>', 'supply of a denom', method.supplyOf),
  paged('bank balances <address>', 'all balances of an account, by address or key name', method.allBalances, {
    request: async (input) => ({
      address: await input.address(0),
      resolveDenom: input.flags.is('resolve-denom'),
      ...input.pagination,
    }),
    options: [{ flag: '--resolve-denom', doc: 'display denoms' }],
  }),
  paged('bank denom-owners <denom>', 'holders of a denom', method.denomOwners),
  paged('bank denom-owners-by-query', 'holders of a denom whose name has slashes', method.denomOwnersByQuery, {
    request: ({ flags, pagination }) => ({ denom: flags.needed('denom'), ...pagination }),
    options: [DENOM],
  }),
  paged('bank denoms-metadata', 'metadata of all denoms', method.denomsMetadata),
  paged('bank send-enabled [denoms]', 'denoms whose transfers are enabled or not', method.sendEnabled, {
    request: ({ text, pagination }) => ({
      denoms: text(0)
        .split(' ')
        .filter((denom) => denom !== ''),
      ...pagination,
    }),
  }),
  paged('bank spendable-balances <address>', 'spendable balances of an account', method.spendableBalances),
  paged('bank total-supply', 'supply of all denoms', method.totalSupply, { aliases: ['total'] }),
];
