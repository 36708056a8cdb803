/** What validators sign: length-prefixed canonical votes and proposals (cometbft-rpc.md 7.2, 7.4). */
import { create, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import {
  type CanonicalBlockID, CanonicalBlockIDSchema, CanonicalPartSetHeaderSchema, CanonicalVoteSchema,
} from '../proto/tendermint/types/canonical_pb.js';
import type { BlockID, Vote } from '../proto/tendermint/types/types_pb.js';
import { GO_ZERO_TIME, toTimestamp } from './time.js';

/** True for the block id of a vote for no block. */
export function isNilBlockId(blockId: BlockID | undefined): boolean {
  return blockId === undefined
    || (blockId.hash.length === 0 && (blockId.partSetHeader?.total ?? 0) === 0 && (blockId.partSetHeader?.hash.length ?? 0) === 0);
}

/** Bytes under the signature of a prevote or precommit; a nil vote carries no block id at all. */
export function voteSignBytes(chainId: string, vote: Pick<Vote, 'type' | 'height' | 'round' | 'blockId' | 'timestamp'>): Uint8Array {
  return delimited(toBinary(CanonicalVoteSchema, create(CanonicalVoteSchema, {
    type: vote.type,
    height: vote.height,
    round: BigInt(vote.round),
    ...canonicalBlockId(vote.blockId),
    timestamp: vote.timestamp ?? toTimestamp(GO_ZERO_TIME),
    chainId,
  })));
}

function canonicalBlockId(blockId: BlockID | undefined): { readonly blockId?: CanonicalBlockID } {
  if (blockId === undefined || isNilBlockId(blockId)) return {};
  const { total = 0, hash = new Uint8Array() } = blockId.partSetHeader ?? {};
  const partSetHeader = create(CanonicalPartSetHeaderSchema, { total, hash });
  return { blockId: create(CanonicalBlockIDSchema, { hash: blockId.hash, partSetHeader }) };
}

function delimited(message: Uint8Array): Uint8Array<ArrayBuffer> {
  return new BinaryWriter().bytes(message).finish();
}
