import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { CommandContext } from '../context.js';
import type { Flags } from '../table/flags.js';
import { nodePrefix } from '../values/names.js';
import { messageAny } from './draft.js';
import { sendMessages, signerOf } from './send.js';

/** Sends the messages that `make` returns for the signer's address (`--from`) and the chain's prefix. */
export async function sendAs(
  context: CommandContext,
  flags: Flags,
  make: (signer: string, prefix: string) => Promise<readonly Any[]>,
): Promise<void> {
  const prefix = await nodePrefix(context);
  const signer = await signerOf(context, flags.needed('from'), prefix, flags);
  await sendMessages(context, signer, await make(signer.address, prefix), flags);
}

/** Sends one message, as `sendAs` does. */
export function sendOwn<Schema extends DescMessage>(
  context: CommandContext,
  flags: Flags,
  schema: Schema,
  make: (signer: string, prefix: string) => MessageInitShape<Schema> | Promise<MessageInitShape<Schema>>,
): Promise<void> {
  return sendAs(context, flags, async (signer, prefix) => [messageAny(schema, await make(signer, prefix))]);
}

/** Splits a comma-separated list; empty for undefined. */
export function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
