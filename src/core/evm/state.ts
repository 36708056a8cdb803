/** The state below an execution of the EVM engine, and temporary edits of it. */

/** An account as the EVM sees it. `codeHash` is keccak256 of no bytes for an account without code. */
export interface EvmAccount {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly codeHash: Uint8Array;
}

/**
 * Committed state below the running transaction. Reads may throw: the engine then stops and rethrows the same error.
 */
export interface EvmState {
  /** undefined for an account that does not exist. Addresses have 20 bytes. */
  account(address: Uint8Array): EvmAccount | undefined;
  /** Code by its keccak256 hash; fails the transaction when unknown. */
  code(hash: Uint8Array): Uint8Array;
  /** 32 bytes, or undefined for zero. `slot` has 32 bytes. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array | undefined;
  /** Hash of one of the 256 blocks before the running one. */
  blockHash(number: bigint): Uint8Array;
  /**
   * The address that ecrecover gives for a signature of 64 bytes without looking at what was signed; undefined for the
   * true one. Absent where no development chain may say so.
   */
  impersonatedSigner?(signature: Uint8Array, parity: number): Uint8Array | undefined;
  /** Hears of BLOBBASEFEE in a block without a blob base fee. Throws, which ends the execution, as reads do. */
  noBlobBaseFee?(): void;
  /**
   * Charges a read of a call with effects. A state with this function makes the call a call by a module, whose refunds
   * have no limit (EIP-3529). Answers false for an account that does not exist. May throw, which ends the execution.
   */
  chargeRead?(read: EvmStateRead): boolean;
  /**
   * The execution runs once more from its beginning, because the engine failed: what was read, heard and counted since
   * then does not count.
   */
  restarted?(): void;
}

/** A read of state that a call by a module pays for. Accounts that the execution created are free. */
export type EvmStateRead =
  /** The address that is about to be called may be a stateful precompile. */
  | { readonly kind: 'contract'; readonly address: Uint8Array }
  /** An account with or without its code. One that does not exist is read `times` times. */
  | { readonly kind: 'account' | 'code'; readonly address: Uint8Array; readonly times: number }
  /** The address of a new contract may have storage. */
  | { readonly kind: 'storage'; readonly address: Uint8Array }
  | { readonly kind: 'slot'; readonly address: Uint8Array; readonly slot: Uint8Array }
  | { readonly kind: 'blockHash'; readonly number: bigint };

/** Temporary edits of a call (geth's state overrides). `storage` replaces all slots, `slots` edits some. */
export interface EvmOverride {
  readonly address: Uint8Array;
  readonly balance?: bigint;
  readonly nonce?: bigint;
  readonly code?: Uint8Array;
  readonly storage?: readonly { readonly slot: Uint8Array; readonly value: Uint8Array }[];
  readonly slots?: readonly { readonly slot: Uint8Array; readonly value: Uint8Array }[];
  /**
   * The address at which the precompiled contract of this one runs instead. Any edit of its address takes a precompiled
   * contract away from it, so that its code runs.
   */
  readonly movePrecompileTo?: Uint8Array;
}
