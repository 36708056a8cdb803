/**
 * Hash of a block: the Merkle root over the fourteen fields of its header (CometBFT spec, core/data_structures,
 * Header).
 */
import { create, toBinary } from '@bufbuild/protobuf';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { BytesValueSchema } from '@bufbuild/protobuf/wkt';
import type { Header } from '../proto/tendermint/types/types_pb.js';
import { blockIdBytes, int64Bytes, timestampBytes, versionBytes } from './block-bytes.js';
import type { Sha256 } from './merkle.js';
import { RepeatedTree } from './repeated-tree.js';

/** The last header's tree: of the fourteen fields five change from block to block. */
const trees = new WeakMap<Sha256, RepeatedTree>();

/** 32 bytes. */
export function headerHash(crypto: Sha256, header: Header): Uint8Array {
  const tree = trees.get(crypto) ?? new RepeatedTree(crypto);
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

/** Field 1 of a message, bytes or text; hashes, addresses and names are short, so their length takes one byte. */
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
