/**
 * Sender and receiver of a transfer as accounts of this chain (evmos v3.0.0 `ibc/utils.go`
 * GetTransferSenderRecipient).
 */
import { utf8 } from '../../bytes/bytes.js';
import type { Packet } from '../../proto/ibc/core/channel/v1/channel_pb.js';
import { encodeAddress, parseAddress } from '../../sdk/codec/address.js';
import { readBech32 } from '../../sdk/codec/bech32.js';
import type { Context } from '../../sdk/module/context.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { isBlocked } from '../bank/send-rules.js';
import { ibcErrors } from '../ibc/errors.js';
import { decodePacketData, type PacketData } from './packet-data.js';

/** Packet data with both addresses as bytes; the sender's text has the other chain's prefix. */
export interface Parties {
  readonly data: PacketData;
  readonly sender: Uint8Array;
  readonly recipient: Uint8Array;
  /** Both addresses as text with this chain's prefix. */
  readonly shown: { readonly sender: string; readonly recipient: string };
}

/** Decodes both addresses of a received transfer; throws SdkError for a malformed sender. */
export function partiesOf(context: Context, { data: bytes }: Pick<Packet, 'data'>): Parties {
  const { bech32Prefix } = context.chain;
  const data = decodePacketData(bytes);
  const read = readBech32(utf8(data.sender));
  if (!read.ok) throw new SdkError(ibcErrors.invalidAddress, `invalid sender ${data.sender}`);
  const recipient = parseAddress(bech32Prefix, data.receiver);
  if (recipient === undefined) throw new SdkError(ibcErrors.invalidAddress, `invalid recipient ${data.receiver}`);
  const shown = {
    sender: encodeAddress(bech32Prefix, read.bytes),
    recipient: encodeAddress(bech32Prefix, recipient),
  };
  return { data, sender: read.bytes, recipient, shown };
}

/** Throws `make(reason)` when an address of a transfer may not send or receive coins. */
export function requireUnblocked(
  context: Context,
  { sender, recipient, shown }: Parties,
  make: (text: string) => SdkError,
): void {
  if (!isBlocked(context, sender) && !isBlocked(context, recipient)) return;
  throw make(
    `sender (${shown.sender}) or recipient (${shown.recipient}) address are in the deny list for sending and receiving transfers`,
  );
}
