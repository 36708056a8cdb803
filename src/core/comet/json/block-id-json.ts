/** JSON of block ids and timestamps (CometBFT v0.38 `types/block.go`). */
import { create } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { type BlockID, BlockIDSchema } from '../../proto/tendermint/types/types_pb.js';
import { fromHex, upperHex } from '../../bytes/hex.js';
import { parseTime, toTimestamp } from '../time.js';

export type BlockIdJson = ReturnType<typeof blockIdToJson>;

/** Writes hashes in upper-case hex; an absent block id has empty hashes and 0 parts. */
export function blockIdToJson(blockId: BlockID | undefined) {
  const { total = 0, hash = new Uint8Array() } = blockId?.partSetHeader ?? {};
  return { hash: upperHex(blockId?.hash ?? new Uint8Array()), parts: { total, hash: upperHex(hash) } };
}

/** Inverse of `blockIdToJson`; throws for a hash that is not hex. */
export function blockIdFromJson(json: BlockIdJson): BlockID {
  return create(BlockIDSchema, {
    hash: fromHex(json.hash),
    partSetHeader: { total: json.parts.total, hash: fromHex(json.parts.hash) },
  });
}

/** Parses an RFC 3339 time; throws RangeError on other text. */
export function timestampFromJson(text: string): Timestamp {
  const time = parseTime(text);
  if (time === undefined) throw new RangeError(`not an RFC 3339 time: ${text}`);
  return toTimestamp(time);
}
