import type { ResponseCheckTx } from '../proto/tendermint/abci/types_pb.js';
import type { AccountNonce, PoolTransaction } from './pool-transaction.js';

/**
 * Result of an earlier check: `signatures` when these bytes passed CheckTx in this process; `sender` when the sender
 * was recovered; undefined when nothing was verified.
 */
export type AlreadyVerified = 'signatures' | 'sender' | undefined;

/** CheckTx on the state after the last block plus the effects of pending transactions. All calls are synchronous. */
export interface Checks {
  /**
   * Decodes the fields that order a transaction; undefined when the bytes are invalid, in which case `checkTx` refuses
   * them.
   */
  describe(tx: Uint8Array): Omit<PoolTransaction, 'hash'> | undefined;
  /** Checks a transaction and keeps its effects if it passes. `verified`: what was verified before. */
  checkTx(tx: Uint8Array, verified: AlreadyVerified): ResponseCheckTx;
  /**
   * Checks all rules except the nonce, without keeping effects. `replaced`: the transaction whose effects are ignored.
   */
  checkQueued(
    tx: Uint8Array,
    sender: AccountNonce,
    verified: AlreadyVerified,
    replaced: Uint8Array | undefined,
  ): ResponseCheckTx;
  /** Rechecks Ethereum transactions of one sender, in nonce order; true for each that passes. */
  recheck(sender: string, txs: readonly Uint8Array[]): readonly boolean[];
  nextNonce(address: string): bigint;
  /** Resets to the state after the last block, dropping the effects of pending transactions. */
  reset(): void;
}
