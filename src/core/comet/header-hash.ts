/** Block hash: the Merkle root over the fourteen header fields (CometBFT spec, core/data_structures, Header). */
import { create, toBinary } from '@bufbuild/protobuf';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { BytesValueSchema } from '@bufbuild/protobuf/wkt';
import type { Header } from '../proto/tendermint/types/types_pb.js';
import { blockIdBytes, int64Bytes, timestampBytes, versionBytes } from './block-bytes.js';
import type { Sha256 } from './merkle.js';
import { IncrementalTree } from './incremental-tree.js';

/** Merkle tree of the last header: only five of the fourteen fields change from block to block. */
const trees = new WeakMap<Sha256, IncrementalTree>();

/** Computes the block hash, 32 bytes. */
export function headerHash(crypto: Sha256, header: Header): Uint8Array {
  const tree = trees.get(crypto) ?? new IncrementalTree(crypto);
  trees.set(crypto, tree);
  return tree.root([
    versionBytes(header.version),
    wrapBytes(utf8ToBytes(header.chainId)),
    int64Bytes(header.height),
    timestampBytes(header.time),
    blockIdBytes(header.lastBlockId),
    wrapBytes(header.lastCommitHash),
    wrapBytes(header.dataHash),
    wrapBytes(header.validatorsHash),
    wrapBytes(header.nextValidatorsHash),
    wrapBytes(header.consensusHash),
    wrapBytes(header.appHash),
    wrapBytes(header.lastResultsHash),
    wrapBytes(header.evidenceHash),
    wrapBytes(header.proposerAddress),
  ]);
}

/** Encodes bytes or text as field 1 of a message, with a fast path for lengths of one byte. */
function wrapBytes(value: Uint8Array): Uint8Array {
  if (value.length > 0 && value.length < 128) {
    const wrapped = new Uint8Array(value.length + 2);
    wrapped[0] = 0x0a;
    wrapped[1] = value.length;
    wrapped.set(value, 2);
    return wrapped;
  }
  return toBinary(BytesValueSchema, create(BytesValueSchema, { value }));
}
