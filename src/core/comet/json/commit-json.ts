/** JSON of commits (CometBFT v0.38 `types/block.go`) and its inverse. */
import { create } from '@bufbuild/protobuf';
import { type Commit, type CommitSig, CommitSigSchema, CommitSchema } from '../../proto/tendermint/types/types_pb.js';
import { formatTime, fromTimestamp } from '../time.js';
import { fromBase64, toBase64OrNull } from '../../bytes/base64.js';
import { fromHex, upperHex } from '../../bytes/hex.js';
import { blockIdFromJson, blockIdToJson, timestampFromJson } from './block-id-json.js';

/** JSON of a commit signature; `block_id_flag` is 1 for absent, 2 for commit, 3 for nil. */
type CommitSigJson = ReturnType<typeof commitSigToJson>;

function commitSigToJson(signature: CommitSig) {
  return {
    block_id_flag: signature.blockIdFlag,
    validator_address: upperHex(signature.validatorAddress),
    timestamp: formatTime(fromTimestamp(signature.timestamp)),
    signature: toBase64OrNull(signature.signature),
  };
}

export type CommitJson = ReturnType<typeof commitToJson>;

/** Writes a commit with all of its signatures, absent ones included. */
export function commitToJson(commit: Commit) {
  return {
    height: String(commit.height),
    round: commit.round,
    block_id: blockIdToJson(commit.blockId),
    signatures: commit.signatures.map(commitSigToJson),
  };
}

function commitSigFromJson(json: CommitSigJson): CommitSig {
  return create(CommitSigSchema, {
    blockIdFlag: json.block_id_flag,
    validatorAddress: fromHex(json.validator_address),
    timestamp: timestampFromJson(json.timestamp),
    signature: fromBase64(json.signature),
  });
}

/** Inverse of `commitToJson`. */
export function commitFromJson(json: CommitJson): Commit {
  return create(CommitSchema, {
    height: BigInt(json.height),
    round: json.round,
    blockId: blockIdFromJson(json.block_id),
    signatures: json.signatures.map(commitSigFromJson),
  });
}
