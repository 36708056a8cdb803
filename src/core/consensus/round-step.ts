/** The steps of a round in their order; ranks are the numbers that dump_consensus_state shows (cometbft-rpc.md 2.7). */
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
