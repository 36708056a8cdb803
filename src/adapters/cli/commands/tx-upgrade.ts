import { MsgCancelUpgradeSchema, MsgSoftwareUpgradeSchema } from '../../../core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import type { CommandBody } from '../command-table.js';
import type { CommandContext } from '../context.js';
import { nodePrefix } from '../names.js';
import { asObject, textOf } from '../rpc-client.js';
import { messageAny } from '../tx/parts.js';
import { proposeAs } from '../tx/propose.js';
import { sendMessages, signerOf } from '../tx/send.js';
import { wholeNumber } from '../whole-number.js';
import type { Flags } from '../flags.js';
import { CommandError, EXIT } from '../exit-codes.js';

/** 0001-01-01T00:00:00Z in seconds since 1970: Go's zero time, the time of a plan that is scheduled by height. */
const ZERO_TIME = -62_135_596_800n;

/**
 * `upgrade schedule NAME --height H`, `tx upgrade software-upgrade NAME --upgrade-height H`: schedules an upgrade; `+N`
 * is N blocks after the last one. With `--title` it is proposed to governance.
 */
export const scheduleUpgrade: CommandBody = async (context, [name = ''], flags) => {
  const height = await heightOf(context, flags);
  const info = flags.text('upgrade-info') ?? flags.text('info') ?? '';
  const plan = { name, height, info, time: { seconds: ZERO_TIME } };
  if (flags.text('title') !== undefined)
    return proposeAs(context, flags, (authority) => messageAny(MsgSoftwareUpgradeSchema, { authority, plan }));
  const signer = await authority(context, flags);
  await sendMessages(
    context,
    signer,
    [messageAny(MsgSoftwareUpgradeSchema, { authority: signer.address, plan })],
    flags,
  );
};

/** `upgrade cancel`, `tx upgrade cancel-software-upgrade`. */
export const cancelUpgrade: CommandBody = async (context, _, flags) => {
  if (flags.text('title') !== undefined)
    return proposeAs(context, flags, (authority) => messageAny(MsgCancelUpgradeSchema, { authority }));
  const signer = await authority(context, flags);
  await sendMessages(context, signer, [messageAny(MsgCancelUpgradeSchema, { authority: signer.address })], flags);
};

async function authority(context: CommandContext, flags: Flags) {
  return signerOf(context, flags.text('from') ?? 'dev0', await nodePrefix(context), flags);
}

async function heightOf({ rpc }: CommandContext, flags: Flags): Promise<bigint> {
  const text = flags.text('upgrade-height') ?? flags.text('height');
  if (text === undefined) throw new CommandError(EXIT.usage, '--upgrade-height is needed here');
  if (!text.startsWith('+')) return wholeNumber(text, '--upgrade-height');
  const sync = asObject((await rpc.call('status'))['sync_info']);
  return BigInt(textOf(sync, 'latest_block_height')) + wholeNumber(text.slice(1), '--upgrade-height');
}
