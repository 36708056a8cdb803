import type { Any } from '@bufbuild/protobuf/wkt';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8 } from '../../core/bytes/bytes.js';
import { MsgSubmitProposalSchema } from '../../core/proto/cosmos/gov/v1/tx_pb.js';
import { encodeAddress } from '../../core/sdk/codec/address.js';
import type { CommandContext } from '../context.js';
import type { Flags } from '../table/flags.js';
import { accountAddress, nodePrefix } from '../values/names.js';
import { coinsOfNode } from '../values/units.js';
import { coinsOf, messageAny } from './draft.js';
import { sendMessages, signerOf } from './send.js';

/**
 * Address of gov's module account, the signer of messages in proposals (cosmos-sdk v0.53 `types/address/hash.go`).
 */
export function governanceAddress(prefix: string): string {
  return encodeAddress(prefix, sha256(utf8('gov')).slice(0, 20));
}

/** Parses a deposit; empty for undefined. */
export async function depositOf(context: CommandContext, text: string | undefined) {
  return text === undefined || text === '' ? [] : coinsOf(await coinsOfNode(context, text, '--deposit'));
}

/**
 * Submits a governance proposal with the message that `make` returns for the authority, and with texts and deposit of
 * the flags. With `--no-proposal` it sends the message itself, signed by the authority.
 */
export async function proposeAs(
  context: CommandContext,
  flags: Flags,
  make: (authority: string) => Any,
): Promise<void> {
  const prefix = await nodePrefix(context);
  const signer = await signerOf(context, flags.text('from') ?? 'dev0', prefix, flags);
  if (flags.is('no-proposal')) return sendMessages(context, signer, [make(signer.address)], flags);
  const authority = flags.text('authority');
  const proposal = messageAny(MsgSubmitProposalSchema, {
    messages: [make(authority === undefined ? governanceAddress(prefix) : await accountAddress(context, authority))],
    initialDeposit: await depositOf(context, flags.text('deposit')),
    proposer: signer.address,
    metadata: flags.text('metadata') ?? '',
    title: flags.needed('title'),
    summary: flags.text('summary') ?? '',
  });
  await sendMessages(context, signer, [proposal], flags);
}
