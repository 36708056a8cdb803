/** Messages of a relayer of IBC v2: packets between clients, their acknowledgements and timeouts. */
import { create, fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { packetKeyV2 } from '../../../../../src/core/modules/ibc/keys.js';
import { MsgTransferSchema } from '../../../../../src/core/proto/ibc/applications/transfer/v1/tx_pb.js';
import {
  type Acknowledgement,
  AcknowledgementSchema,
  type Packet,
  PacketSchema,
} from '../../../../../src/core/proto/ibc/core/channel/v2/packet_pb.js';
import * as tx from '../../../../../src/core/proto/ibc/core/channel/v2/tx_pb.js';
import { MsgRegisterCounterpartySchema } from '../../../../../src/core/proto/ibc/core/client/v2/tx_pb.js';
import type { ExecTxResult } from '../../../../../src/core/proto/tendermint/abci/types_pb.js';
import { encodeAddress } from '../../../../../src/core/sdk/codec/address.js';
import { escrowAddress } from '../../../../../src/core/modules/transfer/escrow.js';
import { crypto } from '../../../app/support.js';
import { anyOf, IbcChain, utf8 } from '../chains/chain.js';
import { createClients, deliver, type End, proofOf, synchronize, update } from '../chains/relay.js';

/** The message that names the client of `of` as the counterparty of that of `on`. */
export const register = (on: End, of: End): Any =>
  anyOf(MsgRegisterCounterpartySchema, {
    clientId: on.clientId,
    counterpartyMerklePrefix: [utf8('ibc'), new Uint8Array()],
    counterpartyClientId: of.clientId,
    signer: on.chain.account(0),
  });

/** Makes the clients of two ends counterparties. */
export function pair(ends: readonly [End, End]): { a: End; b: End } {
  const [a, b] = ends;
  deliver(a, [register(a, b)]);
  deliver(b, [register(b, a)]);
  return { a, b };
}

/** The time of a chain plus `more`, in whole seconds. */
export const inSeconds = ({ chain }: End, more: bigint): bigint => chain.now / 1_000_000_000n + more;

type Fields = Partial<Exclude<MessageInitShape<typeof MsgTransferSchema>, { readonly $typeName: string }>>;

/** A transfer from the client of an end. */
export const transfer = (from: End, to: End, denom: string, amount: bigint, change: Fields = {}): Any =>
  anyOf(MsgTransferSchema, {
    sourcePort: 'transfer',
    sourceChannel: from.clientId,
    token: { denom, amount: amount.toString() },
    sender: from.chain.account(0),
    receiver: to.chain.account(1),
    timeoutTimestamp: inSeconds(from, 600n),
    ...change,
  });

/** The packet in the last event of a type, with its acknowledgement if the event has one. */
export function packetOf(
  { events }: ExecTxResult,
  type: 'send_packet' | 'write_acknowledgement' = 'send_packet',
): { readonly packet: Packet; readonly answers: Acknowledgement } {
  const found = events.findLast((event) => event.type === type);
  const at = (key: string): Uint8Array =>
    Buffer.from(found?.attributes.find((each) => each.key === key)?.value ?? '', 'hex');
  if (found === undefined) throw new Error(`no ${type}`);
  return {
    packet: fromBinary(PacketSchema, at('encoded_packet_hex')),
    answers: fromBinary(AcknowledgementSchema, at('encoded_acknowledgement_hex')),
  };
}

/** The message that brings a packet of `of` to `on`, by the newest header of `of`. */
export function receive(on: End, of: End, packet: Packet): Any {
  const { proof, proofHeight } = proofOf(of, packetKeyV2('commitments', packet.sourceClient, packet.sequence));
  return anyOf(tx.MsgRecvPacketSchema, { packet, proofCommitment: proof, proofHeight, signer: on.chain.account(0) });
}

/** The message that brings the acknowledgement of `of` to a packet of `on`. */
export function acknowledge(on: End, of: End, packet: Packet, answers: Acknowledgement): Any {
  const { proof, proofHeight } = proofOf(of, packetKeyV2('acks', packet.destinationClient, packet.sequence));
  return anyOf(tx.MsgAcknowledgementSchema, {
    packet,
    acknowledgement: answers,
    proofAcked: proof,
    proofHeight,
    signer: on.chain.account(0),
  });
}

/** The message that proves to `on` that `of` did not receive a packet. */
export function timeout(on: End, of: End, packet: Packet): Any {
  const { proof, proofHeight } = proofOf(of, packetKeyV2('receipts', packet.destinationClient, packet.sequence));
  return anyOf(tx.MsgTimeoutSchema, { packet, proofUnreceived: proof, proofHeight, signer: on.chain.account(0) });
}

/** Updates the client with the newest header of the other chain, then sends the message. */
export function after(on: End, of: End, make: () => Any): ExecTxResult {
  synchronize(on, of);
  const { known } = on;
  const result = on.chain.send([update(on, of), make()]);
  if (result.code !== 0) on.known = known;
  return result;
}

/** `codespace code: log` of a refused message. */
export const refused = ({ codespace, code, log }: ExecTxResult): string =>
  `${codespace} ${code}: ${log.replace(/failed to execute message; message index: \d: /, '')}`;

/** Attributes of the events of a type. */
export const shown = ({ events }: ExecTxResult, type: string): readonly string[] =>
  events
    .filter((event) => event.type === type)
    .map(({ attributes }) => attributes.map(({ key, value }) => `${key}=${value}`).join(' '));

/** The packet with changed fields. */
export const changed = (packet: Packet, change: Partial<Packet>): Packet =>
  create(PacketSchema, { ...packet, ...change });

/** Two chains with a client of each other. */
export function clients(): readonly [End, End] {
  const [a, b] = createClients(new IbcChain('alpha-1'), new IbcChain('beta-4', { prefix: 'other', denom: 'abeta' }));
  return [a, b];
}

/** Clients of different names on both chains, each the counterparty of the other. */
export function path(): { a: End; b: End } {
  const [a, b] = clients();
  const [, second] = createClients(a.chain, b.chain);
  return pair([a, second]);
}

/** The escrow account of the transfers from the client of an end. */
export const escrowOf = ({ chain, clientId }: End): string =>
  encodeAddress(
    chain.prefix,
    escrowAddress((data) => crypto.sha256(data), { portId: 'transfer', channelId: clientId }),
  );

/** Sends a transfer, and returns its packet. */
export const send = (from: End, to: End, ...rest: [string, bigint, Parameters<typeof transfer>[4]?]): Packet =>
  packetOf(deliver(from, [transfer(from, to, ...rest)])).packet;

/** Relays a packet to the other chain, and its acknowledgement back. */
export function relay(from: End, to: End, packet: Packet) {
  const received = after(to, from, () => receive(to, from, packet));
  if (received.code !== 0) throw new Error(received.log);
  const { answers } = packetOf(received, 'write_acknowledgement');
  const answered = after(from, to, () => acknowledge(from, to, packet, answers));
  if (answered.code !== 0) throw new Error(answered.log);
  return { received, answered, answer: answers.appAcknowledgements[0] ?? new Uint8Array() };
}
