/** JSON of blocks as CometBFT v0.38 writes it, members in Go's order (`types/block.go`), and its inverse. */
import { create } from '@bufbuild/protobuf';
import { invariant } from '../../errors.js';
import { type Block, BlockSchema } from '../../proto/tendermint/types/block_pb.js';
import type { BlockID } from '../../proto/tendermint/types/types_pb.js';
import { fromBase64, toBase64 } from '../../bytes/base64.js';
import { blockIdToJson } from './block-id-json.js';
import { commitFromJson, commitToJson } from './commit-json.js';
import { evidenceFromJson, evidenceToJson } from './evidence-json.js';
import { headerFromJson, headerToJson } from './header-json.js';

/** The `block` member of /block in JSON. */
export type BlockJson = ReturnType<typeof blockToJson>;

/** The `block` member of /block; `blockIdToJson` gives its `block_id`. */
export function blockToJson(block: Block) {
  invariant(block.header !== undefined, 'a block has a header');
  return {
    header: headerToJson(block.header),
    data: { txs: (block.data?.txs ?? []).map(toBase64) },
    evidence: { evidence: (block.evidence?.evidence ?? []).map(evidenceToJson) },
    last_commit: block.lastCommit === undefined ? null : commitToJson(block.lastCommit),
  };
}

/** True for an object with the members of a block; those of its members are not looked at. */
export function isBlockJson(value: unknown): value is BlockJson {
  return typeof value === 'object' && value !== null && 'header' in value && 'data' in value && 'last_commit' in value;
}

/** Reads a block; transactions are base64, and `last_commit` may be null. Throws on malformed text. */
export function blockFromJson(json: BlockJson): Block {
  return create(BlockSchema, {
    header: headerFromJson(json.header),
    data: { txs: json.data.txs.map(fromBase64) },
    evidence: { evidence: json.evidence.evidence.map(evidenceFromJson) },
    ...(json.last_commit !== null && { lastCommit: commitFromJson(json.last_commit) }),
  });
}

/** Member of /blockchain; `size` in bytes of the encoded block. */
export function blockMetaToJson(block: Block, blockId: BlockID, size: number) {
  invariant(block.header !== undefined, 'a block has a header');
  return {
    block_id: blockIdToJson(blockId),
    block_size: String(size),
    header: headerToJson(block.header),
    num_txs: String(block.data?.txs.length ?? 0),
  };
}
