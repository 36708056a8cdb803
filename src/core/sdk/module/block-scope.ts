/**
 * Data besides the state that the transactions of a block share, dropped at its end: the SDK's transient stores and
 * block gas meter. Code that reverts a transaction's writes must also restore the earlier tally.
 */
import type { LastCommitVote, Misbehavior } from '../../application-requests.js';
import { EMPTY } from '../../bytes/bytes.js';
import { GasMeter } from './gas.js';

export interface BlockTally {
  /** Sum of the gas limits of transactions that passed the ante handler (for the fee market). */
  readonly gasWanted: bigint;
  /** Number of Ethereum transactions so far: the index of the next one. */
  readonly ethereumTransactions: number;
  /** Number of their logs so far: the index of the next one. */
  readonly logs: number;
  /** Bloom of those logs, 256 bytes. */
  readonly bloom: Uint8Array;
  /** Addresses touched by the call frames of the last executed Ethereum transaction. */
  readonly touched: readonly Uint8Array[];
}

const START: BlockTally = { gasWanted: 0n, ethereumTransactions: 0, logs: 0, bloom: new Uint8Array(256), touched: [] };

/** Block facts about validators and light clients; empty outside of blocks. */
export interface ConsensusFacts {
  readonly previousAppHash: Uint8Array;
  readonly nextValidatorsHash: Uint8Array;
  /** Votes of the previous block's validators, in the order of their set. */
  readonly lastCommitVotes: readonly LastCommitVote[];
  readonly misbehavior: readonly Misbehavior[];
}

const NO_FACTS: ConsensusFacts = {
  previousAppHash: EMPTY,
  nextValidatorsHash: EMPTY,
  lastCommitVotes: [],
  misbehavior: [],
};

/** The block in which transactions run, with its gas meter and the tally of executed transactions. */
export class BlockScope {
  tally: BlockTally = START;
  /** True when a transaction of module `dev` passed the ante rules. */
  holdsCommand = false;
  /** Ethereum header hash of the block (32 bytes), set at its end; undefined on chains that do not compute it. */
  headerHash: Uint8Array | undefined;

  constructor(
    /**
     * CometBFT hash of the block (32 bytes); empty in checks and queries, zeros while a proposal's transactions
     * execute.
     */
    public hash: Uint8Array,
    /** Consensus address of the proposer (20 bytes); empty outside of blocks. */
    readonly proposer: Uint8Array,
    readonly gas: GasMeter,
    readonly facts: ConsensusFacts = NO_FACTS,
  ) {}

  /** Counts a transaction with this gas limit that passed the ante handler. */
  countGasWanted(gasLimit: bigint): void {
    const { gasWanted, ethereumTransactions, logs, bloom, touched } = this.tally;
    this.tally = { gasWanted: gasWanted + gasLimit, ethereumTransactions, logs, bloom, touched };
  }

  /**
   * Counts an executed Ethereum transaction with `logs` logs. `bloom`: of all logs of the block so far. `touched`:
   * addresses that its frames touched.
   */
  countEthereumTransaction(logs: number, bloom: Uint8Array, touched: readonly Uint8Array[]): void {
    const { tally } = this;
    this.tally = {
      gasWanted: tally.gasWanted,
      ethereumTransactions: tally.ethereumTransactions + 1,
      logs: tally.logs + logs,
      bloom,
      touched,
    };
  }

  /** Scope of a context outside of blocks. */
  static none(): BlockScope {
    return new BlockScope(EMPTY, EMPTY, new GasMeter(undefined));
  }
}
