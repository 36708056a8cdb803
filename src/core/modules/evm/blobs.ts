/**
 * Blobs of calls (EIP-4844): the EVM sees their hashes only, and the chain has none (geth v1.17
 * `core/state_transition.go`).
 */
import type { EthereumCall } from '../../ethereum/call.js';
import type { EthereumTransaction } from '../../ethereum/transaction.js';
import type { EvmBlobs } from '../../evm/transaction.js';

const GAS_PER_BLOB = 131_072n;
/** First byte of a versioned hash. */
const KZG_VERSION = 0x01;
/** Maximum blobs per transaction (EIP-7594). */
const MAX_BLOBS = 6;

/** geth's text for blobs without a recipient. */
export const BLOB_CREATION = 'blob transaction of type create';

/** Blob fee cap of a call in wei; 0 for a call with blobs and no fee cap. */
export function blobFeeOf({ maxFeePerBlobGas, blobHashes }: EthereumCall): bigint | undefined {
  return maxFeePerBlobGas ?? (blobHashes && 0n);
}

/** Blobs of a call; undefined without any. */
export function blobsOf(call: EthereumCall): EvmBlobs | undefined {
  return call.blobHashes && { hashes: call.blobHashes, maxFeePerBlobGas: blobFeeOf(call) ?? 0n };
}

/** Blobs of a transaction; undefined for other types. */
export function blobsIn(transaction: EthereumTransaction): EvmBlobs | undefined {
  return transaction.type === 3 ? transaction.blobs : undefined;
}

/** Blob gas, which is separate from EVM gas. */
export function blobGas(blobs: EvmBlobs | undefined): bigint {
  return BigInt(blobs?.hashes.length ?? 0) * GAS_PER_BLOB;
}

/** Maximum cost of blobs in wei. */
export function blobCost(blobs: EvmBlobs | undefined): bigint {
  return blobGas(blobs) * (blobs?.maxFeePerBlobGas ?? 0n);
}

/** Parts of a message that blob rules need. */
interface MessageWithBlobs {
  /** Returns the sender's name for error texts. */
  readonly name: () => string;
  readonly to: Uint8Array | undefined;
  /** True when a message without a price may pay less than the base fees. */
  readonly mayBeFree: boolean;
  /** Blob base fee in wei. */
  readonly blobBaseFee?: () => bigint;
}

/** First blob rule that a message violates; undefined when all hold. */
export function refuseBlobs(
  { name, to, mayBeFree, blobBaseFee }: MessageWithBlobs,
  { hashes, maxFeePerBlobGas }: EvmBlobs,
): string | undefined {
  if (to === undefined) return BLOB_CREATION;
  if (hashes.length === 0) return 'blob transaction missing blob hashes';
  if (hashes.length > MAX_BLOBS) return 'blob transaction has too many blobs';
  const wrong = hashes.findIndex(([version]) => version !== KZG_VERSION);
  if (wrong >= 0) return `blob ${wrong} has invalid hash version`;
  const least = mayBeFree && maxFeePerBlobGas === 0n ? 0n : (blobBaseFee?.() ?? 0n);
  return maxFeePerBlobGas < least
    ? `max fee per blob gas less than block blob gas fee: address ${name()} blobGasFeeCap: ${maxFeePerBlobGas}, blobBaseFee: ${least}`
    : undefined;
}
