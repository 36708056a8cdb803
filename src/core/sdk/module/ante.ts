import type { Context } from './context.js';
import { SdkError } from './sdk-error.js';
import type { StoreKey } from './transaction-rules.js';
import type { Tx } from './tx.js';

/**
 * An ante decorator of the Cosmos SDK (`types/handler.go`): a rule that a transaction must pass before its messages
 * run. Throws SdkError to reject. `verified`: the signatures are verified already.
 */
export type AnteRule = (context: Context, tx: Tx, verified: boolean) => void;

/** Gas reported for a rejected transaction. */
export interface ReportedGas {
  /** Values whose reads count as used gas. */
  readonly reads: readonly StoreKey[];
  /** Other used gas. */
  readonly gas: bigint;
  readonly gasWanted: bigint;
}

/** Rejection by a rule that runs before the transaction has a gas meter with its limit. */
export class UnmeteredRefusal extends SdkError {
  constructor(
    { registered, message }: SdkError,
    readonly shown: ReportedGas,
  ) {
    super({ ...registered, text: message });
  }
}

/**
 * Kind of transactions with ante rules of one module. All others pass the ante rules of the application version.
 * cosmos/evm selects its two ante handlers in the same way (`ante/ante.go`, v0.6).
 */
export interface TransactionKind {
  /** True for transactions of this kind. */
  includes(tx: Tx): boolean;
  readonly ante: AnteRule;
  /**
   * True when the EVM executes the message: EVM gas is the transaction's gas, store accesses are free, and the
   * engine's cache already contains the message's writes.
   */
  readonly runsEvm: boolean;
  /** True when transactions pay no fee and use no gas: the mempool ranks them above every price. */
  readonly isFree: boolean;
}
