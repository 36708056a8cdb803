/** Periods of staking, slashing and governance in a genesis document. */
export interface Periods {
  /** Protobuf durations as JSON strings, like `30s`. */
  readonly unbonding: string;
  readonly deposit: string;
  readonly voting: string;
  readonly expeditedVoting: string;
  readonly jail: string;
  /** Window in blocks of which a validator must sign at least half. */
  readonly signedBlocksWindow: string;
  /** Number of headers with validators that staking keeps. */
  readonly historicalEntries: number;
  /** Blocks per year, by which mint divides the yearly inflation. */
  readonly blocksPerYear: string;
}

/**
 * Periods of a dev chain: delegating, voting and jailing take less than a minute. Blocks come at least every 2
 * seconds.
 */
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
 * Defaults of the Cosmos SDK v0.53 (`x/staking/types/params.go`, `x/slashing/types/params.go`,
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
