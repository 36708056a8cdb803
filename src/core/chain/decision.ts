/**
 * Decodes a decided block from its log event, and builds the event for a block that an external consensus engine
 * decided (`BlockDecidedV2`).
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { AbciBlock } from '../abci/abci-application.js';
import type { BlockFacts } from '../application-requests.js';
import { blockIdOf } from '../comet/part-set.js';
import { fromTimestamp, toTimestamp } from '../comet/time.js';
import { noticeValue } from '../consensus/notices.js';
import type { BlockDecided, BlockDecidedV2 } from '../log-events.js';
import type { Crypto } from '../ports/crypto.js';
import { toHeight } from '../primitives.js';
import {
  CommitInfoSchema,
  MisbehaviorSchema,
  MisbehaviorType,
  type CommitInfo,
} from '../proto/tendermint/abci/types_pb.js';
import { BlockSchema, type Block } from '../proto/tendermint/types/block_pb.js';
import * as pb from '../proto/tendermint/types/types_pb.js';
import { BlockIDFlag } from '../proto/tendermint/types/validator_pb.js';
import type { ChainState } from './chain-state.js';

/** Votes and misbehavior as an external engine reports them; blocks decided by this program contain them. */
export type ReportedFacts = Pick<BlockFacts, 'lastCommitVotes' | 'lastCommitRound' | 'misbehavior'>;

export interface Decision {
  /** Lacks evidence, last commit and some header fields when an external engine decided the block. */
  readonly block: Block;
  /** Lacks the part set header when an external engine decided the block. */
  readonly blockId: pb.BlockID;
  /** Length of the block's bytes in the log. */
  readonly size: number;
  /** Commit that decided the block; undefined when an external engine keeps it. */
  readonly commit: pb.Commit | undefined;
  readonly reported: ReportedFacts | undefined;
}

/** Round events of a height before its decision, in order: type and value as JSON text. */
export type Trace = readonly { readonly type: string; readonly value: string }[];

/** Decodes a `BlockDecided` event. */
export function decisionOf(crypto: Crypto, event: BlockDecided): Decision {
  const encoded = event.data.block;
  const block = fromBinary(BlockSchema, encoded);
  if (event.v !== 2) {
    const found = blockIdOf(crypto, block, encoded);
    return { block, ...found, commit: fromBinary(pb.CommitSchema, event.data.commit), reported: undefined };
  }
  const { hash, lastCommit, misbehavior } = event.data;
  return {
    block,
    blockId: blockIdOfHash(hash),
    size: encoded.length,
    commit: undefined,
    reported: reportedFacts(fromBinary(CommitInfoSchema, lastCommit), misbehavior),
  };
}

/** Block id of a decision. `block`: the event's block, decoded. */
export function blockIdOfDecision(crypto: Crypto, event: BlockDecided, block: Block): pb.BlockID {
  if (event.v === 2) return blockIdOfHash(event.data.hash);
  return blockIdOf(crypto, block, event.data.block).blockId;
}

/** Transactions of an encoded block, as `BlockDecided` holds it; empty when they were pruned. */
export function txsOfBlock(encoded: Uint8Array): readonly Uint8Array[] {
  return fromBinary(BlockSchema, encoded).data?.txs ?? [];
}

/** Round events in the decision's event; empty for an external engine, which keeps its own. */
export function traceOf(event: BlockDecided): Trace {
  switch (event.v) {
    case 1:
      return event.data.trace;
    case 2:
      return [];
    case 3:
      return event.data.trace.map((notice) => ({ type: notice.type, value: JSON.stringify(noticeValue(notice)) }));
  }
}

/** Builds the event for a block that an external engine decided on top of `state`. */
export function decidedExternally(state: ChainState, decided: AbciBlock): BlockDecidedV2 {
  const { height, hash } = decided;
  const votes = decided.lastCommitVotes.map(({ address, power, flag }) => ({
    validator: { address, power },
    blockIdFlag: FLAGS[flag],
  }));
  return {
    type: 'BlockDecided',
    v: 2,
    data: {
      height,
      block: toBinary(BlockSchema, knownBlock(state, decided)),
      hash,
      lastCommit: toBinary(CommitInfoSchema, create(CommitInfoSchema, { round: decided.lastCommitRound, votes })),
      misbehavior: decided.misbehavior.map(({ kind, address, power, height: at, time, totalVotingPower }) =>
        toBinary(
          MisbehaviorSchema,
          create(MisbehaviorSchema, {
            type: kind === 'duplicate vote' ? MisbehaviorType.DUPLICATE_VOTE : MisbehaviorType.LIGHT_CLIENT_ATTACK,
            validator: { address, power },
            height: at,
            time: toTimestamp(time),
            totalVotingPower,
          }),
        ),
      ),
    },
  };
}

/** Builds the block parts that FinalizeBlock and the chain state provide. */
function knownBlock(state: ChainState, decided: AbciBlock): Block {
  return create(BlockSchema, {
    header: create(pb.HeaderSchema, {
      chainId: state.chainId,
      height: decided.height,
      time: toTimestamp(decided.time),
      ...(state.lastBlockId && { lastBlockId: state.lastBlockId }),
      nextValidatorsHash: decided.nextValidatorsHash,
      appHash: state.appHash,
      proposerAddress: decided.proposerAddress,
    }),
    data: create(pb.DataSchema, { txs: [...decided.txs] }),
  });
}

const FLAGS = {
  absent: BlockIDFlag.BLOCK_ID_FLAG_ABSENT,
  commit: BlockIDFlag.BLOCK_ID_FLAG_COMMIT,
  nil: BlockIDFlag.BLOCK_ID_FLAG_NIL,
} as const;

function blockIdOfHash(hash: Uint8Array): pb.BlockID {
  return create(pb.BlockIDSchema, { hash, partSetHeader: create(pb.PartSetHeaderSchema) });
}

function reportedFacts({ round, votes }: CommitInfo, misbehavior: readonly Uint8Array[]): ReportedFacts {
  return {
    lastCommitRound: round,
    lastCommitVotes: votes.map(({ validator, blockIdFlag }) => ({
      address: validator?.address ?? new Uint8Array(),
      power: validator?.power ?? 0n,
      flag:
        blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_COMMIT
          ? 'commit'
          : blockIdFlag === BlockIDFlag.BLOCK_ID_FLAG_NIL
            ? 'nil'
            : 'absent',
    })),
    misbehavior: misbehavior.map((encoded) => {
      const { type, validator, height, time, totalVotingPower } = fromBinary(MisbehaviorSchema, encoded);
      return {
        kind: type === MisbehaviorType.DUPLICATE_VOTE ? 'duplicate vote' : 'light client attack',
        address: validator?.address ?? new Uint8Array(),
        power: validator?.power ?? 0n,
        height: toHeight(height),
        time: fromTimestamp(time),
        totalVotingPower,
      };
    }),
  };
}
