import { toBinary } from '@bufbuild/protobuf';
import { medianTime } from '../comet/block-time.js';
import type { ChainState } from './chain-state.js';
import { emptyCommit, makeBlock } from '../comet/make-block.js';
import { blockIdOf, encodeBlock } from '../comet/part-set.js';
import type { ProposedBlock } from '../consensus/block-key.js';
import type { BlockRoom } from '../mempool/order.js';
import type { PoolTransaction } from '../mempool/pool-transaction.js';
import type { Crypto } from '../ports/crypto.js';
import { toHeight } from '../primitives.js';
import { type Evidence, EvidenceSchema } from '../proto/tendermint/types/evidence_pb.js';
import type { ConsensusParams } from '../proto/tendermint/types/params_pb.js';
import type { Commit } from '../proto/tendermint/types/types_pb.js';
import type { BlockClock, CarriedCommit } from './block-clock.js';
import { CHAIN_LIMITS } from '../limits/limits.js';

export interface BuildBlockOptions {
  readonly crypto: Crypto;
  readonly chainId: string;
  /** Takes transactions from the pool that fit into a block of this size. */
  readonly reap: (room: BlockRoom) => readonly PoolTransaction[];
  /** Returns the evidence for the block. */
  readonly evidence: () => readonly Evidence[];
  /** Transactions already executed for the block after this head; undefined when there are none. */
  readonly prepared: (head: ChainState) => PreparedBlock | undefined;
  /** Clock of dev mode; its time may have moved since the last commit was signed. */
  readonly devClock: BlockClock | undefined;
}

export interface PreparedBlock {
  readonly carried: CarriedCommit;
  readonly txs: readonly Uint8Array[];
}

/** Bytes reserved for header, commit of a few validators and framing; transactions get the rest. */
const BLOCK_OVERHEAD_BYTES = 2_048;
/** Bytes of tag and length for one piece of evidence. */
const EVIDENCE_FRAME_BYTES = 6;

/** Builds the proposal for the block after `state` (CometBFT `CreateProposalBlock`). */
export function buildBlock(
  options: BuildBlockOptions,
  state: ChainState,
  lastCommit: Commit | undefined,
  proposerAddress: Uint8Array,
): ProposedBlock {
  const { crypto, chainId, devClock } = options;
  const prepared = options.prepared(state);
  const carried = prepared?.carried ?? carriedCommit(state, lastCommit, devClock);
  devClock?.used();
  // The block that was executed in advance has no evidence.
  const evidence = prepared === undefined ? options.evidence() : [];
  const block = makeBlock(crypto, {
    chainId,
    height: toHeight(state.height + 1n),
    time: carried.time,
    txs: prepared?.txs ?? options.reap(roomBeside(evidence, blockRoom(state.consensusParams))).map(({ tx }) => tx),
    evidence,
    lastCommit: carried.commit,
    lastBlockId: state.lastBlockId,
    validators: state.validators,
    nextValidators: state.nextValidators,
    consensusParams: state.consensusParams,
    appHash: state.appHash,
    lastResultsHash: state.lastResultsHash,
    proposerAddress,
  });
  const encoded = encodeBlock(block);
  return { block, encoded, blockId: blockIdOf(crypto, block, encoded).blockId, valid: true };
}

/** Space for transactions in a block, in bytes and gas; negative `gas` means no limit. */
export function blockRoom({ block }: ConsensusParams): BlockRoom {
  const bytes = Number(block?.maxBytes ?? -1n);
  return { bytes: (bytes < 0 ? CHAIN_LIMITS.blockBytes : bytes) - BLOCK_OVERHEAD_BYTES, gas: block?.maxGas ?? -1n };
}

/** Space for transactions after the evidence. */
function roomBeside(evidence: readonly Evidence[], { bytes, gas }: BlockRoom): BlockRoom {
  const taken = evidence.reduce((sum, one) => sum + toBinary(EvidenceSchema, one).length, 0);
  return { bytes: bytes - taken - evidence.length * EVIDENCE_FRAME_BYTES, gas };
}

/**
 * Commit that the next block carries, and the block's time, which follows from it; the first block has the genesis
 * time.
 */
export function carriedCommit(
  { time, lastValidators }: ChainState,
  lastCommit: Commit | undefined,
  devClock: BlockClock | undefined,
): CarriedCommit {
  if (lastCommit === undefined || lastValidators === undefined) return { commit: lastCommit ?? emptyCommit(), time };
  return (
    devClock?.lastCommit(lastCommit, lastValidators, time) ?? {
      commit: lastCommit,
      time: medianTime(lastCommit, lastValidators),
    }
  );
}
