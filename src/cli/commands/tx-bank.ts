import { MsgMultiSendSchema, MsgSendSchema } from '../../core/proto/cosmos/bank/v1beta1/tx_pb.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { send } from '../table/command-rows.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { addressOf, nodePrefix } from '../values/names.js';
import { coinsOf, messageAny } from '../tx/draft.js';
import { sendMessages, signerOfArgument } from '../tx/send.js';
import { coinsOfNode, someCoinsOfNode } from '../values/units.js';

/** `tx bank send FROM TO AMOUNT`: sends coins; accounts are key names or addresses. */
const bankSend: CommandBody = async (context, [from = '', to = '', amount = ''], flags) => {
  const coins = coinsOf(await someCoinsOfNode(context, amount, 'amount'));
  const prefix = await nodePrefix(context);
  const signer = await signerOfArgument(context, from, prefix, flags);
  const toAddress = await addressOf(context, to, prefix);
  await sendMessages(
    context,
    signer,
    [messageAny(MsgSendSchema, { fromAddress: signer.address, toAddress, amount: coins })],
    flags,
  );
};

/**
 * `tx bank multi-send FROM TO... AMOUNT`: sends the amount to each recipient, or divides it among them with `--split`.
 */
const bankMultiSend: CommandBody = async (context, [from = '', ...rest], flags) => {
  const amount = rest.at(-1) ?? '';
  const names = rest.slice(0, -1);
  if (names.length === 0)
    throw new CommandError(EXIT.usage, 'multi-send needs a sender, one receiver at least, and an amount');
  const count = BigInt(names.length);
  const typed = await coinsOfNode(context, amount, 'amount');
  const each = flags.is('split') ? typed.map((coin) => ({ ...coin, amount: coin.amount / count })) : typed;
  if (each.some((coin) => coin.amount === 0n))
    throw new CommandError(EXIT.usage, `amount: nothing is left of ${amount} for each of ${count}`);
  const prefix = await nodePrefix(context);
  const signer = await signerOfArgument(context, from, prefix, flags);
  const receivers: string[] = [];
  for (const name of names) receivers.push(await addressOf(context, name, prefix));
  const message = messageAny(MsgMultiSendSchema, {
    inputs: [
      { address: signer.address, coins: coinsOf(each.map((coin) => ({ ...coin, amount: coin.amount * count }))) },
    ],
    outputs: receivers.map((address) => ({ address, coins: coinsOf(each) })),
  });
  await sendMessages(context, signer, [message], flags);
};

export const commands: readonly CommandRow[] = [
  send('bank send <from> <to> <amount>', 'send coins, for example 1000achr', bankSend),
  send(
    'bank multi-send <from> <to...>',
    'send coins to several accounts; the last argument is the amount',
    bankMultiSend,
    { options: [{ flag: '--split', doc: 'divide the amount among the receivers' }] },
  ),
  send('evm send <from> <to> <amount>', 'send coins between accounts in any spelling', bankSend),
];
