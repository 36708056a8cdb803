/** `query ibc channelv2 ...` (ibc-go v10 `modules/core/04-channel/v2/client/cli/query.go`). */
import { readBe64 } from '../../core/bytes/big-endian.js';
import { nextSequenceSendKeyV2, packetKeyV2 } from '../../core/modules/ibc/keys.js';
import { Query } from '../../core/proto/ibc/core/channel/v2/query_pb.js';
import { firstPage } from '../first-page.js';
import { type Arguments, proven } from '../provable.js';
import { SEQUENCES, sequenceOf, sequencesOf } from '../sequences.js';
import type { CommandRow } from '../command-table.js';
import { evmPaged, evmQuery } from '../query-rows.js';

const { method } = Query;

const packetOf = ({ text }: Arguments) => ({ clientId: text(0), sequence: sequenceOf(text(1)) });
const named = (words: Arguments): string => `channelID (${words.text(0)}), sequence (${packetOf(words).sequence})`;

export const commands: readonly CommandRow[] = [
  proven(
    'ibc channelv2 next-sequence-send <client-id>',
    'the sequence of the next packet that goes',
    method.nextSequenceSend,
    {
      key: ({ text }) => nextSequenceSendKeyV2(text(0)),
      answer: (value, proof) => ({ nextSequenceSend: readBe64(value), ...proof }),
      missing: ({ text }) => `channelID (${text(0)}): sequence send not found`,
      request: ({ text }) => ({ clientId: text(0) }),
    },
  ),
  proven(
    'ibc channelv2 packet-acknowledgement <client-id> <sequence>',
    'the acknowledgement of a packet',
    method.packetAcknowledgement,
    {
      key: (words) => packetKeyV2('acks', words.text(0), packetOf(words).sequence),
      answer: (acknowledgement, proof) => ({ acknowledgement, ...proof }),
      missing: (words) => `${named(words)}: packet acknowledgement not found`,
      request: packetOf,
    },
  ),
  proven(
    'ibc channelv2 packet-commitment <client-id> <sequence>',
    'the hash of a packet that was sent',
    method.packetCommitment,
    {
      key: (words) => packetKeyV2('commitments', words.text(0), packetOf(words).sequence),
      answer: (commitment, proof) => ({ commitment, ...proof }),
      missing: (words) => `${named(words)}: packet commitment not found`,
      request: packetOf,
    },
  ),
  evmPaged(
    'ibc channelv2 packet-commitments <client-id>',
    'the hashes of all packets that were sent',
    method.packetCommitments,
    (input) => ({ clientId: input.text(0), ...firstPage(input) }),
  ),
  proven('ibc channelv2 packet-receipt <client-id> <sequence>', 'whether a packet was received', method.packetReceipt, {
    key: (words) => packetKeyV2('receipts', words.text(0), packetOf(words).sequence),
    answer: (receipt, proof) => ({ received: receipt.length > 0, ...proof }),
    missing: undefined,
    request: packetOf,
  }),
  evmQuery(
    'ibc channelv2 unreceived-acks <client-id>',
    'those of these packets that are not acknowledged',
    method.unreceivedAcks,
    ({ text, flags }) => ({ clientId: text(0), packetAckSequences: sequencesOf(flags) }),
    { options: [SEQUENCES] },
  ),
  evmQuery(
    'ibc channelv2 unreceived-packets <client-id>',
    'those of these packets that were not received',
    method.unreceivedPackets,
    ({ text, flags }) => ({ clientId: text(0), sequences: sequencesOf(flags) }),
    { options: [SEQUENCES] },
  ),
];
