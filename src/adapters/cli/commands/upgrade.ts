import { create } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { sdkAny } from '../../../core/keys/sign-tx.js';
import { MsgCancelUpgradeSchema, MsgSoftwareUpgradeSchema } from '../../../core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import type { CommandContext } from '../context.js';
import { nodePrefix, signerOf } from '../names.js';
import { asObject, textOf } from '../rpc-client.js';
import { sendTx, type TxFlags } from '../send-tx.js';
import { wholeNumber } from '../whole-number.js';

/** Flags of the `upgrade` commands; `from` is the authority that signs. */
export interface UpgradeFlags extends TxFlags {
  readonly from: string;
  readonly height: string;
  readonly info: string;
}

/** `upgrade schedule NAME --height H`; `+N` is N blocks after the last one. */
export async function scheduleUpgrade(context: CommandContext, name: string, flags: UpgradeFlags): Promise<void> {
  const height = await heightOf(context, flags.height);
  const signer = signerOf(context, flags.from, await nodePrefix(context));
  const message = create(MsgSoftwareUpgradeSchema, { authority: signer.bech32, plan: { name, height, info: flags.info, time: { seconds: ZERO_TIME } } });
  await sendTx(context, signer, [sdkAny(anyPack(MsgSoftwareUpgradeSchema, message))], flags);
}

/** `upgrade cancel`. */
export async function cancelUpgrade(context: CommandContext, flags: UpgradeFlags): Promise<void> {
  const signer = signerOf(context, flags.from, await nodePrefix(context));
  const message = create(MsgCancelUpgradeSchema, { authority: signer.bech32 });
  await sendTx(context, signer, [sdkAny(anyPack(MsgCancelUpgradeSchema, message))], flags);
}

/** 0001-01-01T00:00:00Z in seconds since 1970: Go's zero time, which a plan by height carries. */
const ZERO_TIME = -62_135_596_800n;

async function heightOf({ rpc }: CommandContext, text: string): Promise<bigint> {
  if (!text.startsWith('+')) return wholeNumber(text, '--height');
  const sync = asObject((await rpc.call('status'))['sync_info']);
  return BigInt(textOf(sync, 'latest_block_height')) + wholeNumber(text.slice(1), '--height');
}
