/** JSON of blocks with fields in Go's order (CometBFT v0.38 `types/block.go`), and its inverse. */
import { create } from '@bufbuild/protobuf';
import { invariant } from '../../errors.js';
import { type Block, BlockSchema } from '../../proto/tendermint/types/block_pb.js';
import type { BlockID } from '../../proto/tendermint/types/types_pb.js';
import { fromBase64, toBase64 } from '../../bytes/base64.js';
import { blockIdToJson } from './block-id-json.js';
import { commitFromJson, commitToJson } from './commit-json.js';
import { evidenceFromJson, evidenceToJson } from './evidence-json.js';
import { headerFromJson, headerToJson } from './header-json.js';

/** JSON of `block` in /block. */
export type BlockJson = ReturnType<typeof blockToJson>;

/** Writes `block` of /block; `blockIdToJson` writes its `block_id`. */
export function blockToJson(block: Block) {
  invariant(block.header !== undefined, 'a block has a header');
  return {
    header: headerToJson(block.header),
    data: { txs: (block.data?.txs ?? []).map(toBase64) },
    evidence: { evidence: (block.evidence?.evidence ?? []).map(evidenceToJson) },
    last_commit: block.lastCommit === undefined ? null : commitToJson(block.lastCommit),
  };
}

/** True for an object that has the top-level fields of a block. */
export function isBlockJson(value: unknown): value is BlockJson {
  return typeof value === 'object' && value !== null && 'header' in value && 'data' in value && 'last_commit' in value;
}

/** Reads a block; transactions are base64, and `last_commit` may be null. Throws on malformed input. */
export function blockFromJson(json: BlockJson): Block {
  return create(BlockSchema, {
    header: headerFromJson(json.header),
    data: { txs: json.data.txs.map(fromBase64) },
    evidence: { evidence: json.evidence.evidence.map(evidenceFromJson) },
    ...(json.last_commit !== null && { lastCommit: commitFromJson(json.last_commit) }),
  });
}

/** Writes one block meta of /blockchain; `size` is the length of the encoded block in bytes. */
export function blockMetaToJson(block: Block, blockId: BlockID, size: number) {
  invariant(block.header !== undefined, 'a block has a header');
  return {
    block_id: blockIdToJson(blockId),
    block_size: String(size),
    header: headerToJson(block.header),
    num_txs: String(block.data?.txs.length ?? 0),
  };
}
