/**
 * Hashes of the last block on chains that use Ethereum header hashes: a row of store `evm` since genesis, so that
 * replay, state sync and an external engine agree on the next parent.
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
  /** Ethereum header hash. */
  readonly ethereum: Uint8Array;
  /** CometBFT block hash; empty before the first block. */
  readonly consensus: Uint8Array;
}

/** Hashes of the last block; undefined on a chain that uses CometBFT hashes. */
export function getBlockHashes({ store }: Pick<Context, 'store'>): BlockHashes | undefined {
  const value = store.get(STORE, KEY);
  if (value === undefined) return undefined;
  return { ethereum: value.slice(0, HASH_BYTES), consensus: value.slice(HASH_BYTES) };
}

/** Hash of block 0 from the genesis writes; undefined when the chain uses CometBFT hashes. */
export function hashOfGenesis(writes: readonly StateWrite[]): Uint8Array | undefined {
  return writes.find(({ store, key }) => store === STORE && equal(key, KEY))?.value;
}

/** Stores the hashes of the block at `height`, and the one that contracts see (EIP-2935). */
export function setBlockHashes(
  context: Context,
  { ethereum, consensus }: BlockHashes,
  height: bigint = context.height,
): void {
  context.store.set(STORE, KEY, concat(ethereum, consensus));
  storeInHistory(context, ethereum, height);
}

/** Stores a block hash in the history contract (EIP-2935), if it is installed. */
export function storeInHistory(context: Context, hash: Uint8Array, height: bigint = context.height): void {
  if (isEmptyCodeHash(getCodeHash(context, HISTORY_ADDRESS))) return;
  context.store.set(STORE, storageKey(HISTORY_ADDRESS, historySlot(context, height)), hash);
}

/**
 * Makes the chain use Ethereum header hashes from the first block on. Block 0 is the parent of the first block, also
 * for contracts on a chain that starts at a later height. Called in genesis after the fee market's parameters are
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
