import { MsgCancelUpgradeSchema, MsgSoftwareUpgradeSchema } from '../../core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import type { CommandBody } from '../command-table.js';
import type { CommandContext } from '../context.js';
import { nodePrefix } from '../names.js';
import { messageAny } from '../tx/parts.js';
import { planOf } from '../tx/plan.js';
import { proposeAs } from '../tx/propose.js';
import { sendMessages, signerOf } from '../tx/send.js';
import type { Flags } from '../flags.js';

/**
 * `upgrade schedule NAME --height H`, `tx upgrade software-upgrade NAME --upgrade-height H`: schedules an upgrade; `+N`
 * is N blocks after the last one. With `--title` it is proposed to governance.
 */
export const scheduleUpgrade: CommandBody = async (context, [name = ''], flags) => {
  const plan = await planOf(context, name, flags);
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
