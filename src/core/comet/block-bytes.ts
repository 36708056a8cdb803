/**
 * The bytes of blocks, commits and votes as Go writes them: embedded messages that gogoproto declares non-nullable are
 * written when they are absent, too (`docs/decisions/0002-protobuf.md`), and unknown fields are not written.
 */
import { create, toBinary, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { Int64ValueSchema, TimestampSchema, type Timestamp } from '@bufbuild/protobuf/wkt';
import '../text/message-text.js';
import { BlockSchema, type Block } from '../proto/tendermint/types/block_pb.js';
import { CanonicalVoteSchema } from '../proto/tendermint/types/canonical_pb.js';
import {
  BlockIDSchema,
  CommitSchema,
  CommitSigSchema,
  HeaderSchema,
  type BlockID,
  type Commit,
  type CommitSig,
  type Header,
  type Vote,
} from '../proto/tendermint/types/types_pb.js';
import { ConsensusSchema, type Consensus } from '../proto/tendermint/version/types_pb.js';
import { completeBlock, completeBlockId, completeCommit, completeCommitSig, completeHeader } from './complete.js';
import { GO_ZERO_TIME, toTimestamp } from './time.js';

function bytesOf<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Uint8Array {
  return toBinary(schema, message, { writeUnknownFields: false });
}

/** `tendermint.types.Block`. */
export const blockBytes = (block: Block): Uint8Array => bytesOf(BlockSchema, completeBlock(block));

/** `tendermint.types.Header`. */
export const headerBytes = (header: Header): Uint8Array => bytesOf(HeaderSchema, completeHeader(header));

/** `tendermint.types.Commit`. */
export const commitBytes = (commit: Commit): Uint8Array => bytesOf(CommitSchema, completeCommit(commit));

/** `tendermint.types.CommitSig`. */
export const commitSigBytes = (signature: CommitSig): Uint8Array =>
  bytesOf(CommitSigSchema, completeCommitSig(signature));

/** `tendermint.types.BlockID`. */
export const blockIdBytes = (blockId: BlockID | undefined): Uint8Array =>
  bytesOf(BlockIDSchema, completeBlockId(blockId));

/** `tendermint.version.Consensus`. */
export const versionBytes = (version: Consensus | undefined): Uint8Array =>
  bytesOf(ConsensusSchema, version ?? create(ConsensusSchema));

/** `google.protobuf.Timestamp`; an absent time is Go's zero time. */
export const timestampBytes = (time: Timestamp | undefined): Uint8Array =>
  bytesOf(TimestampSchema, time ?? toTimestamp(GO_ZERO_TIME));

/** `google.protobuf.Int64Value`. */
export const int64Bytes = (value: bigint): Uint8Array =>
  bytesOf(Int64ValueSchema, { $typeName: 'google.protobuf.Int64Value', value });

/** `tendermint.types.CanonicalVote` behind its length; `blockId` is undefined in a nil vote. */
export function canonicalVoteBytes(
  chainId: string,
  { type, height, round, timestamp }: Pick<Vote, 'type' | 'height' | 'round' | 'timestamp'>,
  blockId: BlockID | undefined,
): Uint8Array {
  const { hash, partSetHeader } = completeBlockId(blockId);
  const { total = 0, hash: partsHash = hash } = partSetHeader ?? {};
  const vote = bytesOf(CanonicalVoteSchema, {
    $typeName: 'tendermint.types.CanonicalVote',
    type,
    height,
    round: BigInt(round),
    ...(blockId && {
      blockId: {
        $typeName: 'tendermint.types.CanonicalBlockID',
        hash,
        partSetHeader: { $typeName: 'tendermint.types.CanonicalPartSetHeader', total, hash: partsHash },
      },
    }),
    timestamp: timestamp ?? toTimestamp(GO_ZERO_TIME),
    chainId,
  });
  return new BinaryWriter().bytes(vote).finish();
}
