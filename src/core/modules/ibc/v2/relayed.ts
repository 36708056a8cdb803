/** Verifies relayed v2 packets (ibc-go v10 `modules/core/04-channel/v2/keeper/packet.go`). */
import { equal } from '../../../bytes/bytes.js';
import type { Acknowledgement, Packet } from '../../../proto/ibc/core/channel/v2/packet_pb.js';
import { listedBytes } from '../../../sdk/go/go-text.js';
import type { Context } from '../../../sdk/module/context.js';
import { has } from '../../../sdk/module/gas.js';
import { wrapping } from '../../../sdk/module/returned-error.js';
import { SdkError } from '../../../sdk/module/sdk-error.js';
import { timestampAt, verifyClaimOf } from '../client/clients.js';
import { NO_DELAY } from '../client/tendermint-proofs.js';
import type { Proof } from '../connection/counterparty.js';
import { channelErrorsV2 } from '../errors.js';
import { packetKeyV2 } from '../keys.js';
import { STORE } from '../store.js';
import { commitmentOf, commitmentOfAnswer } from './commitments.js';
import { pathOf, requireCounterpartyIs } from './counterparties.js';
import { emitPacket } from './packet-events.js';
import { seconds } from './time.js';

const RECEIVED = Uint8Array.of(2);

const timedOut = (now: bigint, { timeoutTimestamp }: Packet, what: string): string =>
  `${what} timestamp: ${now}, timeout timestamp: ${timeoutTimestamp}`;

/** Verifies a packet's proof and records its receipt; false when it was received before. */
export function receivePacket(context: Context, packet: Packet, { proof, height }: Proof): boolean {
  const { store, time } = context;
  const { sourceClient, destinationClient, sequence, timeoutTimestamp } = packet;
  const counterparty = requireCounterpartyIs(context, destinationClient, 'source', sourceClient);
  if (seconds(time) >= timeoutTimestamp)
    throw new SdkError(channelErrorsV2.timeoutElapsed, timedOut(seconds(time), packet, 'current'));
  const receipt = packetKeyV2('receipts', destinationClient, sequence);
  if (has(store, STORE, receipt)) return false;
  const path = pathOf(counterparty, packetKeyV2('commitments', sourceClient, sequence));
  const value = commitmentOf(context, packet);
  wrapping(`failed packet commitment verification for client (${destinationClient})`, () =>
    verifyClaimOf(context, destinationClient, { path, value, proof, height, delay: NO_DELAY }),
  );
  store.set(STORE, receipt, RECEIVED);
  emitPacket(context, 'recv_packet', packet);
  return true;
}

/** Stores the acknowledgements of a packet. */
export function writeAnswers(context: Context, packet: Packet, answers: Acknowledgement): void {
  const { store } = context;
  const { sourceClient, destinationClient, sequence } = packet;
  requireCounterpartyIs(context, destinationClient, 'source', sourceClient);
  const key = packetKeyV2('acks', destinationClient, sequence);
  if (store.get(STORE, key) !== undefined)
    throw new SdkError(
      channelErrorsV2.acknowledgementExists,
      `acknowledgement for id ${destinationClient}, sequence ${sequence} already exists`,
    );
  if (store.get(STORE, packetKeyV2('receipts', destinationClient, sequence)) === undefined)
    throw new SdkError(channelErrorsV2.invalidPacket, 'receipt not found for packet');
  store.set(STORE, key, commitmentOfAnswer(context, answers));
  emitPacket(context, 'write_acknowledgement', packet, answers);
}

/**
 * True when a packet is not acknowledged yet; throws for another packet with its sequence, with a text that `say`
 * makes from both commitments.
 */
function isWaiting(context: Context, packet: Packet, say: (kept: string, got: string) => string): boolean {
  const kept = context.store.get(STORE, packetKeyV2('commitments', packet.sourceClient, packet.sequence));
  if (kept === undefined) return false;
  const got = commitmentOf(context, packet);
  if (!equal(kept, got)) throw new SdkError(channelErrorsV2.invalidPacket, say(listedBytes(kept), listedBytes(got)));
  return true;
}

/** Verifies the proof of an acknowledgement; false when the packet was acknowledged before. */
export function acknowledgePacket(
  context: Context,
  packet: Packet,
  answers: Acknowledgement,
  { proof, height }: Proof,
): boolean {
  const { sourceClient, destinationClient, sequence } = packet;
  const counterparty = requireCounterpartyIs(context, sourceClient, 'destination', destinationClient);
  if (!isWaiting(context, packet, (kept, got) => `commitment bytes are not equal: got (${got}), expected (${kept})`))
    return false;
  const path = pathOf(counterparty, packetKeyV2('acks', destinationClient, sequence));
  const value = commitmentOfAnswer(context, answers);
  wrapping(`failed packet acknowledgement verification for client (${sourceClient})`, () =>
    verifyClaimOf(context, sourceClient, { path, value, proof, height, delay: NO_DELAY }),
  );
  context.store.delete(STORE, packetKeyV2('commitments', sourceClient, sequence));
  emitPacket(context, 'acknowledge_packet', packet);
  return true;
}

/** Verifies that a packet was not received before its timeout; false when it is no longer pending. */
export function timeOut(context: Context, packet: Packet, { proof, height }: Proof): boolean {
  const { sourceClient, destinationClient, sequence, timeoutTimestamp } = packet;
  const counterparty = requireCounterpartyIs(context, sourceClient, 'destination', destinationClient);
  const now = seconds(timestampAt(context, sourceClient, height));
  if (now < timeoutTimestamp) throw new SdkError(channelErrorsV2.timeoutNotReached, timedOut(now, packet, 'proof'));
  if (
    !isWaiting(
      context,
      packet,
      (kept, got) => `packet commitment bytes are not equal: got (${kept}), expected (${got})`,
    )
  )
    return false;
  const path = pathOf(counterparty, packetKeyV2('receipts', destinationClient, sequence));
  wrapping(`failed packet receipt absence verification for client (${sourceClient})`, () =>
    verifyClaimOf(context, sourceClient, { path, value: undefined, proof, height, delay: NO_DELAY }),
  );
  context.store.delete(STORE, packetKeyV2('commitments', sourceClient, sequence));
  emitPacket(context, 'timeout_packet', packet);
  return true;
}
