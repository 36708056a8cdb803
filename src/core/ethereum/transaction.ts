/**
 * Ethereum transactions (EIP-155, EIP-2930, EIP-1559, EIP-4844, EIP-7702). Amounts in wei. The chain accepts types 0,
 * 1, 2 and 4; type 3 exists only in simulated blocks.
 */
import type { EvmAccessListItem, EvmBlobs } from '../evm/transaction.js';

interface Common {
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** Recipient; undefined creates a contract. */
  readonly to: Uint8Array | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly r: bigint;
  readonly s: bigint;
  /** Parity of y: 0 or 1. */
  readonly yParity: 0 | 1;
}

export interface LegacyTransaction extends Common {
  readonly type: 0;
  /** Undefined for a signature without replay protection (v 27 or 28). */
  readonly chainId: bigint | undefined;
  readonly gasPrice: bigint;
}

export interface AccessListTransaction extends Common {
  readonly type: 1;
  readonly chainId: bigint;
  readonly gasPrice: bigint;
  readonly accessList: readonly EvmAccessListItem[];
}

export interface DynamicFeeTransaction extends Common {
  readonly type: 2;
  readonly chainId: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly accessList: readonly EvmAccessListItem[];
}

export interface BlobTransaction extends Common {
  readonly type: 3;
  readonly to: Uint8Array;
  readonly chainId: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly accessList: readonly EvmAccessListItem[];
  readonly blobs: EvmBlobs;
}

export interface SignedAuthorization {
  readonly chainId: bigint;
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly yParity: number;
  readonly r: bigint;
  readonly s: bigint;
}

export interface SetCodeTransaction extends Common {
  readonly type: 4;
  readonly to: Uint8Array;
  readonly chainId: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly accessList: readonly EvmAccessListItem[];
  readonly authorizations: readonly SignedAuthorization[];
}

export type EthereumTransaction =
  | LegacyTransaction
  | AccessListTransaction
  | DynamicFeeTransaction
  | BlobTransaction
  | SetCodeTransaction;
