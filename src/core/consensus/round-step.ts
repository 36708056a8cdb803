/**
 * The steps of a round in order; the ranks are the numbers in dump_consensus_state (CometBFT v0.38 `RoundStepType` in
 * `consensus/types/round_state.go`).
 */
export const STEP_RANK = {
  NewHeight: 1,
  NewRound: 2,
  Propose: 3,
  Prevote: 4,
  PrevoteWait: 5,
  Precommit: 6,
  PrecommitWait: 7,
  Commit: 8,
} as const;

export type Step = keyof typeof STEP_RANK;
