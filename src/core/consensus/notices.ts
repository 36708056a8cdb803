/**
 * Notices of the consensus step: the values of round events with the members that CometBFT writes (v0.38
 * `types/events.go`).
 */
import { blockIdToJson } from '../comet/json/block-id-json.js';
import { voteToJson } from '../comet/json/evidence-json.js';
import { upperHex } from '../bytes/hex.js';
import type { ConsensusEventType } from '../websocket-events.js';
import type { Height } from '../primitives.js';
import type { BlockID, Vote } from '../proto/tendermint/types/types_pb.js';
import type { Step } from './round-step.js';

/**
 * A round event before it is an event of the websocket: without a position in the log. `value` is plain JSON: 64-bit
 * numbers are text.
 */
export interface ConsensusNotice {
  readonly type: ConsensusEventType;
  /** `result.data.type` on the wire. */
  readonly dataType: string;
  readonly height: Height;
  readonly value: object;
}

/** Notices whose value is only the round state. */
export type RoundStateNoticeType = Extract<
  ConsensusEventType,
  'NewRoundStep' | 'Polka' | 'Lock' | 'Relock' | 'Unlock' | 'ValidBlock' | 'TimeoutPropose' | 'TimeoutWait'
>;

export interface RoundPlace {
  readonly height: Height;
  readonly round: number;
  readonly step: Step;
}

export function roundStateNotice(type: RoundStateNoticeType, place: RoundPlace): ConsensusNotice {
  return { type, dataType: 'tendermint/event/RoundState', height: place.height, value: placeJson(place) };
}

/** `index` is the proposer's index in the validator set. */
export function newRoundNotice(
  place: RoundPlace,
  proposer: { readonly address: Uint8Array; readonly index: number },
): ConsensusNotice {
  const value = { ...placeJson(place), proposer: { address: upperHex(proposer.address), index: proposer.index } };
  return { type: 'NewRound', dataType: 'tendermint/event/NewRound', height: place.height, value };
}

export function completeProposalNotice(place: RoundPlace, blockId: BlockID): ConsensusNotice {
  const value = { ...placeJson(place), block_id: blockIdToJson(blockId) };
  return { type: 'CompleteProposal', dataType: 'tendermint/event/CompleteProposal', height: place.height, value };
}

export function voteNotice(height: Height, vote: Vote): ConsensusNotice {
  return { type: 'Vote', dataType: 'tendermint/event/Vote', height, value: { Vote: voteToJson(vote) } };
}

function placeJson({ height, round, step }: RoundPlace): {
  readonly height: string;
  readonly round: number;
  readonly step: string;
} {
  return { height: String(height), round, step: `RoundStep${step}` };
}
