/** A transaction as the EVM engine executes it, with its block and its rules. */

export type EvmFork = 'london' | 'paris' | 'shanghai' | 'cancun' | 'prague' | 'osaka';

/** Gas that instructions cost beyond the prices of the fork; 16 bits each. */
export interface EvmSurcharges {
  /** Price of CREATE and CREATE2, 32 bits. */
  readonly creation: number;
  readonly instructions: readonly { readonly opcode: number; readonly gas: number }[];
}

/**
 * Permission by address: it is enough that the signer of a transaction, or the maker of a frame in it, is among the
 * addresses.
 */
export interface EvmPermission {
  readonly kind: 'all but' | 'nobody' | 'only';
  readonly addresses: readonly Uint8Array[];
}

/** Permissions to create contracts and to call, checked before each frame; a frame that is not allowed takes no gas. */
export interface EvmPermissions {
  readonly create: EvmPermission;
  readonly call: EvmPermission;
}

export interface EvmBlock {
  readonly fork: EvmFork;
  readonly chainId: bigint;
  readonly number: bigint;
  readonly coinbase: Uint8Array;
  /** Seconds. */
  readonly timestamp: bigint;
  readonly gasLimit: bigint;
  /** wei per gas. */
  readonly baseFee: bigint;
  readonly prevRandao: Uint8Array;
  /** Highest gas limit of one transaction (EIP-7825); undefined without a limit. */
  readonly txGasCap?: bigint;
  /**
   * wei per blob gas, for BLOBBASEFEE (EIP-7516); undefined is the minimum, 1. With 'none' the instruction ends the
   * whole execution (`EvmState.noBlobBaseFee`).
   */
  readonly blobBaseFee?: bigint | 'none';
  readonly surcharges?: EvmSurcharges;
  /** undefined: everybody may do both. */
  readonly permissions?: EvmPermissions;
  /** Changes name empty accounts that were touched: contracts of Ethereum that were called, targets of STATICCALL. */
  readonly showsTouches?: boolean;
  /** Calldata costs only its intrinsic gas, not the floor of EIP-7623. */
  readonly isFloorFree?: boolean;
  /** Transactions begin with the zero address warm in place of the coinbase (EIP-3651). */
  readonly warmsZero?: boolean;
}

export interface EvmAccessListItem {
  readonly address: Uint8Array;
  readonly storageKeys: readonly Uint8Array[];
}

/** EIP-7702 authorization whose authority was recovered by the host; undefined when its signature is invalid. */
export interface EvmAuthorization {
  readonly chainId: bigint;
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly authority: Uint8Array | undefined;
}

/** A transaction whose signature was already checked. */
export interface EvmTransaction {
  readonly type: 0 | 1 | 2 | 3 | 4;
  readonly from: Uint8Array;
  /** undefined creates a contract. */
  readonly to: Uint8Array | undefined;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** Gas price of types 0 and 1; `maxFeePerGas` of the others. wei. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly accessList: readonly EvmAccessListItem[];
  readonly authorizations: readonly EvmAuthorization[];
  /** Blobs of a transaction of type 3; absent for other types. */
  readonly blobs?: EvmBlobs;
}

/** The blobs of a transaction or a call (EIP-4844), which themselves are nowhere in the EVM. */
export interface EvmBlobs {
  /** Versioned hashes of 32 bytes, which BLOBHASH reads. */
  readonly hashes: readonly Uint8Array[];
  /** wei. */
  readonly maxFeePerBlobGas: bigint;
}

/** Treatment of fees and checks of a transaction. */
export interface EvmRules {
  /**
   * 'engine': the engine checks nonce and balance, takes the fee, and pays refund and tip (Ethereum's own rules; state
   * tests). 'host': the caller (the ante chain) has already taken the fee and increased the nonce; the engine checks
   * neither and moves no fee, but GASPRICE and contract addresses are as if it did. 'none': as 'host', for calls whose
   * nonce the caller raises or nobody: no fee is taken, the price may be zero below the base fee, balances are checked
   * for `value` only, and senders may have code. 'nonce': as 'none', for calls, estimates and their traces by the rules
   * of geth: the sender's nonce rises by one, as that of each message does there (`core/state_transition.go`).
   */
  readonly fees: 'engine' | 'host' | 'none' | 'nonce';
}
