/** `query ibc channelv2 ...` (ibc-go v10 `modules/core/04-channel/v2/client/cli/query.go`). */
import { readBe64 } from '../../core/bytes/big-endian.js';
import { nextSequenceSendKeyV2, packetKeyV2 } from '../../core/modules/ibc/keys.js';
import { Query } from '../../core/proto/ibc/core/channel/v2/query_pb.js';
import { type Arguments, proven } from '../table/provable.js';
import { SEQUENCES, sequenceOf, sequencesOf } from '../table/sequences.js';
import type { CommandRow } from '../table/command-table.js';
import { evmQuery, evmFirstPage } from '../table/query-rows.js';

const { method } = Query;

const sequence = ({ text }: Arguments): bigint => sequenceOf(text(1));
const named = (words: Arguments): string => `channelID (${words.text(0)}), sequence (${sequence(words)})`;

export const commands: readonly CommandRow[] = [
  proven(
    'ibc channelv2 next-sequence-send <client-id>',
    'the sequence of the next packet that goes',
    method.nextSequenceSend,
    {
      key: ({ text }) => nextSequenceSendKeyV2(text(0)),
      answer: (value, proof) => ({ nextSequenceSend: readBe64(value), ...proof }),
      missing: ({ text }) => `channelID (${text(0)}): sequence send not found`,
    },
  ),
  proven(
    'ibc channelv2 packet-acknowledgement <client-id> <sequence>',
    'the acknowledgement of a packet',
    method.packetAcknowledgement,
    {
      key: (words) => packetKeyV2('acks', words.text(0), sequence(words)),
      answer: (acknowledgement, proof) => ({ acknowledgement, ...proof }),
      missing: (words) => `${named(words)}: packet acknowledgement not found`,
    },
  ),
  proven(
    'ibc channelv2 packet-commitment <client-id> <sequence>',
    'the hash of a packet that was sent',
    method.packetCommitment,
    {
      key: (words) => packetKeyV2('commitments', words.text(0), sequence(words)),
      answer: (commitment, proof) => ({ commitment, ...proof }),
      missing: (words) => `${named(words)}: packet commitment not found`,
    },
  ),
  evmFirstPage(
    'ibc channelv2 packet-commitments <client-id>',
    'the hashes of all packets that were sent',
    method.packetCommitments,
  ),
  proven('ibc channelv2 packet-receipt <client-id> <sequence>', 'whether a packet was received', method.packetReceipt, {
    key: (words) => packetKeyV2('receipts', words.text(0), sequence(words)),
    answer: (receipt, proof) => ({ received: receipt.length > 0, ...proof }),
    missing: undefined,
  }),
  evmQuery(
    'ibc channelv2 unreceived-acks <client-id>',
    'those of these packets that are not acknowledged',
    method.unreceivedAcks,
    {
      request: ({ text, flags }) => ({ clientId: text(0), packetAckSequences: sequencesOf(flags) }),
      options: [SEQUENCES],
    },
  ),
  evmQuery(
    'ibc channelv2 unreceived-packets <client-id>',
    'those of these packets that were not received',
    method.unreceivedPackets,
    { request: ({ text, flags }) => ({ clientId: text(0), sequences: sequencesOf(flags) }), options: [SEQUENCES] },
  ),
];
