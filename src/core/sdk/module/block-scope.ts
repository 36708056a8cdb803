/**
 * Data that the transactions of one block share besides the state, dropped at its end: the SDK's transient stores and
 * block gas meter. Code that undoes a transaction's writes must also restore the earlier tally.
 */
import type { LastCommitVote, Misbehavior } from '../../application-requests.js';
import { EMPTY } from '../../bytes/bytes.js';
import { GasMeter } from './gas.js';

export interface BlockTally {
  /** Gas limits of the transactions that passed the ante chain (fee market). */
  readonly gasWanted: bigint;
  /** Ethereum transactions so far: the index of the next. */
  readonly ethereumTransactions: number;
  /** Their logs so far: the index of the next. */
  readonly logs: number;
  /** Bloom of those logs (256 bytes). */
  readonly bloom: Uint8Array;
  /** Addresses that the frames of the last of its executed Ethereum transactions touched. */
  readonly touched: readonly Uint8Array[];
}

const START: BlockTally = { gasWanted: 0n, ethereumTransactions: 0, logs: 0, bloom: new Uint8Array(256), touched: [] };

/** The parts of a block that concern validators and light clients; none of them outside of blocks. */
export interface ConsensusFacts {
  readonly previousAppHash: Uint8Array;
  readonly nextValidatorsHash: Uint8Array;
  /** The validators of the previous block, in the order of their set. */
  readonly lastCommitVotes: readonly LastCommitVote[];
  readonly misbehavior: readonly Misbehavior[];
}

const NO_FACTS: ConsensusFacts = {
  previousAppHash: EMPTY,
  nextValidatorsHash: EMPTY,
  lastCommitVotes: [],
  misbehavior: [],
};

/** The block in which transactions run, with its gas meter and the tally of executed ones. */
export class BlockScope {
  tally: BlockTally = START;
  /** A transaction of module `dev` passed its ante rules. */
  holdsCommand = false;
  /**
   * Hash of the Ethereum header of the block (32 bytes), known at its end; undefined on chains that do not compute it.
   */
  headerHash: Uint8Array | undefined;

  constructor(
    /**
     * Hash of the block (32 bytes); empty where there is none (checks, queries), zeros while the transactions of a
     * proposal are executed.
     */
    public hash: Uint8Array,
    /** Consensus address of its proposer (20 bytes); empty where there is none. */
    readonly proposer: Uint8Array,
    readonly gas: GasMeter,
    readonly facts: ConsensusFacts = NO_FACTS,
  ) {}

  /** A transaction with this gas limit passed the ante chain. */
  countGasWanted(gasLimit: bigint): void {
    const { gasWanted, ethereumTransactions, logs, bloom, touched } = this.tally;
    this.tally = { gasWanted: gasWanted + gasLimit, ethereumTransactions, logs, bloom, touched };
  }

  /**
   * An Ethereum transaction was executed, with `logs` logs; `bloom`: of all logs of the block now; `touched`: addresses
   * that its frames touched.
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
