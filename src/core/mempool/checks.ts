import type { ResponseCheckTx } from '../proto/tendermint/abci/types_pb.js';
import type { AccountNonce, PoolTransaction } from './pool-transaction.js';

/**
 * The result of an earlier check: `signatures` when these bytes passed here, `sender` when the sender was recovered
 * from them; undefined: nothing.
 */
export type AlreadyVerified = 'signatures' | 'sender' | undefined;

/** CheckTx over the state after the last block plus the effects of what is pending; all calls are synchronous. */
export interface Checks {
  /** The fields that order a transaction; undefined when its bytes cannot be read, and then `checkTx` refuses it. */
  describe(tx: Uint8Array): Omit<PoolTransaction, 'hash'> | undefined;
  /** Keeps the effects of what it accepts. `verified`: its signatures were checked before. */
  checkTx(tx: Uint8Array, verified: AlreadyVerified): ResponseCheckTx;
  /** Every rule but the nonce's; keeps nothing. `replaced`: the transaction whose effects would go. */
  checkQueued(
    tx: Uint8Array,
    sender: AccountNonce,
    verified: AlreadyVerified,
    replaced: Uint8Array | undefined,
  ): ResponseCheckTx;
  /**
   * `checkTx` of transactions that wait: Ethereum's, of one sender, in order of their nonces. True for those that pass
   * again.
   */
  recheck(sender: string, txs: readonly Uint8Array[]): readonly boolean[];
  nextNonce(address: string): bigint;
  /** Begins anew over the state after the last block: forgets the effects of everything pending. */
  reset(): void;
}
