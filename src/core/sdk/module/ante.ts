import type { Context } from './context.js';
import { SdkError } from './sdk-error.js';
import type { StoreKey } from './transaction-rules.js';
import type { Tx } from './tx.js';

/**
 * One rule that a transaction must pass before its messages run (an ante decorator of the Cosmos SDK,
 * `types/handler.go`). Throws SdkError to refuse. `verified`: the signatures were verified before.
 */
export type AnteRule = (context: Context, tx: Tx, verified: boolean) => void;

/** Gas that the result of a refused transaction shows. */
export interface ShownGas {
  /** Values whose reading is gas that was used. */
  readonly reads: readonly StoreKey[];
  /** Gas that was used besides. */
  readonly gas: bigint;
  readonly gasWanted: bigint;
}

/** A refusal by a rule that runs before the transaction has a gas meter with its limit. */
export class UnmeteredRefusal extends SdkError {
  constructor(
    { registered, message }: SdkError,
    readonly shown: ShownGas,
  ) {
    super({ ...registered, text: message });
  }
}

/**
 * Transactions with ante rules of their own, which belong to one module. All others pass the rules of the application
 * version. cosmos/evm chooses between its two chains of rules in the same way (`ante/ante.go`, v0.6).
 */
export interface TransactionKind {
  /** True for transactions of this kind. */
  includes(tx: Tx): boolean;
  readonly ante: AnteRule;
  /**
   * The EVM executes the message: its gas is the gas of the transaction, accesses to stores cost nothing, and the
   * engine's cache already holds the writes of the message.
   */
  readonly runsEvm: boolean;
  /** True when it pays no fee and uses no gas: the mempool ranks it above every price. */
  readonly isFree: boolean;
}
