/** Values of the round events, with the members that CometBFT writes (v0.38 `types/events.go`). */
import { blockIdToJson } from '../comet/json/block-id-json.js';
import { voteToJson } from '../comet/json/evidence-json.js';
import { upperHex } from '../bytes/hex.js';
import type { ConsensusEventType } from '../consensus-event.js';
import type { Height } from '../primitives.js';
import type { BlockID, Vote } from '../proto/tendermint/types/types_pb.js';
import type { Step } from './round-step.js';

/** A round event without a position in the log. `value` is plain JSON: 64-bit numbers are text. */
export interface ConsensusNotice {
  readonly type: ConsensusEventType;
  /** `result.data.type` on the wire. */
  readonly dataType: string;
  readonly height: Height;
  readonly value: object;
}

/** Events whose value is only the round state. */
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

/** `index` is the proposer's index in the validator set. */
export function newRoundEvent(
  place: RoundPlace,
  proposer: { readonly address: Uint8Array; readonly index: number },
): ConsensusNotice {
  const value = { ...placeJson(place), proposer: { address: upperHex(proposer.address), index: proposer.index } };
  return { type: 'NewRound', dataType: 'tendermint/event/NewRound', height: place.height, value };
}

export function completeProposalEvent(place: RoundPlace, blockId: BlockID): ConsensusNotice {
  const value = { ...placeJson(place), block_id: blockIdToJson(blockId) };
  return { type: 'CompleteProposal', dataType: 'tendermint/event/CompleteProposal', height: place.height, value };
}

export function voteEvent(height: Height, vote: Vote): ConsensusNotice {
  return { type: 'Vote', dataType: 'tendermint/event/Vote', height, value: { Vote: voteToJson(vote) } };
}

function placeJson({ height, round, step }: RoundPlace): {
  readonly height: string;
  readonly round: number;
  readonly step: string;
} {
  return { height: String(height), round, step: `RoundStep${step}` };
}
