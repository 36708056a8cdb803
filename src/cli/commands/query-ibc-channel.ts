/** `query ibc channel ...` (ibc-go v10 `modules/core/04-channel/client/cli/query.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { readBe64 } from '../../core/bytes/big-endian.js';
import { channelKey, nextSequenceRecvKey, nextSequenceSendKey, packetKey } from '../../core/modules/ibc/keys.js';
import { ChannelSchema } from '../../core/proto/ibc/core/channel/v1/channel_pb.js';
import { Query } from '../../core/proto/ibc/core/channel/v1/query_pb.js';
import { firstPage } from '../first-page.js';
import { provable } from '../provable.js';
import { sequenceOf, sequencesOf } from '../sequences.js';
import { evmUnary } from '../unary.js';

const { method } = Query;

interface Words {
  readonly text: (index: number) => string;
}

const channelOf = ({ text }: Words) => ({ portId: text(0), channelId: text(1) });
const packetOf = (words: Words) => ({ ...channelOf(words), sequence: sequenceOf(words.text(2)) });
const named = ({ text }: Words): string => `portID (${text(0)}), channelID (${text(1)})`;

export const channels = evmUnary(method.channels, firstPage);
export const connections = evmUnary(method.connectionChannels, (input) => ({
  connection: input.text(0),
  ...firstPage(input),
}));
export const clientState = evmUnary(method.channelClientState, channelOf, 'identified_client_state');
export const packetCommitments = evmUnary(method.packetCommitments, (input) => ({
  ...channelOf(input),
  ...firstPage(input),
}));
export const unreceivedPackets = evmUnary(method.unreceivedPackets, (input) => ({
  ...channelOf(input),
  packetCommitmentSequences: sequencesOf(input.flags),
}));
export const unreceivedAcks = evmUnary(method.unreceivedAcks, (input) => ({
  ...channelOf(input),
  packetAckSequences: sequencesOf(input.flags),
}));

export const end = provable(method.channel, {
  key: (words) => channelKey(channelOf(words)),
  answer: (value, proof) => ({ channel: fromBinary(ChannelSchema, value), ...proof }),
  missing: (words) => `${named(words)}: channel not found`,
  request: channelOf,
});

export const nextSequenceReceive = provable(method.nextSequenceReceive, {
  key: (words) => nextSequenceRecvKey(channelOf(words)),
  answer: (value, proof) => ({ nextSequenceReceive: readBe64(value), ...proof }),
  missing: (words) => `${named(words)}: channel not found`,
  request: channelOf,
});

export const nextSequenceSend = provable(method.nextSequenceSend, {
  key: (words) => nextSequenceSendKey(channelOf(words)),
  answer: (value, proof) => ({ nextSequenceSend: readBe64(value), ...proof }),
  missing: (words) => `${named(words)}: channel not found`,
  request: channelOf,
});

export const packetCommitment = provable(method.packetCommitment, {
  key: (words) => packetKey('commitments', channelOf(words), packetOf(words).sequence),
  answer: (commitment, proof) => ({ commitment, ...proof }),
  missing: (words) => `${named(words)}, sequence (${packetOf(words).sequence}): packet commitment not found`,
  request: packetOf,
});

export const packetAck = provable(method.packetAcknowledgement, {
  key: (words) => packetKey('acks', channelOf(words), packetOf(words).sequence),
  answer: (acknowledgement, proof) => ({ acknowledgement, ...proof }),
  missing: (words) => `${named(words)}, sequence (${packetOf(words).sequence}): invalid acknowledgement`,
  request: packetOf,
});

export const packetReceipt = provable(method.packetReceipt, {
  key: (words) => packetKey('receipts', channelOf(words), packetOf(words).sequence),
  answer: (receipt, proof) => ({ received: receipt.length > 0, ...proof }),
  missing: undefined,
  request: packetOf,
});
