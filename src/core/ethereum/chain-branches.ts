/** Other nodes that run a branch of this node's chain, starting from an earlier block. */
import type { Outcome } from '../errors.js';

/** A node that runs a branch. */
export interface ChainBranch {
  readonly id: string;
  /** Height of the last block shared with the original chain. */
  readonly height: bigint;
  /** URLs of its servers by their names in the ready file; grpc is host:port. */
  readonly endpoints: Readonly<Record<string, string>>;
}

/** Commands for branches of a dev chain. Branches stop with their node, and nothing of them is kept. */
export interface ChainBranches {
  /**
   * Starts a node on a copy of the chain after a block. Refuses with `limit-exceeded` beyond the limit `branches`,
   * and with `invalid-params` when Ethereum JSON-RPC is reachable from other machines or the chain has no home
   * directory.
   */
  begin(height: bigint): Promise<Outcome<ChainBranch>>;
  /** Running branches, oldest first. */
  list(): readonly ChainBranch[];
  /** Stops a branch; false for an unknown id. */
  end(id: string): Promise<boolean>;
}
