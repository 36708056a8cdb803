/** `tx ibc-transfer transfer` (ibc-go v10 `modules/apps/transfer/client/cli/tx.go`). */
import { sha256 } from '@noble/hashes/sha2.js';
import { isChannelFormat } from '../../core/modules/ibc/identifiers.js';
import { denomOfPath, localDenom } from '../../core/modules/transfer/denom.js';
import { ENCODINGS } from '../../core/modules/transfer/payload.js';
import { MsgTransferSchema } from '../../core/proto/ibc/applications/transfer/v1/tx_pb.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { signed } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { heightOf } from '../values/ibc-height.js';
import { receiverOf } from '../values/names.js';
import { sendOwn } from '../tx/send-as.js';
import { coinsOf } from '../tx/draft.js';
import { nodeTime } from '../tx/timeout.js';
import { coinsOfNode } from '../values/units.js';
import { NS_PER_SECOND } from '../../core/primitives.js';

/**
 * Timeout height and timestamp of a packet; 0 means none. The timestamp is in nanoseconds for a channel, and in
 * seconds for an IBC v2 client. (ibc-go's own command always sends nanoseconds, and the chain rejects them for a
 * client as too far ahead.)
 */
async function timeouts(context: CommandContext, source: string, flags: Flags) {
  const timeoutHeight = heightOf(flags.needed('packet-timeout-height'));
  const timestamp = flags.whole('packet-timeout-timestamp') ?? 0n;
  if (flags.is('absolute-timeouts')) return { timeoutHeight, timeoutTimestamp: timestamp };
  if (timeoutHeight.revisionNumber !== 0n || timeoutHeight.revisionHeight !== 0n)
    throw new CommandError(EXIT.usage, 'relative timeouts using block height is not supported');
  if (timestamp === 0n) throw new CommandError(EXIT.usage, 'relative timeouts must provide a non zero value timestamp');
  const end = (await nodeTime(context, '--packet-timeout-timestamp without --absolute-timeouts')) + timestamp;
  return { timeoutHeight, timeoutTimestamp: isChannelFormat(source) ? end : end / NS_PER_SECOND };
}

/** The denom as typed, or `ibc/HASH` for a denom trace such as `transfer/channel-0/stake`. */
function denomOf(typed: string): string {
  return typed.startsWith('ibc/') ? typed : localDenom(sha256, denomOfPath(typed));
}

const transfer: CommandBody = async (context, [sourcePort = '', sourceChannel = '', to = '', typed = ''], flags) => {
  const [coin, ...more] = coinsOf(await coinsOfNode(context, typed, 'coin'));
  if (coin === undefined || more.length > 0) throw new CommandError(EXIT.usage, `coin: ${typed} is not one coin`);
  const receiver = await receiverOf(context, to);
  const limits = await timeouts(context, sourceChannel, flags);
  await sendOwn(context, flags, MsgTransferSchema, (signer) => ({
    sourcePort,
    sourceChannel,
    token: { denom: denomOf(coin.denom), amount: coin.amount },
    sender: signer,
    receiver,
    memo: flags.text('memo') ?? '',
    encoding: flags.text('encoding') ?? '',
    ...limits,
  }));
};

export const commands: readonly CommandRow[] = [
  signed(
    'ibc-transfer transfer <source-port> <source-channel> <receiver> <coin>',
    'send a coin over a channel, or from a client (v2)',
    transfer,
    {
      options: [
        { flag: '--memo <text>', doc: 'text that goes with the packet' },
        { flag: '--encoding <type>', doc: 'form of a packet from a client', choices: ENCODINGS },
        {
          flag: '--packet-timeout-height <height>',
          doc: 'height {revision}-{height} of the other chain',
          default: '0-0',
        },
        {
          flag: '--packet-timeout-timestamp <nanoseconds>',
          doc: "time from the node's last block on",
          default: '600000000000',
        },
        { flag: '--absolute-timeouts', doc: 'the timeouts are absolute' },
      ],
    },
  ),
];
