import { requireSingleParts } from '../codec/decode-tx.js';
import { RuleSet } from './rule-set.js';
import type { SdkError } from './sdk-error.js';

/** A value of the state. */
export interface StoreKey {
  readonly store: string;
  readonly key: Uint8Array;
}

/** Rules of a transaction before its ante rules. */
export interface TransactionRules {
  /** Throws SDK error 2 for bytes of a transaction that has a part twice. */
  readonly requireParts: (bytes: Uint8Array) => void;
  /** Values whose reading is the gas of a transaction that is refused before its ante rules. */
  readonly readsOfContext: readonly StoreKey[];
  /** The refusal, in a block, of bytes that are no transaction; `fault`: the reason. */
  readonly undecodable: (fault: SdkError) => SdkError;
}

export const transactionRules = new RuleSet<TransactionRules>({
  requireParts: requireSingleParts,
  readsOfContext: [],
  undecodable: (fault) => fault,
});
