/** Values of the round events, member by member as CometBFT writes them (cometbft-rpc.md 5, recorded in comet-ws). */
import { toBase64OrNull, toHex } from '../comet/text.js';
import { formatTime, fromTimestamp } from '../comet/time.js';
import type { ConsensusEventType } from '../consensus-event.js';
import type { Height } from '../primitives.js';
import type { BlockID, Vote } from '../proto/tendermint/types/types_pb.js';
import type { Step } from './round-step.js';

/** A round event before it has a place in the log. `value` is plain JSON: 64-bit numbers are text. */
export interface ConsensusNotice {
  readonly type: ConsensusEventType;
  /** `result.data.type` on the wire. */
  readonly dataType: string;
  readonly height: Height;
  readonly value: object;
}

/** Events whose value is the bare round state. */
export type RoundStateEventType = Extract<
  ConsensusEventType,
  'NewRoundStep' | 'Polka' | 'Lock' | 'Relock' | 'Unlock' | 'ValidBlock' | 'TimeoutPropose' | 'TimeoutWait'
>;

export interface RoundPlace {
  readonly height: Height;
  readonly round: number;
  readonly step: Step;
}

export function roundStateEvent(type: RoundStateEventType, place: RoundPlace): ConsensusNotice {
  return { type, dataType: 'tendermint/event/RoundState', height: place.height, value: placeJson(place) };
}

/** `index` is the proposer's place in the validator set. */
export function newRoundEvent(place: RoundPlace, proposer: { readonly address: Uint8Array; readonly index: number }): ConsensusNotice {
  const value = { ...placeJson(place), proposer: { address: toHex(proposer.address), index: proposer.index } };
  return { type: 'NewRound', dataType: 'tendermint/event/NewRound', height: place.height, value };
}

export function completeProposalEvent(place: RoundPlace, blockId: BlockID): ConsensusNotice {
  const value = { ...placeJson(place), block_id: blockIdJson(blockId) };
  return { type: 'CompleteProposal', dataType: 'tendermint/event/CompleteProposal', height: place.height, value };
}

export function voteEvent(height: Height, vote: Vote): ConsensusNotice {
  return { type: 'Vote', dataType: 'tendermint/event/Vote', height, value: { Vote: voteJson(vote) } };
}

/** A vote in CometBFT's JSON; without extensions they are null. */
function voteJson(vote: Vote): object {
  return {
    type: vote.type,
    height: String(vote.height),
    round: vote.round,
    block_id: blockIdJson(vote.blockId),
    timestamp: formatTime(fromTimestamp(vote.timestamp)),
    validator_address: toHex(vote.validatorAddress),
    validator_index: vote.validatorIndex,
    signature: toBase64OrNull(vote.signature),
    extension: toBase64OrNull(vote.extension),
    extension_signature: toBase64OrNull(vote.extensionSignature),
  };
}

function placeJson({ height, round, step }: RoundPlace): { readonly height: string; readonly round: number; readonly step: string } {
  return { height: String(height), round, step: `RoundStep${step}` };
}

function blockIdJson(blockId: BlockID | undefined): object {
  const { total = 0, hash = new Uint8Array() } = blockId?.partSetHeader ?? {};
  return { hash: toHex(blockId?.hash ?? new Uint8Array()), parts: { total, hash: toHex(hash) } };
}
