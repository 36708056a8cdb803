/**
 * Transfer application for IBC v2 packets between clients (ibc-go v10 `modules/apps/transfer/v2/ibc_module.go`). Each
 * client has an escrow account, as each channel does in v1.
 */
import { create } from '@bufbuild/protobuf';
import { equal, text } from '../../bytes/bytes.js';
import { AcknowledgementSchema } from '../../proto/ibc/core/channel/v1/channel_pb.js';
import { addressRefusal, encodeAddress, parseAddress } from '../../sdk/codec/address.js';
import type { Context } from '../../sdk/module/context.js';
import { isReturned } from '../../sdk/module/returned-error.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { errorAcknowledgement, readAcknowledgement, resultAcknowledgement } from '../ibc/channel/acknowledgement.js';
import { channelErrorsV2, ibcErrors } from '../ibc/errors.js';
import { clientTypeOf } from '../ibc/identifiers.js';
import { errorAcknowledgement as refusalOf } from '../ibc/v2/commitments.js';
import type { ClientPort, RoutedPayload } from '../ibc/v2/port.js';
import { pathOf } from './denom.js';
import { transferErrors } from './errors.js';
import type { Ends } from './moves.js';
import type { PacketData } from './packet-data.js';
import { decodePayload } from './payload.js';
import { emitReceived, giveBack, settle, takeIn } from './relayed.js';
import { emitTransfer, takeToken } from './send.js';

const PORT = 'transfer';
const TAKEN = resultAcknowledgement(Uint8Array.of(1)).bytes;

/** Source and destination of a payload, with clients in the place of channels. */
export const endsOf = ({ sourceClient, destinationClient, payload }: RoutedPayload): Ends => ({
  sourcePort: payload.sourcePort,
  sourceChannel: sourceClient,
  destinationPort: payload.destinationPort,
  destinationChannel: destinationClient,
});

const isBetweenTransfers = ({ payload }: RoutedPayload): boolean =>
  payload.sourcePort === PORT && payload.destinationPort === PORT;

const hasClientNames = ({ sourceClient, destinationClient }: RoutedPayload): boolean =>
  clientTypeOf(sourceClient) !== undefined && clientTypeOf(destinationClient) !== undefined;

/** Rejects a payload that the other chain would reject or could not return. */
function requireSendable(context: Context, parcel: RoutedPayload, signer: Uint8Array): PacketData {
  const { payload } = parcel;
  const { bech32Prefix } = context.chain;
  if (!isBetweenTransfers(parcel))
    throw new SdkError(
      channelErrorsV2.invalidPacket,
      `payload port ID is invalid: expected ${PORT}, got sourcePort: ${payload.sourcePort} destPort: ${payload.destinationPort}`,
    );
  if (!hasClientNames(parcel))
    throw new SdkError(channelErrorsV2.invalidPacket, 'client IDs must be in valid format: {string}-{number}');
  const data = decodePayload(payload);
  const sender = parseAddress(bech32Prefix, data.sender);
  if (sender === undefined) throw addressRefusal(bech32Prefix, data.sender);
  if (!equal(sender, signer))
    throw new SdkError(
      ibcErrors.unauthorized,
      `sender ${text(sender)} is different from signer ${encodeAddress(bech32Prefix, signer)}`,
    );
  if (data.denom.base.includes('/'))
    throw new SdkError(
      transferErrors.invalidDenom,
      `base denomination ${data.denom.base} cannot contain slashes for IBC v2 packet`,
    );
  return data;
}

export const transferClientPort: ClientPort = {
  name: PORT,
  onSend(context, parcel, signer) {
    const data = requireSendable(context, parcel, signer);
    takeToken(context, signer, parcel.sourceClient, data);
    const { sender, receiver, memo } = data;
    emitTransfer(context, { sender, receiver, denom: pathOf(data.denom), amount: data.amountText, memo });
  },
  onReceive(context, parcel) {
    if (!isBetweenTransfers(parcel) || !hasClientNames(parcel)) return { kind: 'refused' };
    let data: PacketData | undefined;
    let refusal: SdkError | undefined;
    try {
      data = decodePayload(parcel.payload);
      takeIn(context, endsOf(parcel), data);
    } catch (error) {
      if (!isReturned(error)) throw error;
      refusal = error;
    }
    // ibc-go emits success together with the error.
    emitReceived(context, data, { success: true, refusal });
    return refusal === undefined ? { kind: 'taken', acknowledgement: TAKEN } : { kind: 'refused' };
  },
  onAcknowledge(context, parcel, acknowledgement) {
    const answer = equal(acknowledgement, refusalOf(context))
      ? readAcknowledgement(errorAcknowledgement(new SdkError(transferErrors.receiveFailed)).bytes)
      : taken(acknowledgement);
    settle(context, endsOf(parcel), decodePayload(parcel.payload), answer ?? create(AcknowledgementSchema));
  },
  onTimeout: (context, parcel) => giveBack(context, endsOf(parcel), decodePayload(parcel.payload)),
};

/** Decodes the acknowledgement of a successful transfer. */
function taken(acknowledgement: Uint8Array) {
  const answer = readAcknowledgement(acknowledgement);
  if (answer === undefined)
    throw new SdkError(ibcErrors.unknownRequest, 'cannot unmarshal ICS-20 transfer packet acknowledgement');
  if (answer.response.case !== 'result')
    throw new SdkError(ibcErrors.invalidRequest, 'cannot pass in a custom error acknowledgement with IBC v2');
  return answer;
}
