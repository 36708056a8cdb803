/**
 * Codec for blocks made by the executor, between threads of this process. Header fields are sent in addition to the
 * protobuf bytes, because decoding those takes longer. Such blocks have no transactions and no evidence.
 */
import type { Decision } from '../../core/consensus/local-validators.js';
import { GO_ZERO_TIME, fromTimestamp, toTimestamp } from '../../core/comet/time.js';
import { emptyBlockId } from '../../core/comet/complete.js';
import { invariant } from '../../core/errors.js';
import { toHeight, toTimeNs } from '../../core/primitives.js';
import type { Block } from '../../core/proto/tendermint/types/block_pb.js';
import type { BlockID, Commit, Header } from '../../core/proto/tendermint/types/types_pb.js';
import type { ByteReader, ByteWriter } from '../../store/bytes.js';
import { packTrace, unpackTrace } from '../../store/codec/trace-codec.js';

/**
 * Encodes a decision. `before`: the previous block in the same message, whose block id and commit this block carries.
 */
export function putDecision(to: ByteWriter, { round, block, commit, trace }: Decision, before?: Decision): void {
  const { header, lastCommit } = block.block;
  invariant(header !== undefined && lastCommit !== undefined, 'a block that was made is whole');
  if (before === undefined) {
    putBlockId(to, header.lastBlockId ?? emptyBlockId());
    putCommit(to, lastCommit);
  }
  putHeader(to, header);
  putBlockId(to, block.blockId);
  to.uint(round);
  to.bytes(block.encoded);
  putCommit(to, commit);
  packTrace(trace, to);
}

/** Decodes a decision; `before` as in `putDecision`. */
export function takeDecision(from: ByteReader, before?: Decision): Decision {
  const lastBlockId = before?.block.blockId ?? takeBlockId(from);
  const lastCommit = before?.commit ?? takeCommit(from);
  const header = takeHeader(from, lastBlockId);
  const height = toHeight(header.height);
  const blockId = takeBlockId(from);
  const round = from.count();
  const encoded = from.bytes();
  const commit = takeCommit(from);
  const block: Block = {
    $typeName: 'tendermint.types.Block',
    header,
    data: { $typeName: 'tendermint.types.Data', txs: [] },
    evidence: { $typeName: 'tendermint.types.EvidenceList', evidence: [] },
    lastCommit,
  };
  return {
    height,
    round,
    block: { block, blockId, encoded, valid: true },
    commit: { ...commit, blockId },
    trace: unpackTrace(from, height),
  };
}

function putHeader(to: ByteWriter, header: Header): void {
  to.uint(header.version?.block ?? 0n);
  to.uint(header.version?.app ?? 0n);
  to.text(header.chainId);
  to.uint(header.height);
  to.int(fromTimestamp(header.time));
  to.bytes(header.lastCommitHash);
  to.bytes(header.dataHash);
  to.bytes(header.validatorsHash);
  to.bytes(header.nextValidatorsHash);
  to.bytes(header.consensusHash);
  to.bytes(header.appHash);
  to.bytes(header.lastResultsHash);
  to.bytes(header.evidenceHash);
  to.bytes(header.proposerAddress);
}

function takeHeader(from: ByteReader, lastBlockId: BlockID): Header {
  return {
    $typeName: 'tendermint.types.Header',
    version: { $typeName: 'tendermint.version.Consensus', block: from.uint(), app: from.uint() },
    chainId: from.text(),
    height: from.uint(),
    time: toTimestamp(toTimeNs(from.int())),
    lastBlockId,
    lastCommitHash: from.bytes(),
    dataHash: from.bytes(),
    validatorsHash: from.bytes(),
    nextValidatorsHash: from.bytes(),
    consensusHash: from.bytes(),
    appHash: from.bytes(),
    lastResultsHash: from.bytes(),
    evidenceHash: from.bytes(),
    proposerAddress: from.bytes(),
  };
}

function putBlockId(to: ByteWriter, { hash, partSetHeader }: BlockID): void {
  to.bytes(hash);
  to.uint(partSetHeader?.total ?? 0);
  to.bytes(partSetHeader?.hash ?? new Uint8Array(0));
}

function takeBlockId(from: ByteReader): BlockID {
  const hash = from.bytes();
  const total = from.count();
  const partSetHeader = { $typeName: 'tendermint.types.PartSetHeader', total, hash: from.bytes() } as const;
  return { $typeName: 'tendermint.types.BlockID', hash, partSetHeader };
}

function putCommit(to: ByteWriter, { height, round, blockId, signatures }: Commit): void {
  to.uint(height);
  to.uint(round);
  putBlockId(to, blockId ?? emptyBlockId());
  to.uint(signatures.length);
  for (const { blockIdFlag, validatorAddress, timestamp, signature } of signatures) {
    to.byte(blockIdFlag);
    to.bytes(validatorAddress);
    to.int(timestamp === undefined ? GO_ZERO_TIME : fromTimestamp(timestamp));
    to.bytes(signature);
  }
}

function takeCommit(from: ByteReader): Commit {
  return {
    $typeName: 'tendermint.types.Commit',
    height: from.uint(),
    round: from.count(),
    blockId: takeBlockId(from),
    signatures: Array.from({ length: from.count() }, () => ({
      $typeName: 'tendermint.types.CommitSig',
      blockIdFlag: from.byte(),
      validatorAddress: from.bytes(),
      timestamp: toTimestamp(toTimeNs(from.int())),
      signature: from.bytes(),
    })),
  };
}
