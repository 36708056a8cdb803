/** Converts ABCI protobuf messages to the types of the application port. */
import { create } from '@bufbuild/protobuf';
import type { AbciBlock, AbciInitChain, AbciSnapshot } from '../../core/abci/abci-application.js';
import type { LastCommitVote, Misbehavior } from '../../core/application-requests.js';
import { EMPTY } from '../../core/bytes/bytes.js';
import { fromTimestamp } from '../../core/comet/time.js';
import { type Height, toHeight } from '../../core/primitives.js';
import {
  type CommitInfo,
  type Misbehavior as WireMisbehavior,
  MisbehaviorType,
  type RequestExtendVote,
  type RequestFinalizeBlock,
  type RequestInitChain,
  type RequestOfferSnapshot,
  type RequestProcessProposal,
  SnapshotSchema,
  type VoteInfo,
} from '../../core/proto/tendermint/abci/types_pb.js';
import { ConsensusParamsSchema } from '../../core/proto/tendermint/types/params_pb.js';
import { BlockIDFlag } from '../../core/proto/tendermint/types/validator_pb.js';
import { MalformedMessage } from './frames.js';

/** Converts an InitChain request. Throws MalformedMessage if a field is missing. */
export function initChainOf(request: RequestInitChain): AbciInitChain {
  return {
    chainId: request.chainId,
    initialHeight: heightOf(request.initialHeight),
    time: fromTimestamp(request.time),
    consensusParams: request.consensusParams ?? create(ConsensusParamsSchema),
    validators: request.validators,
    appState: request.appStateBytes,
  };
}

type BlockRequest = RequestFinalizeBlock | RequestProcessProposal | RequestExtendVote;

/** The block of a FinalizeBlock or ProcessProposal request. */
export function blockOf(request: BlockRequest): AbciBlock {
  const lastCommit = commitOf(request);
  return {
    height: heightOf(request.height),
    time: fromTimestamp(request.time),
    proposerAddress: request.proposerAddress,
    nextValidatorsHash: request.nextValidatorsHash,
    misbehavior: request.misbehavior.map(misbehaviorOf),
    hash: request.hash,
    txs: request.txs,
    lastCommitRound: lastCommit?.round ?? 0,
    lastCommitVotes: lastCommit?.votes.map(voteOf) ?? [],
  };
}

function commitOf(request: BlockRequest): CommitInfo | undefined {
  return request.$typeName === 'tendermint.abci.RequestFinalizeBlock'
    ? request.decidedLastCommit
    : request.proposedLastCommit;
}

/** The snapshot of an OfferSnapshot request. */
export function offeredSnapshot({ snapshot }: RequestOfferSnapshot): AbciSnapshot {
  const { height, format, chunks, hash, metadata } = snapshot ?? create(SnapshotSchema);
  return { height: heightOf(height), format, chunks, hash, metadata };
}

/** Checks a height of a request. Throws MalformedMessage if it is negative. */
export function heightOf(height: bigint): Height {
  if (height < 0n) throw new MalformedMessage(`height ${height}`);
  return toHeight(height);
}

const FLAGS: Readonly<Record<BlockIDFlag, LastCommitVote['flag'] | undefined>> = {
  [BlockIDFlag.BLOCK_ID_FLAG_UNKNOWN]: undefined,
  [BlockIDFlag.BLOCK_ID_FLAG_ABSENT]: 'absent',
  [BlockIDFlag.BLOCK_ID_FLAG_COMMIT]: 'commit',
  [BlockIDFlag.BLOCK_ID_FLAG_NIL]: 'nil',
};

function voteOf({ validator, blockIdFlag }: VoteInfo): LastCommitVote {
  const flag = FLAGS[blockIdFlag];
  if (flag === undefined) throw new MalformedMessage(`block id flag ${blockIdFlag} of a vote`);
  return { ...validatorOf(validator), flag };
}

const KINDS: Readonly<Record<MisbehaviorType, Misbehavior['kind'] | undefined>> = {
  [MisbehaviorType.UNKNOWN]: undefined,
  [MisbehaviorType.DUPLICATE_VOTE]: 'duplicate vote',
  [MisbehaviorType.LIGHT_CLIENT_ATTACK]: 'light client attack',
};

function misbehaviorOf({ type, validator, height, time, totalVotingPower }: WireMisbehavior): Misbehavior {
  const kind = KINDS[type];
  if (kind === undefined) throw new MalformedMessage(`misbehavior of type ${type}`);
  return {
    kind,
    ...validatorOf(validator),
    height: heightOf(height),
    time: fromTimestamp(time),
    totalVotingPower,
  };
}

function validatorOf(validator: { readonly address: Uint8Array; readonly power: bigint } | undefined) {
  return { address: validator?.address ?? EMPTY, power: validator?.power ?? 0n };
}
