/**
 * Blobs of calls (EIP-4844), of which the EVM sees only the hashes; the chain has none (geth v1.17
 * `core/state_transition.go`).
 */
import type { EthereumCall } from '../../ethereum/call.js';
import type { EthereumTransaction } from '../../ethereum/transaction.js';
import type { EvmBlobs } from '../../evm/transaction.js';

const GAS_PER_BLOB = 131_072n;
/** First byte of the hash of a commitment. */
const KZG_VERSION = 0x01;
/** Blobs of one transaction (EIP-7594). */
const MAX_BLOBS = 6;

/** geth's words for blobs without a recipient. */
export const BLOB_CREATION = 'blob transaction of type create';

/** wei that a call gives for a unit of blob gas; one with blobs that names none gives nothing. */
export function blobFeeOf({ maxFeePerBlobGas, blobHashes }: EthereumCall): bigint | undefined {
  return maxFeePerBlobGas ?? (blobHashes && 0n);
}

/** The blobs of a call; undefined for another call. */
export function blobsOf(call: EthereumCall): EvmBlobs | undefined {
  return call.blobHashes && { hashes: call.blobHashes, maxFeePerBlobGas: blobFeeOf(call) ?? 0n };
}

/** The blobs of a transaction; undefined for one of another type. */
export function blobsIn(transaction: EthereumTransaction): EvmBlobs | undefined {
  return transaction.type === 3 ? transaction.blobs : undefined;
}

/** Blob gas of blobs, which is beside the gas of the EVM. */
export function blobGas(blobs: EvmBlobs | undefined): bigint {
  return BigInt(blobs?.hashes.length ?? 0) * GAS_PER_BLOB;
}

/** The most wei that blobs may cost. */
export function blobCost(blobs: EvmBlobs | undefined): bigint {
  return blobGas(blobs) * (blobs?.maxFeePerBlobGas ?? 0n);
}

/** The parts of a message that the rules of blobs need. */
interface MessageWithBlobs {
  /** The sender's name in texts. */
  readonly name: () => string;
  readonly to: Uint8Array | undefined;
  /** A message without a price may pay less than the base fees. */
  readonly mayBeFree: boolean;
  /** wei per blob gas. */
  readonly blobBaseFee?: () => bigint;
}

/** The first rule that the blobs of a message break. */
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
