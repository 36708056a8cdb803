import { MsgSendSchema } from '../../core/proto/cosmos/bank/v1beta1/tx_pb.js';
import type { CommandBody } from '../table/command-table.js';
import { addressOf, nodePrefix } from '../values/names.js';
import { coinsOf, messageAny } from '../tx/draft.js';
import { sendMessages, signerOf } from '../tx/send.js';
import { someCoinsOfNode } from '../values/units.js';

/**
 * `faucet ADDRESS [AMOUNT]`: sends coins from a dev account without confirmation, on any node where that account has
 * coins.
 */
export const faucet: CommandBody = async (context, [who = '', amount = '10chr'], flags) => {
  const prefix = await nodePrefix(context);
  const toAddress = await addressOf(context, who, prefix);
  const signer = await signerOf(context, flags.text('from') ?? 'dev9', prefix, flags);
  const coins = await someCoinsOfNode(context, amount, 'amount');
  await sendMessages(
    context,
    signer,
    [messageAny(MsgSendSchema, { fromAddress: signer.address, toAddress, amount: coinsOf(coins) })],
    flags,
  );
};
