import type {
  EvmBlobs,
  EvmBlock,
  EvmFork,
  EvmPermission,
  EvmRules,
  EvmSurcharges,
  EvmTransaction,
} from './transaction.js';
import type { EvmOverride } from './state.js';
import type { FlatWriter } from './flat-bytes.js';

/** Fork numbers of the engine. */
const FORKS: Readonly<Record<EvmFork, number>> = {
  london: 8,
  paris: 9,
  shanghai: 10,
  cancun: 11,
  prague: 12,
  osaka: 13,
};
const FEES: Readonly<Record<EvmRules['fees'], number>> = { engine: 0, host: 1, none: 2, nonce: 3 };
/** Permission numbers of the engine (`engine/src/peer/permissions.rs`). */
const PERMISSIONS: Readonly<Record<EvmPermission['kind'], number>> = { 'all but': 0, nobody: 1, only: 2 };
const NO_ADDRESS = new Uint8Array(20);
const NO_BLOBS: EvmBlobs = { hashes: [], maxFeePerBlobGas: 0n };
const NO_SURCHARGES: EvmSurcharges = { creation: 0, instructions: [] };
/** Minimum blob base fee in wei (EIP-4844). */
export const MIN_BLOB_BASE_FEE = 1n;

/** Number of the fee rules at the engine's boundary. */
export const feesCode = (rules: EvmRules): number => FEES[rules.fees];

/** Encodes a block (`engine/src/exports/block.rs`). Throws `EncodingOverflow` for numbers that do not fit. */
export function encodeBlock(writer: FlatWriter, block: EvmBlock): FlatWriter {
  const { creation, instructions } = block.surcharges ?? NO_SURCHARGES;
  const { blobBaseFee = MIN_BLOB_BASE_FEE } = block;
  writer.u8(FORKS[block.fork]).u32(creation).u8(instructions.length);
  for (const { opcode, gas } of instructions) writer.u8(opcode).u32(gas);
  writer
    .u64(block.chainId, 'chain id')
    .u64(block.number, 'block number')
    .fixed(block.coinbase, 20, 'coinbase')
    .u64(block.timestamp, 'block time')
    .u64(block.gasLimit, 'block gas limit')
    .u64(block.baseFee, 'base fee')
    .fixed(block.prevRandao, 32, 'prevRandao')
    .u64(block.txGasCap ?? 0n, 'transaction gas cap')
    .u128(blobBaseFee === 'none' ? 0n : blobBaseFee, 'blob base fee')
    .u8(
      (block.isFloorFree === true ? 1 : 0) |
        (block.showsTouches === true ? 2 : 0) |
        (block.warmsZero === true ? 4 : 0) |
        (blobBaseFee === 'none' ? 8 : 0) |
        (block.permissions === undefined ? 0 : 16),
    );
  if (block.permissions === undefined) return writer;
  const { create, call } = block.permissions;
  for (const { kind, addresses } of [create, call]) {
    writer.u8(PERMISSIONS[kind]).u32(addresses.length);
    for (const address of addresses) writer.fixed(address, 20, 'permitted address');
  }
  return writer;
}

/**
 * Encodes a transaction (`engine/src/exports/transaction.rs`). Throws `EncodingOverflow` for numbers that do not fit.
 */
export function encodeTransaction(writer: FlatWriter, transaction: EvmTransaction): FlatWriter {
  const { to, maxPriorityFeePerGas: tip } = transaction;
  writer
    .u8(transaction.type)
    .fixed(transaction.from, 20, 'from')
    .u8(to === undefined ? 0 : 1)
    .fixed(to ?? NO_ADDRESS, 20, 'to')
    .u64(transaction.gasLimit, 'gas limit')
    .u128(transaction.maxFeePerGas, 'gas price')
    .u8(tip === undefined ? 0 : 1)
    .u128(tip ?? 0n, 'priority fee')
    .u256(transaction.value, 'value')
    .u64(transaction.nonce, 'nonce')
    .bytes(transaction.data)
    .u32(transaction.accessList.length);
  for (const { address, storageKeys } of transaction.accessList) {
    writer.fixed(address, 20, 'access list address').u32(storageKeys.length);
    for (const key of storageKeys) writer.fixed(key, 32, 'access list key');
  }
  writer.u32(transaction.authorizations.length);
  for (const { chainId, address, nonce, authority } of transaction.authorizations) {
    writer
      .u256(chainId, 'authorization chain id')
      .fixed(address, 20, 'authorization address')
      .u64(nonce, 'authorization nonce')
      .u8(authority === undefined ? 0 : 1)
      .fixed(authority ?? NO_ADDRESS, 20, 'authority');
  }
  const { hashes, maxFeePerBlobGas } = transaction.blobs ?? NO_BLOBS;
  writer.u128(maxFeePerBlobGas, 'fee of blob gas').u32(hashes.length);
  for (const hash of hashes) writer.fixed(hash, 32, 'blob hash');
  return writer;
}

/** Encodes state overrides (`engine/src/exports/overrides.rs`). */
export function encodeOverrides(writer: FlatWriter, overrides: readonly EvmOverride[]): FlatWriter {
  writer.u32(overrides.length);
  for (const edit of overrides) encodeOverride(writer, edit);
  return writer;
}

function encodeOverride(writer: FlatWriter, edit: EvmOverride): void {
  const { balance, nonce, code, storage, movePrecompileTo } = edit;
  const slots = [...(storage ?? []), ...(edit.slots ?? [])];
  const flags =
    (balance === undefined ? 0 : 1) |
    (nonce === undefined ? 0 : 2) |
    (code === undefined ? 0 : 4) |
    (storage === undefined ? 0 : 8) |
    (slots.length === 0 ? 0 : 16) |
    (movePrecompileTo === undefined ? 0 : 32);
  writer.fixed(edit.address, 20, 'overridden address').u8(flags);
  if (balance !== undefined) writer.u256(balance, 'overridden balance');
  if (nonce !== undefined) writer.u64(nonce, 'overridden nonce');
  if (code !== undefined) writer.bytes(code);
  if (slots.length > 0) writer.u32(slots.length);
  for (const { slot, value } of slots) writer.fixed(slot, 32, 'overridden slot').fixed(value, 32, 'overridden value');
  if (movePrecompileTo !== undefined) writer.fixed(movePrecompileTo, 20, 'address of a moved precompile');
}
