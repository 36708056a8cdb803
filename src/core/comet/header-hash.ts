/**
 * Hash of a block: the Merkle root over the fourteen fields of its header (CometBFT spec, core/data_structures,
 * Header).
 */
import { create, toBinary } from '@bufbuild/protobuf';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { BytesValueSchema, Int64ValueSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { BlockIDSchema, type Header } from '../proto/tendermint/types/types_pb.js';
import { ConsensusSchema } from '../proto/tendermint/version/types_pb.js';
import { completeBlockId } from './complete.js';
import { merkleRoot, type Sha256 } from './merkle.js';
import { GO_ZERO_TIME, toTimestamp } from './time.js';

/** 32 bytes. */
export function headerHash(crypto: Sha256, header: Header): Uint8Array {
  return merkleRoot(crypto, [
    toBinary(ConsensusSchema, header.version ?? create(ConsensusSchema)),
    wrapBytes(utf8ToBytes(header.chainId)),
    toBinary(Int64ValueSchema, { $typeName: 'google.protobuf.Int64Value', value: header.height }),
    toBinary(TimestampSchema, header.time ?? toTimestamp(GO_ZERO_TIME)),
    toBinary(BlockIDSchema, completeBlockId(header.lastBlockId)),
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
