/** The chain file of a snapshot: identifies the chain, and contains what the next block needs besides the state. */
import { toBinary } from '@bufbuild/protobuf';
import { concat, equal } from '../../core/bytes/bytes.js';
import type { ChainState } from '../../core/chain/chain-state.js';
import { invariant } from '../../core/errors.js';
import type { ChainStarted, SnapshotHead } from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { ConsensusParamsSchema } from '../../core/proto/tendermint/types/params_pb.js';
import { BlockIDSchema, CommitSchema, HeaderSchema, type Header } from '../../core/proto/tendermint/types/types_pb.js';
import { ValidatorSetSchema } from '../../core/proto/tendermint/types/validator_pb.js';
import { ByteReader, ByteWriter, FormatError } from '../../store/bytes.js';
import { decodeSnapshotHead, encodeSnapshotHead } from '../../store/codec/snapshot-head-codec.js';

/** Chain facts of a snapshot taken by a node with embedded consensus. */
export interface SnapshotChain {
  /** Facts of the chain's start; the genesis writes follow from the genesis document. */
  readonly started: Pick<ChainStarted['data'], 'chainId' | 'evmChainId' | 'bech32Prefix' | 'preset' | 'genesis'>;
  readonly appHash: Uint8Array;
  /** Encoded tendermint.types.ValidatorSet of the next block, and of the block after it. */
  readonly validators: Uint8Array;
  readonly nextValidators: Uint8Array;
  /** Encoded tendermint.types.ConsensusParams of the next block. */
  readonly consensusParams: Uint8Array;
  readonly head: SnapshotHead;
}

/** Collects the chain facts at a head whose app hash is known. `record`: hash of the head's record. */
export function snapshotChainOf(
  started: SnapshotChain['started'],
  state: ChainState,
  header: Header,
  record: Uint8Array,
): SnapshotChain {
  return {
    started,
    appHash: state.appHash,
    validators: toBinary(ValidatorSetSchema, state.validators),
    nextValidators: toBinary(ValidatorSetSchema, state.nextValidators),
    consensusParams: toBinary(ConsensusParamsSchema, state.consensusParams),
    head: snapshotHeadOf(state, header, record),
  };
}

/** The head of a chain with embedded consensus. `record`: hash of the head's record. */
export function snapshotHeadOf(state: ChainState, header: Header, record: Uint8Array): SnapshotHead {
  const { lastBlockId, lastCommit, lastValidators, lastResultsHash } = state;
  invariant(
    lastBlockId !== undefined && lastCommit !== undefined && lastValidators !== undefined,
    'a chain without an engine knows the commit of its head',
  );
  return {
    header: toBinary(HeaderSchema, header),
    blockId: toBinary(BlockIDSchema, lastBlockId),
    commit: toBinary(CommitSchema, lastCommit),
    lastValidators: toBinary(ValidatorSetSchema, lastValidators),
    lastResultsHash,
    record,
  };
}

/** Format version, the first byte of the file. */
const VERSION = 1;
const SEAL_BYTES = 32;

/** Encodes the file. The last 32 bytes are a hash over the content and the hash of the snapshot's chunks. */
export function encodeSnapshotChain(
  crypto: Pick<Crypto, 'sha256'>,
  chain: SnapshotChain,
  chunks: Uint8Array,
): Uint8Array {
  const { started, appHash, validators, nextValidators, consensusParams, head } = chain;
  const writer = new ByteWriter();
  writer.byte(VERSION);
  writer.text(started.chainId);
  writer.uint(started.evmChainId);
  writer.text(started.bech32Prefix);
  writer.text(started.preset);
  for (const field of [started.genesis, appHash, validators, nextValidators, consensusParams]) writer.bytes(field);
  encodeSnapshotHead(head, writer);
  const content = writer.finish();
  return concat(content, crypto.sha256(concat(content, chunks)));
}

/** Decodes the file; undefined when it is damaged or belongs to other chunks. */
export function decodeSnapshotChain(
  crypto: Pick<Crypto, 'sha256'>,
  bytes: Uint8Array,
  chunks: Uint8Array,
): SnapshotChain | undefined {
  const content = bytes.subarray(0, -SEAL_BYTES);
  if (!equal(bytes.subarray(-SEAL_BYTES), crypto.sha256(concat(content, chunks)))) return undefined;
  try {
    const reader = new ByteReader(content);
    if (reader.byte() !== VERSION) return undefined;
    const chain = {
      started: {
        chainId: reader.text(),
        evmChainId: reader.uint(),
        bech32Prefix: reader.text(),
        preset: reader.text(),
        genesis: reader.bytes().slice(),
      },
      appHash: reader.bytes().slice(),
      validators: reader.bytes().slice(),
      nextValidators: reader.bytes().slice(),
      consensusParams: reader.bytes().slice(),
      head: decodeSnapshotHead(reader),
    };
    reader.end();
    return chain;
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}
