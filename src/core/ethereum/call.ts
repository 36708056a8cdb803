import type { SignedAuthorization } from './transaction.js';

/** `eth_call` arguments after parsing; absent fields take geth's defaults. */
export interface EthereumCall {
  readonly from?: Uint8Array | undefined;
  readonly to?: Uint8Array | undefined;
  readonly gas?: bigint | undefined;
  readonly gasPrice?: bigint | undefined;
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
  readonly value?: bigint | undefined;
  readonly nonce?: bigint | undefined;
  readonly data?: Uint8Array | undefined;
  readonly accessList?:
    | readonly { readonly address: Uint8Array; readonly storageKeys: readonly Uint8Array[] }[]
    | undefined;
  /** wei; a call without blobs may name it. */
  readonly maxFeePerBlobGas?: bigint | undefined;
  /** Versioned hashes of blobs; an empty list is not the same as none. */
  readonly blobHashes?: readonly Uint8Array[] | undefined;
  /** EIP-7702 delegations; an empty list is not the same as none. */
  readonly authorizations?: readonly SignedAuthorization[] | undefined;
}

/**
 * Fields of the block in which a call runs, in place of those of the chain; fees and amounts in wei, times in seconds.
 */
export interface EthereumBlockOverrides {
  readonly number?: bigint;
  readonly timestamp?: bigint;
  readonly gasLimit?: bigint;
  readonly coinbase?: Uint8Array;
  readonly prevRandao?: Uint8Array;
  readonly baseFee?: bigint;
  readonly blobBaseFee?: bigint;
}
