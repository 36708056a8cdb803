import { create } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { sdkAny } from '../../../core/keys/sign-tx.js';
import { MsgSendSchema } from '../../../core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { parseCoins } from '../coins.js';
import type { CommandContext } from '../context.js';
import { addressOf, nodePrefix, signerOf } from '../names.js';
import { sendTx, type TxFlags } from '../send-tx.js';

/** `tx bank send FROM TO AMOUNT`; both accounts by name or address. */
export async function bankSend(context: CommandContext, from: string, to: string, amount: string, flags: TxFlags): Promise<void> {
  const coins = parseCoins(amount, 'amount');
  const prefix = await nodePrefix(context);
  const signer = signerOf(context, from, prefix);
  const message = create(MsgSendSchema, {
    fromAddress: signer.bech32,
    toAddress: addressOf(context, to, prefix),
    amount: coins.map((coin) => ({ denom: coin.denom, amount: coin.amount.toString() })),
  });
  await sendTx(context, signer, [sdkAny(anyPack(MsgSendSchema, message))], flags);
}
