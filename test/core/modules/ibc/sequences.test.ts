/** Query NextSequenceReceive, also for ordered channels, which a genesis can bring. */
import { fromBinary } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { be64 } from '../../../../src/core/bytes/big-endian.js';
import { channelQueries } from '../../../../src/core/modules/ibc/channel/queries.js';
import { channelKey, nextSequenceRecvKey } from '../../../../src/core/modules/ibc/keys.js';
import { STORE } from '../../../../src/core/modules/ibc/store.js';
import { ChannelSchema, Order } from '../../../../src/core/proto/ibc/core/channel/v1/channel_pb.js';
import * as pb from '../../../../src/core/proto/ibc/core/channel/v1/query_pb.js';
import { contextOf, DevChain } from '../../app/dev-chain.js';
import { encode } from '../../../support/encode.js';

const CHANNEL = { portId: 'transfer', channelId: 'channel-0' };
const PATH = '/ibc.core.channel.v1.Query/NextSequenceReceive';

/** The answer for a channel of this ordering whose next packet has this sequence. */
function next(ordering: Order, sequence: bigint | undefined): bigint {
  const context = contextOf(new DevChain());
  context.store.set(STORE, channelKey(CHANNEL), encode(ChannelSchema, { ordering }));
  if (sequence !== undefined) context.store.set(STORE, nextSequenceRecvKey(CHANNEL), be64(sequence));
  const query = channelQueries.find(({ path }) => path === PATH);
  if (query === undefined) throw new Error('no query');
  const schema = pb.QueryNextSequenceReceiveRequestSchema;
  const answer = query.handle(context, encode(schema, CHANNEL));
  return fromBinary(pb.QueryNextSequenceReceiveResponseSchema, answer).nextSequenceReceive;
}

test('NextSequenceReceive answers the stored sequence of an ordered channel', () => {
  expect(next(Order.ORDERED, 7n)).toBe(7n);
});

test('NextSequenceReceive answers 0 for an unordered channel', () => {
  expect(next(Order.UNORDERED, 7n)).toBe(0n);
});

test('NextSequenceReceive is refused when the state has no sequence for the channel', () => {
  expect(() => next(Order.ORDERED, undefined)).toThrow(
    'port-id: transfer, channel-id channel-0: sequence receive not found',
  );
});
