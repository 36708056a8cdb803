/** A transaction for the EVM engine, with its block and its rules. */

export type EvmFork = 'london' | 'paris' | 'shanghai' | 'cancun' | 'prague' | 'osaka';

/** Extra gas of instructions, added to the fork's prices; 16 bits each. */
export interface EvmSurcharges {
  /** Extra gas of CREATE and CREATE2, 32 bits. */
  readonly creation: number;
  readonly instructions: readonly { readonly opcode: number; readonly gas: number }[];
}

/**
 * Permission by address: granted when either the transaction's signer or the frame's caller is among the addresses.
 */
export interface EvmPermission {
  readonly kind: 'all but' | 'nobody' | 'only';
  readonly addresses: readonly Uint8Array[];
}

/** Permissions to create contracts and to call, checked before each frame; a refused frame uses no gas. */
export interface EvmPermissions {
  readonly create: EvmPermission;
  readonly call: EvmPermission;
}

export interface EvmBlock {
  readonly fork: EvmFork;
  readonly chainId: bigint;
  readonly number: bigint;
  readonly coinbase: Uint8Array;
  /** Block time in seconds. */
  readonly timestamp: bigint;
  readonly gasLimit: bigint;
  /** Base fee, wei per gas. */
  readonly baseFee: bigint;
  readonly prevRandao: Uint8Array;
  /** Highest gas limit of one transaction (EIP-7825); undefined: no limit. */
  readonly txGasCap?: bigint;
  /**
   * Blob base fee in wei for BLOBBASEFEE (EIP-7516); undefined means the minimum, 1. With 'none' the instruction ends
   * the whole execution (`EvmState.noBlobBaseFee`).
   */
  readonly blobBaseFee?: bigint | 'none';
  readonly surcharges?: EvmSurcharges;
  /** Undefined: everybody may create and call. */
  readonly permissions?: EvmPermissions;
  /** True: changes also list touched empty accounts (called Ethereum precompiles, targets of STATICCALL). */
  readonly showsTouches?: boolean;
  /** True: calldata costs only intrinsic gas, without the floor of EIP-7623. */
  readonly isFloorFree?: boolean;
  /** True: transactions start with the zero address warm instead of the coinbase (EIP-3651). */
  readonly warmsZero?: boolean;
}

export interface EvmAccessListItem {
  readonly address: Uint8Array;
  readonly storageKeys: readonly Uint8Array[];
}

/** EIP-7702 authorization; the host recovered its authority, which is undefined when the signature is invalid. */
export interface EvmAuthorization {
  readonly chainId: bigint;
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly authority: Uint8Array | undefined;
}

/** A transaction whose signature was verified. */
export interface EvmTransaction {
  readonly type: 0 | 1 | 2 | 3 | 4;
  readonly from: Uint8Array;
  /** Recipient; undefined creates a contract. */
  readonly to: Uint8Array | undefined;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** `maxFeePerGas`, or the gas price of types 0 and 1, in wei. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly accessList: readonly EvmAccessListItem[];
  readonly authorizations: readonly EvmAuthorization[];
  /** Blobs of a type 3 transaction; absent for other types. */
  readonly blobs?: EvmBlobs;
}

/** Blob fields of a transaction or call (EIP-4844). The EVM never sees the blobs themselves. */
export interface EvmBlobs {
  /** Versioned hashes of 32 bytes, which BLOBHASH reads. */
  readonly hashes: readonly Uint8Array[];
  /** Fee cap per blob gas, in wei. */
  readonly maxFeePerBlobGas: bigint;
}

/** How the engine handles fees and checks. */
export interface EvmRules {
  /**
   * 'engine': the engine checks nonce and balance, charges the fee, and pays refund and tip (Ethereum's rules; state
   * tests). 'host': the ante handler has charged the fee and increased the nonce; the engine checks and moves
   * nothing, but GASPRICE and contract addresses are as usual. 'none': like 'host' for calls without fees: the price
   * may be zero, below the base fee; balances are checked for `value` only; senders may have code; the engine leaves
   * the nonce. 'nonce': like 'none', but the engine increases the sender's nonce by one, like geth for calls,
   * estimates and their traces (`core/state_transition.go`).
   */
  readonly fees: 'engine' | 'host' | 'none' | 'nonce';
}
