/**
 * The hashes of the last block, on chains whose blocks have the hash of their Ethereum header: a row of store `evm`
 * that the genesis begins, so that replay, state sync and an engine outside of the process agree on the next parent.
 */
import { EMPTY, concat, equal, utf8 } from '../../bytes/bytes.js';
import { genesisEthereumBlock } from '../../ethereum/block-of.js';
import type { Context } from '../../sdk/module/context.js';
import type { GenesisFacts } from '../../sdk/module/module.js';
import type { StateWrite } from '../../state/state.js';
import { baseFeeOfGenesis, getParams as getFeeMarketParams } from '../feemarket/params.js';
import { HISTORY_ADDRESS, historySlot } from './state.js';
import { getCodeHash, isEmptyCodeHash, STORE, storageKey } from './store.js';
import { NS_PER_SECOND } from '../../primitives.js';

const KEY = utf8('blockHashes');
const HASH_BYTES = 32;

export interface BlockHashes {
  /** keccak256 of the Ethereum header. */
  readonly ethereum: Uint8Array;
  /** Hash of the consensus block; empty before the first one. */
  readonly consensus: Uint8Array;
}

/** The hashes of the last block; undefined on a chain whose blocks have the hash of the consensus block alone. */
export function getBlockHashes({ store }: Pick<Context, 'store'>): BlockHashes | undefined {
  const value = store.get(STORE, KEY);
  if (value === undefined) return undefined;
  return { ethereum: value.slice(0, HASH_BYTES), consensus: value.slice(HASH_BYTES) };
}

/** The hash of block 0 among the writes of a genesis; undefined where the genesis lets blocks keep consensus hashes. */
export function hashOfGenesis(writes: readonly StateWrite[]): Uint8Array | undefined {
  return writes.find(({ store, key }) => store === STORE && equal(key, KEY))?.value;
}

/** Stores the hashes of the block at `height`, and the one that code sees (EIP-2935). */
export function setBlockHashes(
  context: Context,
  { ethereum, consensus }: BlockHashes,
  height: bigint = context.height,
): void {
  context.store.set(STORE, KEY, concat(ethereum, consensus));
  storeInHistory(context, ethereum, height);
}

/** Stores a hash of the block at `height` where the history contract (EIP-2935) is installed. */
export function storeInHistory(context: Context, hash: Uint8Array, height: bigint = context.height): void {
  if (isEmptyCodeHash(getCodeHash(context, HISTORY_ADDRESS))) return;
  context.store.set(STORE, storageKey(HISTORY_ADDRESS, historySlot(context, height)), hash);
}

/**
 * From the first block on, blocks have the hash of their Ethereum header; block 0 is the parent of the first, also for
 * code in a chain that begins at a later height. Called at the genesis, when the parameters of the fee market are
 * stored.
 */
export function beginHeaderHashes(
  context: Context,
  { consensusParams: { block }, initialHeight }: Pick<GenesisFacts, 'consensusParams' | 'initialHeight'>,
): void {
  const { hash } = genesisEthereumBlock(context.crypto, {
    timestamp: context.time / NS_PER_SECOND,
    maxGas: block?.maxGas ?? -1n,
    baseFeePerGas: baseFeeOfGenesis(getFeeMarketParams(context)),
  });
  setBlockHashes(context, { ethereum: hash, consensus: EMPTY }, initialHeight - 1n);
}
