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
 * Rows that make a decided block findable by hash, and its evidence and transactions: Ethereum's also by their Ethereum
 * hash.
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

/** The row by which a block is found by its hash on the Ethereum face, where that is the hash of its header there. */
export function headerHashRows(height: Height, results: Pick<EncodedResults, 'lastEvent'>): readonly StoreOperation[] {
  const hashes = headerHashesOf(results);
  return hashes === undefined ? [] : [headerHashRow(height, hashes.hash)];
}

export interface ExecutedRowsOptions {
  readonly store: Pick<KeyValueStore, 'get'>;
  readonly history: History;
  readonly result: Pick<Executed, 'results' | 'writes'>;
  /** The state after the block; its app hash is not looked at. */
  readonly after: ChainState;
  readonly paramsChanged: boolean;
}

/**
 * Rows that an execution makes, for the batch with its event: state, undo, validators of H+2, parameters of H+1.
 * `history` are the rows for `History.published` once the batch has returned.
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

/** Rows of a chain that begins: the state of its genesis, and who signs its first two blocks. */
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
