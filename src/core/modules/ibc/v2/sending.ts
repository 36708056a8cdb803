/** Sends v2 packets (ibc-go v10 `modules/core/04-channel/v2/keeper/packet.go`). */
import { create } from '@bufbuild/protobuf';
import { be64, readBe64 } from '../../../bytes/big-endian.js';
import { type Packet, PacketSchema } from '../../../proto/ibc/core/channel/v2/packet_pb.js';
import type { MsgSendPacket } from '../../../proto/ibc/core/channel/v2/tx_pb.js';
import type { Context } from '../../../sdk/module/context.js';
import { isReturned } from '../../../sdk/module/returned-error.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { latestHeight, requireActive, timestampAt } from '../client/clients.js';
import { channelErrorsV2, clientErrors } from '../errors.js';
import { nextSequenceSendKeyV2, packetKeyV2 } from '../keys.js';
import { isZeroHeight } from '../self-height.js';
import { STORE } from '../store.js';
import { commitmentOf } from './commitments.js';
import { requireCounterparty } from './counterparties.js';
import { emitPacket } from './packet-events.js';
import { isBefore, seconds } from './time.js';
import { validatePacket } from './validate.js';

/** Longest timeout in nanoseconds: one day (`MaxTimeoutDelta`). */
const MAX_TIMEOUT = 86_400_000_000_000n;

/** Sends a packet from a client to its counterparty; returns the packet. */
export function sendPacket(
  context: Context,
  sent: Pick<MsgSendPacket, 'sourceClient' | 'timeoutTimestamp' | 'payloads'>,
): Packet {
  const { store, time } = context;
  const { sourceClient, timeoutTimestamp, payloads } = sent;
  const { clientId: destinationClient } = requireCounterparty(context, sourceClient);
  if (!isBefore(time, timeoutTimestamp))
    throw new SdkError(
      channelErrorsV2.timeoutElapsed,
      `timeout is less than or equal the current block timestamp, ${timeoutTimestamp} <= ${seconds(time)}`,
    );
  if (isBefore(time + MAX_TIMEOUT, timeoutTimestamp))
    throw new SdkError(channelErrorsV2.invalidTimeout, 'timeout exceeds the maximum expected value');
  const next = store.get(STORE, nextSequenceSendKeyV2(sourceClient));
  if (next === undefined) throw new SdkError(channelErrorsV2.noSendSequence, `source client: ${sourceClient}`);
  const sequence = readBe64(next);
  const packet = create(PacketSchema, { sequence, sourceClient, destinationClient, timeoutTimestamp, payloads });
  requireValid(packet);
  requireActive(context, sourceClient, (status) => `client (${sourceClient}) status is ${status}`);
  const latest = latestHeight(context, sourceClient);
  if (isZeroHeight(latest))
    throw new SdkError(
      clientErrors.invalidHeight,
      `cannot send packet using client (${sourceClient}) with zero height`,
    );
  const known = seconds(timestampAt(context, sourceClient, latest));
  if (known >= timeoutTimestamp)
    throw new SdkError(
      channelErrorsV2.timeoutElapsed,
      `latest timestamp: ${known}, timeout timestamp: ${timeoutTimestamp}`,
    );
  store.set(STORE, nextSequenceSendKeyV2(sourceClient), be64(sequence + 1n));
  store.set(STORE, packetKeyV2('commitments', sourceClient, sequence), commitmentOf(context, packet));
  emitPacket(context, 'send_packet', packet);
  return packet;
}

/** Validates a packet; all failures have one error code. */
function requireValid(packet: Packet): void {
  try {
    validatePacket(packet);
  } catch (error) {
    if (!isReturned(error)) throw error;
    throw new SdkError(channelErrorsV2.invalidPacket, `constructed packet failed basic validation: ${error.message}`);
  }
}
