import { base64 } from '@scure/base';
import { QueryAllBalancesRequestSchema, QueryAllBalancesResponseSchema } from '../../../core/proto/cosmos/bank/v1beta1/query_pb.js';
import { ask } from '../app-query.js';
import type { CommandContext } from '../context.js';
import { addressOf, nodePrefix } from '../names.js';
import { render } from '../output.js';
import { wholeNumber } from '../whole-number.js';

export interface BalancesFlags {
  readonly height?: string;
  readonly limit: string;
  readonly pageKey?: string;
}

/** `query bank balances ADDRESS|NAME`: all coins of an account, a page of them. */
export async function queryBalances(context: CommandContext, who: string, flags: BalancesFlags): Promise<void> {
  const { rpc, ports, output } = context;
  const request = {
    address: addressOf(context, who, await nodePrefix(context)),
    pagination: { limit: wholeNumber(flags.limit, '--limit'), countTotal: flags.pageKey === undefined, ...(flags.pageKey !== undefined && { key: base64.decode(flags.pageKey) }) },
  };
  const height = flags.height === undefined ? undefined : wholeNumber(flags.height, '--height');
  const { balances, pagination } = await ask(rpc, '/cosmos.bank.v1beta1.Query/AllBalances', QueryAllBalancesRequestSchema, request, QueryAllBalancesResponseSchema, height);
  const nextKey = pagination?.nextKey ?? new Uint8Array(0);
  const total = pagination?.total ?? 0n;
  ports.stdout(
    render(
      {
        balances: balances.map(({ denom, amount }) => ({ denom, amount })),
        pagination: { ...(nextKey.length > 0 && { next_key: base64.encode(nextKey) }), ...(total > 0n && { total: total.toString() }) },
      },
      output,
    ),
  );
}
