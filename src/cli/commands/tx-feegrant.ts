import type { Any } from '@bufbuild/protobuf/wkt';
import { parseTime, toTimestamp } from '../../core/comet/time.js';
import {
  AllowedMsgAllowanceSchema,
  BasicAllowanceSchema,
  PeriodicAllowanceSchema,
} from '../../core/proto/cosmos/feegrant/v1beta1/feegrant_pb.js';
import {
  MsgGrantAllowanceSchema,
  MsgPruneAllowancesSchema,
  MsgRevokeAllowanceSchema,
} from '../../core/proto/cosmos/feegrant/v1beta1/tx_pb.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { send } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { accountAddress, nodePrefix } from '../values/names.js';
import { listOf, sendOwn } from '../tx/send-as.js';
import { coinsOf, messageAny } from '../tx/draft.js';
import { sendMessages, signerOfArgument } from '../tx/send.js';
import { coinsOfNode } from '../values/units.js';

/** `tx feegrant grant GRANTER GRANTEE`: the granter signs. */
const grant: CommandBody = async (context, [granter = '', name = ''], flags) => {
  const allowance = await allowanceOf(context, flags);
  const signer = await signerOfArgument(context, granter, await nodePrefix(context), flags);
  const grantee = await accountAddress(context, name);
  const message = messageAny(MsgGrantAllowanceSchema, { granter: signer.address, grantee, allowance });
  await sendMessages(context, signer, [message], flags);
};

async function allowanceOf(context: CommandContext, flags: Flags): Promise<Any> {
  const coins = async (flag: string) => {
    const text = flags.text(flag);
    return text === undefined ? [] : coinsOf(await coinsOfNode(context, text, `--${flag}`));
  };
  const end = expirationOf(flags);
  const basic = { spendLimit: await coins('spend-limit'), ...(end !== undefined && { expiration: toTimestamp(end) }) };
  const limit = await coins('period-limit');
  const period = flags.whole('period') ?? 0n;
  if (period > 0n !== limit.length > 0) throw new CommandError(EXIT.usage, '--period and --period-limit go together');
  const allowance =
    limit.length === 0
      ? messageAny(BasicAllowanceSchema, basic)
      : messageAny(PeriodicAllowanceSchema, {
          basic,
          period: { seconds: period },
          periodSpendLimit: limit,
          periodCanSpend: limit,
          // zero: the first period begins with the first fee
          periodReset: { seconds: 0n },
        });
  const allowedMessages = listOf(flags.text('allowed-messages'));
  return allowedMessages.length === 0
    ? allowance
    : messageAny(AllowedMsgAllowanceSchema, { allowance, allowedMessages });
}

function expirationOf(flags: Flags) {
  const text = flags.text('expiration');
  if (text === undefined) return undefined;
  const end = parseTime(text);
  if (end === undefined) throw new CommandError(EXIT.usage, `--expiration: ${text} is no RFC 3339 time`);
  return end;
}

/** `tx feegrant revoke GRANTER GRANTEE`: the granter signs. */
const revoke: CommandBody = async (context, [granter = '', name = ''], flags) => {
  const signer = await signerOfArgument(context, granter, await nodePrefix(context), flags);
  const grantee = await accountAddress(context, name);
  const message = messageAny(MsgRevokeAllowanceSchema, { granter: signer.address, grantee });
  await sendMessages(context, signer, [message], flags);
};

/** `tx feegrant prune`: deletes allowances that have ended. */
const prune: CommandBody = async (context, _, flags) => {
  await sendOwn(context, flags, MsgPruneAllowancesSchema, (signer) => ({ pruner: signer }));
};

export const commands: readonly CommandRow[] = [
  send('feegrant grant <granter> <grantee>', 'pay fees for another account', grant, {
    aliases: ['grant-allowance'],
    options: [
      { flag: '--spend-limit <coins>', doc: 'sum of all fees' },
      { flag: '--expiration <time>', doc: 'end, RFC 3339' },
      { flag: '--period <seconds>', doc: 'length of a period' },
      { flag: '--period-limit <coins>', doc: 'sum of the fees of a period' },
      { flag: '--allowed-messages <urls>', doc: 'types of messages whose fees are paid, separated by commas' },
    ],
  }),
  send('feegrant revoke <granter> <grantee>', 'end an allowance', revoke, { aliases: ['revoke-allowance'] }),
  send('feegrant prune', 'delete allowances that have ended', prune),
];
