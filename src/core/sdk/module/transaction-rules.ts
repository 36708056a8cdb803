import { requireSingleParts } from '../codec/decode-tx.js';
import { RuleSet } from './rule-set.js';
import type { SdkError } from './sdk-error.js';

/** Store and key of a value. */
export interface StoreKey {
  readonly store: string;
  readonly key: Uint8Array;
}

/** Rules for a transaction before its ante rules. */
export interface TransactionRules {
  /** Throws SDK error 2 for transaction bytes with a duplicate part. */
  readonly requireParts: (bytes: Uint8Array) => void;
  /** Values whose reads make up the reported gas of a transaction that is rejected before its ante rules. */
  readonly readsOfContext: readonly StoreKey[];
  /** Error in a block for bytes that are not a transaction; `fault` is the decoding error. */
  readonly undecodable: (fault: SdkError) => SdkError;
}

export const transactionRules = new RuleSet<TransactionRules>({
  requireParts: requireSingleParts,
  readsOfContext: [],
  undecodable: (fault) => fault,
});
