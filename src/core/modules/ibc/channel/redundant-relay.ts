/**
 * Rejects redundant relays before they enter a block, so that relayers do not pay for them (ibc-go v10
 * `modules/core/ante/ante.go`).
 */
import { fromBinary } from '@bufbuild/protobuf';
import * as pb from '../../../proto/ibc/core/channel/v1/tx_pb.js';
import * as v2 from '../../../proto/ibc/core/channel/v2/tx_pb.js';
import { MsgUpdateClientSchema } from '../../../proto/ibc/core/client/v1/tx_pb.js';
import { decodeMessage } from '../../../sdk/codec/any.js';
import type { AnteRule } from '../../../sdk/module/ante.js';
import { branch } from '../../../sdk/module/branch.js';
import type { Context } from '../../../sdk/module/context.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { checkUpdate } from '../client/updates.js';
import { channelErrors } from '../errors.js';
import { receiveWithoutProof, receivePacket } from './packets.js';
import { clientMessageOf } from '../client/tendermint-header.js';
import { packetOf } from './validate.js';

const urlOf = ({ typeName }: { readonly typeName: string }): string => `/${typeName}`;
const UPDATE = urlOf(MsgUpdateClientSchema);
const RECEIVE = urlOf(pb.MsgRecvPacketSchema);
/** Messages that are executed completely, including their applications. */
const WHOLE: readonly string[] = [
  pb.MsgAcknowledgementSchema,
  pb.MsgTimeoutSchema,
  pb.MsgTimeoutOnCloseSchema,
  v2.MsgRecvPacketSchema,
  v2.MsgAcknowledgementSchema,
  v2.MsgTimeoutSchema,
].map(urlOf);

/** True for a packet that was received before. `isChecked`: its proof was verified before. */
function isReceived(context: Context, value: Uint8Array, isChecked: boolean): boolean {
  const message = decodeMessage(pb.MsgRecvPacketSchema, value);
  const packet = packetOf(message);
  const { context: inner, commit } = branch(context);
  const delivered = wrapping('receive packet verification failed', () =>
    isChecked ? receiveWithoutProof(inner, packet) : receivePacket(inner, { ...message, packet }),
  );
  if (delivered !== undefined) commit();
  return delivered === undefined;
}

/**
 * In CheckTx, rejects a transaction that consists only of redundant relay messages, or that has an invalid proof.
 * Results of all packet messages have the same field.
 */
export const refuseRedundantRelay: AnteRule = (context, { handlers }, verified) => {
  if (context.mode !== 'check') return;
  let [packets, redundant] = [0, 0];
  for (const { handler, value } of handlers) {
    const { typeUrl } = handler;
    if (typeUrl === UPDATE) {
      const { clientId, clientMessage } = decodeMessage(MsgUpdateClientSchema, value);
      checkUpdate(context, clientId, clientMessageOf(clientMessage), verified);
      continue;
    }
    if (typeUrl !== RECEIVE && !WHOLE.includes(typeUrl)) return;
    const isRedundant =
      typeUrl === RECEIVE
        ? isReceived(context, value, verified)
        : fromBinary(pb.MsgAcknowledgementResponseSchema, handler.handle(context, value)).result ===
          pb.ResponseResultType.NOOP;
    packets += 1;
    if (isRedundant) redundant += 1;
  }
  if (packets > 0 && redundant === packets) throw new SdkError(channelErrors.redundant);
};
