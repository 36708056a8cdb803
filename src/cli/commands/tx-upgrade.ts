import { MsgCancelUpgradeSchema, MsgSoftwareUpgradeSchema } from '../../core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import type { CommandBody, CommandRow, OptionRow } from '../table/command-table.js';
import { command, send } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { nodePrefix } from '../values/names.js';
import { messageAny } from '../tx/draft.js';
import { planOf } from '../tx/plan.js';
import { proposeAs } from '../tx/propose.js';
import { sendMessages, signerOf } from '../tx/send.js';
import type { Flags } from '../table/flags.js';

/**
 * `upgrade schedule NAME --height H`, `tx upgrade software-upgrade NAME --upgrade-height H`: schedules an upgrade;
 * height `+N` is N blocks after the latest. With `--title` it submits a governance proposal instead.
 */
const scheduleUpgrade: CommandBody = async (context, [name = ''], flags) => {
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
const cancelUpgrade: CommandBody = async (context, _, flags) => {
  if (flags.text('title') !== undefined)
    return proposeAs(context, flags, (authority) => messageAny(MsgCancelUpgradeSchema, { authority }));
  const signer = await authority(context, flags);
  await sendMessages(context, signer, [messageAny(MsgCancelUpgradeSchema, { authority: signer.address })], flags);
};

async function authority(context: CommandContext, flags: Flags) {
  return signerOf(context, flags.text('from') ?? 'dev0', await nodePrefix(context), flags);
}

const FROM: OptionRow = { flag: '--from <key>', doc: 'authority that signs', default: 'dev0' };
const UPGRADE_HEIGHT: OptionRow = {
  flag: '--upgrade-height, --height <height>',
  doc: 'block of the upgrade; +N counts from the last one',
  required: true,
};
const UPGRADE_INFO: OptionRow = {
  flag: '--upgrade-info, --info <text>',
  doc: 'text of the plan, for example where the new binary is',
  default: '',
};
const TITLE: OptionRow = {
  flag: '--title <text>',
  doc: 'title of a governance proposal; without it the authority signs',
};
const SUMMARY: OptionRow = { flag: '--summary <text>', doc: 'summary of the proposal' };
const DEPOSIT: OptionRow = { flag: '--deposit <coins>', doc: 'first deposit of the proposal' };
const METADATA: OptionRow = { flag: '--metadata <text>', doc: 'metadata' };
const AUTHORITY: OptionRow = { flag: '--authority <address>', doc: 'authority of upgrades (default: governance)' };

export const commands: readonly CommandRow[] = [
  send('upgrade software-upgrade <name>', 'plan an upgrade', scheduleUpgrade, {
    aliases: ['schedule'],
    options: [
      FROM,
      UPGRADE_HEIGHT,
      UPGRADE_INFO,
      TITLE,
      SUMMARY,
      DEPOSIT,
      METADATA,
      AUTHORITY,
      { flag: '--no-validate', doc: 'no effect: --upgrade-info is never checked' },
      { flag: '--no-checksum-required', doc: 'the same' },
      { flag: '--daemon-name <name>', doc: 'the same' },
    ],
  }),
  send('upgrade cancel-software-upgrade', 'cancel the scheduled upgrade', cancelUpgrade, {
    aliases: ['cancel'],
    options: [FROM, TITLE, SUMMARY, DEPOSIT, METADATA, AUTHORITY],
  }),
  command('upgrade schedule <name>', 'plan an upgrade', ['tx', 'output', 'node', 'keyring'], scheduleUpgrade, {
    output: 'json',
    options: [FROM, UPGRADE_HEIGHT, UPGRADE_INFO],
  }),
  command('upgrade cancel', 'cancel the scheduled upgrade', ['tx', 'output', 'node', 'keyring'], cancelUpgrade, {
    output: 'json',
    options: [FROM],
  }),
];
