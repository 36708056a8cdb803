import { GO_ZERO_TIME, toTimestamp } from '../../core/comet/time.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { asObject, textOf } from '../client/rpc-client.js';
import { wholeNumber } from '../values/whole-number.js';

/** Builds an upgrade plan from the flags; a height `+N` is N blocks after the latest. */
export async function planOf(context: CommandContext, name: string, flags: Flags) {
  const height = await heightOf(context, flags);
  const info = flags.text('upgrade-info') ?? flags.text('info') ?? '';
  return { name, height, info, time: toTimestamp(GO_ZERO_TIME) };
}

async function heightOf({ rpc }: CommandContext, flags: Flags): Promise<bigint> {
  const text = flags.text('upgrade-height') ?? flags.text('height');
  if (text === undefined) throw new CommandError(EXIT.usage, '--upgrade-height is needed here');
  if (!text.startsWith('+')) return wholeNumber(text, '--upgrade-height');
  const sync = asObject((await rpc.call('status'))['sync_info']);
  return BigInt(textOf(sync, 'latest_block_height')) + wholeNumber(text.slice(1), '--upgrade-height');
}
