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
  /** Blob fee cap in wei; also allowed without blobs. */
  readonly maxFeePerBlobGas?: bigint | undefined;
  /** Versioned blob hashes; an empty list differs from an absent one. */
  readonly blobHashes?: readonly Uint8Array[] | undefined;
  /** EIP-7702 authorizations; an empty list differs from an absent one. */
  readonly authorizations?: readonly SignedAuthorization[] | undefined;
}

/** Overrides for fields of the block in which a call runs; fees and amounts in wei, times in seconds. */
export interface EthereumBlockOverrides {
  readonly number?: bigint;
  readonly timestamp?: bigint;
  readonly gasLimit?: bigint;
  readonly coinbase?: Uint8Array;
  readonly prevRandao?: Uint8Array;
  readonly baseFee?: bigint;
  readonly blobBaseFee?: bigint;
}
