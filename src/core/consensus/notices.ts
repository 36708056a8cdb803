/**
 * Notices of the consensus step: the events that CometBFT publishes while the rounds of a height run (v0.38
 * `types/events.go`). `src/core/chain/commits.ts` makes websocket events from them.
 */
import { blockIdToJson } from '../comet/json/block-id-json.js';
import { voteToJson } from '../comet/json/evidence-json.js';
import { upperHex } from '../bytes/hex.js';
import type { ConsensusEventType } from '../comet/websocket-events.js';
import type { Height } from '../primitives.js';
import type { BlockID, Vote } from '../proto/tendermint/types/types_pb.js';
import type { Step } from './round-step.js';

/** Notices that carry the round state only. */
export type RoundStateNoticeType = Extract<
  ConsensusEventType,
  'NewRoundStep' | 'Polka' | 'Lock' | 'Relock' | 'Unlock' | 'ValidBlock' | 'TimeoutPropose' | 'TimeoutWait'
>;

export interface HeightRoundStep {
  readonly height: Height;
  readonly round: number;
  readonly step: Step;
}

export type ConsensusNotice =
  | { readonly type: RoundStateNoticeType; readonly place: HeightRoundStep }
  | {
      readonly type: 'NewRound';
      readonly place: HeightRoundStep;
      /** `index` is the proposer's place in the validator set. */
      readonly proposer: { readonly address: Uint8Array; readonly index: number };
    }
  | { readonly type: 'CompleteProposal'; readonly place: HeightRoundStep; readonly blockId: BlockID }
  /** A counted vote: one of this height, or a late precommit of the previous height. */
  | { readonly type: 'Vote'; readonly vote: Vote };

/** `result.data.value` of a notice as plain JSON with CometBFT's fields; 64-bit numbers are strings. */
export function noticeValue(notice: ConsensusNotice): object {
  switch (notice.type) {
    case 'NewRound': {
      const { address, index } = notice.proposer;
      return { ...placeJson(notice.place), proposer: { address: upperHex(address), index } };
    }
    case 'CompleteProposal':
      return { ...placeJson(notice.place), block_id: blockIdToJson(notice.blockId) };
    case 'Vote':
      return { Vote: voteToJson(notice.vote) };
    case 'NewRoundStep':
    case 'Polka':
    case 'Lock':
    case 'Relock':
    case 'Unlock':
    case 'ValidBlock':
    case 'TimeoutPropose':
    case 'TimeoutWait':
      return placeJson(notice.place);
  }
}

function placeJson({ height, round, step }: HeightRoundStep): {
  readonly height: string;
  readonly round: number;
  readonly step: string;
} {
  return { height: String(height), round, step: `RoundStep${step}` };
}
