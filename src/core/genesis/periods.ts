/** Times of staking, punishment and governance in a genesis document. */
export interface Periods {
  /** Protobuf durations as JSON. */
  readonly unbonding: string;
  readonly deposit: string;
  readonly voting: string;
  readonly expeditedVoting: string;
  readonly jail: string;
  /** Blocks of which a validator signs at least a half. */
  readonly signedBlocksWindow: string;
  /** Headers with their validators that staking keeps. */
  readonly historicalEntries: number;
  /** Divides the yearly inflation. */
  readonly blocksPerYear: string;
}

/** For a dev chain: delegating, voting and jailing are tried within a minute. Blocks come at least every 2 seconds. */
export const SHORT_PERIODS: Periods = {
  unbonding: '60s',
  deposit: '10s',
  voting: '10s',
  expeditedVoting: '5s',
  jail: '10s',
  signedBlocksWindow: '10',
  historicalEntries: 100,
  blocksPerYear: '15778800',
};

/**
 * The defaults of the Cosmos SDK v0.53 (`x/staking/types/params.go`, `x/slashing/types/params.go`,
 * `x/gov/types/v1/params.go`, `x/mint/types/params.go`).
 */
export const SDK_PERIODS: Periods = {
  unbonding: '1814400s',
  deposit: '172800s',
  voting: '172800s',
  expeditedVoting: '86400s',
  jail: '600s',
  signedBlocksWindow: '100',
  historicalEntries: 10_000,
  blocksPerYear: '6311520',
};
