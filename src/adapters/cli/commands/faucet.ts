import { DEV_BASE_DENOM } from '../../../core/genesis/dev-chain.js';
import { MsgSendSchema } from '../../../core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { Query } from '../../../core/proto/cosmos/evm/vm/v1/query_pb.js';
import { ask } from '../app-query.js';
import type { CommandBody } from '../command-table.js';
import { addressOf, nodePrefix } from '../names.js';
import { coinsOf, messageAny } from '../tx/parts.js';
import { sendMessages, signerOf } from '../tx/send.js';
import { parseCoins } from '../coins.js';
import { baseUnits } from './dev.js';

/**
 * `faucet ADDRESS [AMOUNT]`: a transfer from a dev account, without confirmation. Works on every node where that
 * account has coins.
 */
export const faucet: CommandBody = async (context, [who = '', amount = '10chr'], flags) => {
  const prefix = await nodePrefix(context);
  const toAddress = await addressOf(context, who, prefix);
  const signer = await signerOf(context, flags.text('from') ?? 'dev9', prefix, flags);
  const { method } = Query;
  const { params } = await ask(
    context.rpc,
    '/cosmos.evm.vm.v1.Query/Params',
    method.params.input,
    {},
    method.params.output,
  );
  const base = params?.evmDenom ?? DEV_BASE_DENOM;
  const unit = /^[0-9.]+(.*)$/.exec(amount)?.[1] ?? '';
  // The display unit of the base denom, which faucets of other chains accept too: 10chr is 10 * 10^18 achr.
  const coins = unit === base.slice(1) ? [{ denom: base, amount: baseUnits(amount) }] : parseCoins(amount, 'amount');
  await sendMessages(
    context,
    signer,
    [messageAny(MsgSendSchema, { fromAddress: signer.address, toAddress, amount: coinsOf(coins) })],
    flags,
  );
};
