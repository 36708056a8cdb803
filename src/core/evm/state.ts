/** Committed state below an EVM execution, and temporary overrides. */

/** An account as the EVM sees it. `codeHash` is keccak256 of no bytes when there is no code. */
export interface EvmAccount {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly codeHash: Uint8Array;
}

/** Committed state below the running transaction. Reads may throw: the engine then stops and rethrows the error. */
export interface EvmState {
  /** Reads an account (address of 20 bytes); undefined when it does not exist. */
  account(address: Uint8Array): EvmAccount | undefined;
  /** Code by its keccak256 hash; throws when unknown, which fails the transaction. */
  code(hash: Uint8Array): Uint8Array;
  /** Value of a slot (32 bytes each), or undefined for zero. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array | undefined;
  /** Hash of one of the 256 blocks before the current one. */
  blockHash(number: bigint): Uint8Array;
  /**
   * Address that ecrecover returns for a signature of 64 bytes without verification; undefined: recover normally.
   * Absent unless the chain is a dev chain.
   */
  impersonatedSigner?(signature: Uint8Array, parity: number): Uint8Array | undefined;
  /**
   * Called for BLOBBASEFEE in a block without a blob base fee. Throws, which ends the execution, like a failed read.
   */
  noBlobBaseFee?(): void;
  /**
   * Charges gas for a read during a call with effects. A state with this function marks a call by a module, whose
   * refunds have no limit (unlike EIP-3529). Returns false for an account that does not exist. May throw, which ends
   * the execution.
   */
  chargeRead?(read: EvmStateRead): boolean;
  /**
   * Called when the engine failed and the execution restarts from its beginning: discard what was read and charged
   * since.
   */
  restarted?(): void;
}

/** A state read that a call by a module pays for. Accounts created by the execution are free. */
export type EvmStateRead =
  /** Checks whether an address about to be called is a stateful precompile. */
  | { readonly kind: 'contract'; readonly address: Uint8Array }
  /** Reads an account with or without code. A missing account is read `times` times. */
  | { readonly kind: 'account' | 'code'; readonly address: Uint8Array; readonly times: number }
  /** Checks whether the address of a new contract has storage. */
  | { readonly kind: 'storage'; readonly address: Uint8Array }
  | { readonly kind: 'slot'; readonly address: Uint8Array; readonly slot: Uint8Array }
  | { readonly kind: 'blockHash'; readonly number: bigint };

/** Temporary overrides of a call (geth's state overrides). `storage` replaces all slots, `slots` only some. */
export interface EvmOverride {
  readonly address: Uint8Array;
  readonly balance?: bigint;
  readonly nonce?: bigint;
  readonly code?: Uint8Array;
  readonly storage?: readonly { readonly slot: Uint8Array; readonly value: Uint8Array }[];
  readonly slots?: readonly { readonly slot: Uint8Array; readonly value: Uint8Array }[];
  /**
   * Address at which this address's precompile runs instead. Any override of an address removes its precompile, so
   * that its code runs.
   */
  readonly movePrecompileTo?: Uint8Array;
}
