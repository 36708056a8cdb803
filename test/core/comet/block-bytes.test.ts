/** Bytes of blocks and votes as Go writes them; recorded blocks are in `vectors.test.ts`. */
import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { blockBytes, canonicalVoteBytes, timestampBytes } from '../../../src/core/comet/block-bytes.js';
import { BlockSchema } from '../../../src/core/proto/tendermint/types/block_pb.js';

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
/** Seconds of Go's zero time as field 1 of a `Timestamp`. */
const ZERO_TIME = '088092b8c398feffffff01';

it('of a block without anything hold its embedded messages', () => {
  expect(toHex(timestampBytes(undefined))).toBe(ZERO_TIME);
  expect(toHex(blockBytes(create(BlockSchema)))).toBe(`0a130a00220b${ZERO_TIME}2a021200` + '12001a00');
});

it('leave out fields that the message does not know', () => {
  const block = create(BlockSchema);
  block.$unknown = [{ no: 9, wireType: 0, data: Uint8Array.of(1) }];
  expect(blockBytes(block)).toEqual(blockBytes(create(BlockSchema)));
});

it('of a vote have fixed widths for height and round, and no block id in a nil vote', () => {
  const vote = { type: 2, height: 258n, round: 1, timestamp: undefined };
  const shown = toHex(canonicalVoteBytes('c', vote, undefined));
  expect(shown).toBe(`240802` + '110201000000000000' + '190100000000000000' + `2a0b${ZERO_TIME}` + '320163');
});
