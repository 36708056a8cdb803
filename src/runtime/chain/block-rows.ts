import type { ChainState } from '../../core/chain/chain-state.js';
import type { EncodedResults } from '../../core/comet/encoded-results.js';
import { headerHashesOf } from '../../core/ethereum/header-facts.js';
import { evidenceHash, txHash } from '../../core/comet/body-hash.js';
import { ethereumHashOf } from '../../core/ethereum/content.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import type { Block } from '../../core/proto/tendermint/types/block_pb.js';
import type { BlockID } from '../../core/proto/tendermint/types/types_pb.js';
import { blockIndexRows, headerHashRow } from '../../store/log/block-index.js';
import type { History } from '../../store/history/history.js';
import { stateRows } from '../../store/state/latest.js';
import type { Executed } from '../executor/protocol.js';

/**
 * Hash-index rows of a decided block, its evidence and its transactions (Ethereum transactions by both of their
 * hashes).
 */
export function decidedRows(crypto: Crypto, block: Block, blockId: BlockID): readonly StoreOperation[] {
  const txHashes = (block.data?.txs ?? []).map((tx) => {
    const hash = ethereumHashOf(crypto, tx);
    return hash === undefined ? [txHash(crypto, tx)] : [txHash(crypto, tx), hash];
  });
  return blockIndexRows({
    height: toHeight(block.header?.height ?? 0n),
    blockHash: blockId.hash,
    txHashes,
    evidenceHashes: (block.evidence?.evidence ?? []).map((evidence) => evidenceHash(crypto, evidence)),
  });
}

/** Index row of the block's Ethereum hash; none when the chain's blocks have no Ethereum hash of their own. */
export function headerHashRows(height: Height, results: Pick<EncodedResults, 'lastEvent'>): readonly StoreOperation[] {
  const hashes = headerHashesOf(results);
  return hashes === undefined ? [] : [headerHashRow(height, hashes.hash)];
}

export interface ExecutedRowsOptions {
  readonly store: Pick<KeyValueStore, 'get'>;
  readonly history: History;
  readonly result: Pick<Executed, 'results' | 'writes'>;
  /** The chain state after the block; its app hash is ignored. */
  readonly after: ChainState;
  readonly paramsChanged: boolean;
}

/**
 * Rows of an executed block, for the batch of its BlockExecuted: state, undo page, validators of H+2, parameters of
 * H+1. `history` are the rows to pass to `History.published` after the batch.
 */
export function executedRows(options: ExecutedRowsOptions): {
  readonly rows: readonly StoreOperation[];
  readonly history: readonly StoreOperation[];
} {
  const { store, history, result, after, paramsChanged } = options;
  const historyRows = [
    ...history.validatorRows(
      toHeight(after.height + 2n),
      after.nextValidators,
      result.results.validatorUpdates.length > 0,
    ),
    ...(paramsChanged ? history.consensusParamsRows(toHeight(after.height + 1n), after.consensusParams) : []),
  ];
  const rows = [
    ...stateRows(after.height, result.writes, (key) => store.get(key)),
    ...headerHashRows(after.height, result.results),
    ...historyRows,
  ];
  return { rows, history: historyRows };
}

/** Rows of a new chain: the genesis state, and validators and parameters of its first blocks. */
export function genesisRows(
  store: Pick<KeyValueStore, 'get'>,
  history: History,
  state: ChainState,
  writes: Executed['writes'],
): readonly StoreOperation[] {
  const first = state.initialHeight;
  return [
    ...stateRows(toHeight(first - 1n), writes, (key) => store.get(key)),
    ...history.validatorRows(first, state.validators, true),
    ...history.validatorRows(toHeight(first + 1n), state.nextValidators, true),
    ...history.consensusParamsRows(first, state.consensusParams),
  ];
}
