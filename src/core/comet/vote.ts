/** Sign bytes: length-prefixed canonical votes and proposals (CometBFT spec, consensus/signing). */
import { toBinary } from '@bufbuild/protobuf';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { type CanonicalBlockID, CanonicalVoteSchema } from '../proto/tendermint/types/canonical_pb.js';
import type { BlockID, Vote } from '../proto/tendermint/types/types_pb.js';
import { GO_ZERO_TIME, toTimestamp } from './time.js';

/** True for the block id of a nil vote. */
export function isNilBlockId(blockId: BlockID | undefined): boolean {
  return (
    blockId === undefined ||
    (blockId.hash.length === 0 &&
      (blockId.partSetHeader?.total ?? 0) === 0 &&
      (blockId.partSetHeader?.hash.length ?? 0) === 0)
  );
}

/** Sign bytes of a prevote or precommit; a nil vote has no block id. */
export function voteSignBytes(
  chainId: string,
  vote: Pick<Vote, 'type' | 'height' | 'round' | 'blockId' | 'timestamp'>,
): Uint8Array {
  return delimited(
    toBinary(CanonicalVoteSchema, {
      $typeName: 'tendermint.types.CanonicalVote',
      type: vote.type,
      height: vote.height,
      round: BigInt(vote.round),
      blockId: canonicalBlockId(vote.blockId),
      timestamp: vote.timestamp ?? toTimestamp(GO_ZERO_TIME),
      chainId,
    }),
  );
}

function canonicalBlockId(blockId: BlockID | undefined): CanonicalBlockID | undefined {
  if (blockId === undefined || isNilBlockId(blockId)) return undefined;
  const { total = 0, hash = new Uint8Array() } = blockId.partSetHeader ?? {};
  return {
    $typeName: 'tendermint.types.CanonicalBlockID',
    hash: blockId.hash,
    partSetHeader: { $typeName: 'tendermint.types.CanonicalPartSetHeader', total, hash },
  };
}

function delimited(message: Uint8Array): Uint8Array<ArrayBuffer> {
  return new BinaryWriter().bytes(message).finish();
}
