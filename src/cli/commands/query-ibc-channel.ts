/** `query ibc channel ...` (ibc-go v10 `modules/core/04-channel/client/cli/query.go`). */
import { fromBinary } from '@bufbuild/protobuf';
import { readBe64 } from '../../core/bytes/big-endian.js';
import { channelKey, nextSequenceRecvKey, nextSequenceSendKey, packetKey } from '../../core/modules/ibc/keys.js';
import { ChannelSchema } from '../../core/proto/ibc/core/channel/v1/channel_pb.js';
import { Query } from '../../core/proto/ibc/core/channel/v1/query_pb.js';
import { firstPage } from '../first-page.js';
import { type Arguments, proven } from '../provable.js';
import { SEQUENCES, sequenceOf, sequencesOf } from '../sequences.js';
import { evmUnary } from '../unary.js';
import type { CommandRow } from '../command-table.js';
import { ask } from '../command-rows.js';
import { evmPaged, evmQuery } from '../query-rows.js';

const { method } = Query;

const channelOf = ({ text }: Arguments) => ({ portId: text(0), channelId: text(1) });
const packetOf = (words: Arguments) => ({ ...channelOf(words), sequence: sequenceOf(words.text(2)) });
const named = ({ text }: Arguments): string => `portID (${text(0)}), channelID (${text(1)})`;

const OF_CHANNEL = { missing: (words: Arguments) => `${named(words)}: channel not found`, request: channelOf };

export const commands: readonly CommandRow[] = [
  evmPaged('ibc channel channels', 'all channels', method.channels, firstPage),
  evmPaged(
    'ibc channel connections <connection-id>',
    'the channels of a connection',
    method.connectionChannels,
    (input) => ({ connection: input.text(0), ...firstPage(input) }),
  ),
  ask(
    'ibc channel client-state <port-id> <channel-id>',
    'the client of a channel',
    evmUnary(method.channelClientState, channelOf, 'identified_client_state'),
  ),
  proven('ibc channel end <port-id> <channel-id>', 'a channel', method.channel, {
    key: (words) => channelKey(channelOf(words)),
    answer: (value, proof) => ({ channel: fromBinary(ChannelSchema, value), ...proof }),
    ...OF_CHANNEL,
  }),
  proven(
    'ibc channel next-sequence-receive <port-id> <channel-id>',
    'the sequence of the next packet that comes',
    method.nextSequenceReceive,
    {
      key: (words) => nextSequenceRecvKey(channelOf(words)),
      answer: (value, proof) => ({ nextSequenceReceive: readBe64(value), ...proof }),
      ...OF_CHANNEL,
    },
  ),
  proven(
    'ibc channel next-sequence-send <port-id> <channel-id>',
    'the sequence of the next packet that goes',
    method.nextSequenceSend,
    {
      key: (words) => nextSequenceSendKey(channelOf(words)),
      answer: (value, proof) => ({ nextSequenceSend: readBe64(value), ...proof }),
      ...OF_CHANNEL,
    },
  ),
  proven(
    'ibc channel packet-ack <port-id> <channel-id> <sequence>',
    'the acknowledgement of a packet',
    method.packetAcknowledgement,
    {
      key: (words) => packetKey('acks', channelOf(words), packetOf(words).sequence),
      answer: (acknowledgement, proof) => ({ acknowledgement, ...proof }),
      missing: (words) => `${named(words)}, sequence (${packetOf(words).sequence}): invalid acknowledgement`,
      request: packetOf,
    },
  ),
  proven(
    'ibc channel packet-commitment <port-id> <channel-id> <sequence>',
    'the hash of a packet that was sent',
    method.packetCommitment,
    {
      key: (words) => packetKey('commitments', channelOf(words), packetOf(words).sequence),
      answer: (commitment, proof) => ({ commitment, ...proof }),
      missing: (words) => `${named(words)}, sequence (${packetOf(words).sequence}): packet commitment not found`,
      request: packetOf,
    },
  ),
  evmPaged(
    'ibc channel packet-commitments <port-id> <channel-id>',
    'the hashes of all packets that were sent',
    method.packetCommitments,
    (input) => ({ ...channelOf(input), ...firstPage(input) }),
  ),
  proven(
    'ibc channel packet-receipt <port-id> <channel-id> <sequence>',
    'whether a packet was received',
    method.packetReceipt,
    {
      key: (words) => packetKey('receipts', channelOf(words), packetOf(words).sequence),
      answer: (receipt, proof) => ({ received: receipt.length > 0, ...proof }),
      missing: undefined,
      request: packetOf,
    },
  ),
  evmQuery(
    'ibc channel unreceived-acks <port-id> <channel-id>',
    'those of these packets that are not acknowledged',
    method.unreceivedAcks,
    (input) => ({ ...channelOf(input), packetAckSequences: sequencesOf(input.flags) }),
    { options: [SEQUENCES] },
  ),
  evmQuery(
    'ibc channel unreceived-packets <port-id> <channel-id>',
    'those of these packets that were not received',
    method.unreceivedPackets,
    (input) => ({ ...channelOf(input), packetCommitmentSequences: sequencesOf(input.flags) }),
    { options: [SEQUENCES] },
  ),
];
