import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import type { CommandContext } from '../context.js';
import type { Flags } from '../flags.js';
import { nodePrefix } from '../names.js';
import { messageAny } from './parts.js';
import { sendMessages, signerOf, type TxSigner } from './send.js';

/** The key of `--from`, which signs. */
export async function signerOfFrom(context: CommandContext, flags: Flags): Promise<TxSigner> {
  return signerOf(context, flags.needed('from'), await nodePrefix(context), flags);
}

/** Sends one message in the way that the flags say. */
export async function sendMessage<Schema extends DescMessage>(
  context: CommandContext,
  signer: TxSigner,
  flags: Flags,
  schema: Schema,
  message: MessageInitShape<Schema>,
): Promise<void> {
  await sendMessages(context, signer, [messageAny(schema, message)], flags);
}

/** The parts of a list whose parts are separated by commas; empty for undefined. */
export function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
