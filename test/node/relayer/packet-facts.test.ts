import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import {
  QueryPacketCommitmentsRequestSchema,
  QueryPacketCommitmentsResponseSchema,
} from '../../../src/core/proto/ibc/core/channel/v1/query_pb.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { directionOf, openSequences } from '../../../src/node/relayer/packet-facts.js';
import { crypto } from '../../core/app/support.js';
import { Chain } from './chain.js';

test('at most relayedPackets packets of a channel are read at once', async () => {
  const asked: (bigint | undefined)[] = [];
  const chain = new Chain({
    abci_query({ data }) {
      const request = fromBinary(QueryPacketCommitmentsRequestSchema, Buffer.from(String(data), 'hex'));
      asked.push(request.pagination?.limit);
      const commitments = [3n, 1n].map((sequence) => ({ sequence, data: new Uint8Array(32) }));
      const answer = create(QueryPacketCommitmentsResponseSchema, { commitments });
      const value = Buffer.from(toBinary(QueryPacketCommitmentsResponseSchema, answer)).toString('base64');
      return { response: { code: 0, value, height: '7' } };
    },
  });
  const end = { clientId: '07-tendermint-0', connectionId: 'connection-0', channelId: 'channel-0' };
  const direction = directionOf({ remotes: { a: chain, b: chain }, ends: { a: end, b: end }, crypto }, 'a');
  expect(await openSequences(direction)).toEqual([1n, 3n]);
  expect(asked).toEqual([FIXED_LIMITS.relayedPackets]);
});
