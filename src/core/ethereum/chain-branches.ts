/** Other nodes that run the chain of this one from an earlier block on. */
import type { Outcome } from '../errors.js';

/** A node that runs a branch. */
export interface ChainBranch {
  readonly id: string;
  /** The last block that it has in common with the chain it came from. */
  readonly height: bigint;
  /** URLs of its faces by their names in the ready file; grpc is host:port. */
  readonly endpoints: Readonly<Record<string, string>>;
}

/** Commands for the branches of a dev chain; they end with their node, and nothing of them is kept. */
export interface ChainBranches {
  /**
   * Starts a node on a copy of the chain as it was after a block. Refuses with `limit-exceeded` beyond `branches`, and
   * with `invalid-params` where another machine reaches the Ethereum face, or the chain is not in a home.
   */
  begin(height: bigint): Promise<Outcome<ChainBranch>>;
  /** The branches that run, the oldest first. */
  list(): readonly ChainBranch[];
  /** Ends a branch; false for an id that is none. */
  end(id: string): Promise<boolean>;
}
