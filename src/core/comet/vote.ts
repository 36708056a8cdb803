/** Sign bytes of votes: length-prefixed canonical votes (CometBFT spec, consensus/signing). */
import type { BlockID, Vote } from '../proto/tendermint/types/types_pb.js';
import { canonicalVoteBytes } from './block-bytes.js';

/** True for the block id of a nil vote. */
export function isNilBlockId(blockId: BlockID | undefined): boolean {
  return (
    blockId === undefined ||
    (blockId.hash.length === 0 &&
      (blockId.partSetHeader?.total ?? 0) === 0 &&
      (blockId.partSetHeader?.hash.length ?? 0) === 0)
  );
}

/** Sign bytes of a prevote or precommit; `blockId` is undefined for a nil vote. */
export function voteSignBytes(
  chainId: string,
  vote: Pick<Vote, 'type' | 'height' | 'round' | 'blockId' | 'timestamp'>,
): Uint8Array {
  return canonicalVoteBytes(chainId, vote, isNilBlockId(vote.blockId) ? undefined : vote.blockId);
}
