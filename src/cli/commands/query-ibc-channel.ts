/** `query ibc channel ...` (ibc-go v10 `modules/core/04-channel/client/cli/query.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { readBe64 } from '../../core/bytes/big-endian.js';
import { channelKey, nextSequenceRecvKey, nextSequenceSendKey, packetKey } from '../../core/modules/ibc/keys.js';
import { ChannelSchema } from '../../core/proto/ibc/core/channel/v1/channel_pb.js';
import { Query } from '../../core/proto/ibc/core/channel/v1/query_pb.js';
import { type Arguments, proven } from '../table/provable.js';
import { SEQUENCES, sequenceOf, sequencesOf } from '../table/sequences.js';
import { evmUnary } from '../table/unary.js';
import type { CommandRow } from '../table/command-table.js';
import { ask } from '../table/command-rows.js';
import { evmQuery, evmFirstPage } from '../table/query-rows.js';

const { method } = Query;

const channelOf = ({ text }: Arguments) => ({ portId: text(0), channelId: text(1) });
const sequence = ({ text }: Arguments): bigint => sequenceOf(text(2));
const named = ({ text }: Arguments): string => `portID (${text(0)}), channelID (${text(1)})`;

const missing = (words: Arguments): string => `${named(words)}: channel not found`;

export const commands: readonly CommandRow[] = [
  evmFirstPage('ibc channel channels', 'all channels', method.channels),
  evmFirstPage('ibc channel connections <connection-id>', 'the channels of a connection', method.connectionChannels),
  ask(
    'ibc channel client-state <port-id> <channel-id>',
    'the client of a channel',
    evmUnary(method.channelClientState, channelOf, 'identified_client_state'),
  ),
  proven('ibc channel end <port-id> <channel-id>', 'a channel', method.channel, {
    key: (words) => channelKey(channelOf(words)),
    answer: (value, proof) => ({ channel: fromBinary(ChannelSchema, value), ...proof }),
    missing,
  }),
  proven(
    'ibc channel next-sequence-receive <port-id> <channel-id>',
    'the sequence of the next packet that comes',
    method.nextSequenceReceive,
    {
      key: (words) => nextSequenceRecvKey(channelOf(words)),
      answer: (value, proof) => ({ nextSequenceReceive: readBe64(value), ...proof }),
      missing,
    },
  ),
  proven(
    'ibc channel next-sequence-send <port-id> <channel-id>',
    'the sequence of the next packet that goes',
    method.nextSequenceSend,
    {
      key: (words) => nextSequenceSendKey(channelOf(words)),
      answer: (value, proof) => ({ nextSequenceSend: readBe64(value), ...proof }),
      missing,
    },
  ),
  proven(
    'ibc channel packet-ack <port-id> <channel-id> <sequence>',
    'the acknowledgement of a packet',
    method.packetAcknowledgement,
    {
      key: (words) => packetKey('acks', channelOf(words), sequence(words)),
      answer: (acknowledgement, proof) => ({ acknowledgement, ...proof }),
      missing: (words) => `${named(words)}, sequence (${sequence(words)}): invalid acknowledgement`,
    },
  ),
  proven(
    'ibc channel packet-commitment <port-id> <channel-id> <sequence>',
    'the hash of a packet that was sent',
    method.packetCommitment,
    {
      key: (words) => packetKey('commitments', channelOf(words), sequence(words)),
      answer: (commitment, proof) => ({ commitment, ...proof }),
      missing: (words) => `${named(words)}, sequence (${sequence(words)}): packet commitment not found`,
    },
  ),
  evmFirstPage(
    'ibc channel packet-commitments <port-id> <channel-id>',
    'the hashes of all packets that were sent',
    method.packetCommitments,
  ),
  proven(
    'ibc channel packet-receipt <port-id> <channel-id> <sequence>',
    'whether a packet was received',
    method.packetReceipt,
    {
      key: (words) => packetKey('receipts', channelOf(words), sequence(words)),
      answer: (receipt, proof) => ({ received: receipt.length > 0, ...proof }),
      missing: undefined,
    },
  ),
  evmQuery(
    'ibc channel unreceived-acks <port-id> <channel-id>',
    'those of these packets that are not acknowledged',
    method.unreceivedAcks,
    {
      request: (input) => ({ ...channelOf(input), packetAckSequences: sequencesOf(input.flags) }),
      options: [SEQUENCES],
    },
  ),
  evmQuery(
    'ibc channel unreceived-packets <port-id> <channel-id>',
    'those of these packets that were not received',
    method.unreceivedPackets,
    {
      request: (input) => ({ ...channelOf(input), packetCommitmentSequences: sequencesOf(input.flags) }),
      options: [SEQUENCES],
    },
  ),
];
