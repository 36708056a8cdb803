/** `query ibc channelv2 ...` (ibc-go v10 `modules/core/04-channel/v2/client/cli/query.go`). */
import { readBe64 } from '../../core/bytes/big-endian.js';
import { nextSequenceSendKeyV2, packetKeyV2 } from '../../core/modules/ibc/keys.js';
import { Query } from '../../core/proto/ibc/core/channel/v2/query_pb.js';
import { firstPage } from '../first-page.js';
import { provable } from '../provable.js';
import { sequenceOf, sequencesOf } from '../sequences.js';
import { evmUnary } from '../unary.js';

const { method } = Query;

interface Words {
  readonly text: (index: number) => string;
}

const packetOf = ({ text }: Words) => ({ clientId: text(0), sequence: sequenceOf(text(1)) });
const named = (words: Words): string => `channelID (${words.text(0)}), sequence (${packetOf(words).sequence})`;

export const packetCommitments = evmUnary(method.packetCommitments, (input) => ({
  clientId: input.text(0),
  ...firstPage(input),
}));
export const unreceivedPackets = evmUnary(method.unreceivedPackets, ({ text, flags }) => ({
  clientId: text(0),
  sequences: sequencesOf(flags),
}));
export const unreceivedAcks = evmUnary(method.unreceivedAcks, ({ text, flags }) => ({
  clientId: text(0),
  packetAckSequences: sequencesOf(flags),
}));

export const nextSequenceSend = provable(method.nextSequenceSend, {
  key: ({ text }) => nextSequenceSendKeyV2(text(0)),
  answer: (value, proof) => ({ nextSequenceSend: readBe64(value), ...proof }),
  missing: ({ text }) => `channelID (${text(0)}): sequence send not found`,
  request: ({ text }) => ({ clientId: text(0) }),
});

export const packetCommitment = provable(method.packetCommitment, {
  key: (words) => packetKeyV2('commitments', words.text(0), packetOf(words).sequence),
  answer: (commitment, proof) => ({ commitment, ...proof }),
  missing: (words) => `${named(words)}: packet commitment not found`,
  request: packetOf,
});

export const packetAcknowledgement = provable(method.packetAcknowledgement, {
  key: (words) => packetKeyV2('acks', words.text(0), packetOf(words).sequence),
  answer: (acknowledgement, proof) => ({ acknowledgement, ...proof }),
  missing: (words) => `${named(words)}: packet acknowledgement not found`,
  request: packetOf,
});

export const packetReceipt = provable(method.packetReceipt, {
  key: (words) => packetKeyV2('receipts', words.text(0), packetOf(words).sequence),
  answer: (receipt, proof) => ({ received: receipt.length > 0, ...proof }),
  missing: undefined,
  request: packetOf,
});
