import type { Context } from './context.js';
import { RecoveredPanic, SdkError } from './sdk-error.js';
import type { Tx } from './tx.js';

/**
 * One rule that a transaction must pass before its messages run (an ante decorator of the Cosmos SDK,
 * `types/handler.go`). Throws SdkError to refuse. `verified`: the signatures were verified before.
 */
export type AnteRule = (context: Context, tx: Tx, verified: boolean) => void;

/**
 * What was read, outside of the transaction's own gas meter, until a rule refused: the reads of its context, those of
 * the ante handler for Cosmos or for Ethereum transactions too, or nothing, because the meter is a new one without
 * limit.
 */
export type ReadBefore = 'context' | 'ante' | 'ethereum' | 'nothing';

/** A refusal by a rule that runs before the transaction has a gas meter with its limit. */
export class UnmeteredRefusal extends SdkError {
  readonly readBefore: ReadBefore;

  constructor({ registered, message }: SdkError, readBefore: ReadBefore) {
    super({ ...registered, text: message });
    this.readBefore = readBefore;
  }
}

/** The rule, whose refusals come before the transaction's own gas meter. */
export function beforeMeter(readBefore: ReadBefore, rule: AnteRule): AnteRule {
  return (...args) => {
    try {
      rule(...args);
    } catch (error) {
      if (!(error instanceof SdkError) || error instanceof RecoveredPanic || error instanceof UnmeteredRefusal)
        throw error;
      throw new UnmeteredRefusal(error, readBefore);
    }
  };
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
