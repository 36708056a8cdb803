/** A chain whose log began with a snapshot of another node's state. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { readGenesis } from '../../core/app/chain-of-genesis.js';
import type { ChainState } from '../../core/chain/chain-state.js';
import { resultsHash } from '../../core/comet/body-hash.js';
import { NO_RESULTS } from '../../core/comet/encoded-results.js';
import type { ChainStarted, SnapshotRestored } from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { ConsensusParamsSchema } from '../../core/proto/tendermint/types/params_pb.js';
import { BlockIDSchema, PartSetHeaderSchema } from '../../core/proto/tendermint/types/types_pb.js';
import { ValidatorSetSchema } from '../../core/proto/tendermint/types/validator_pb.js';
import type { SnapshotContent } from '../../core/multistore/snapshot-trees.js';
import type { EventLog } from '../../store/event-log.js';
import type { History } from '../../store/history/history.js';
import { stateFacts } from '../../core/snapshot/state-facts.js';
import { CacheStore, EMPTY_STATE } from '../../core/state/overlay.js';
import type { StateReader } from '../../core/state/state.js';
import { replacingRows } from '../../store/state/replace.js';
import type { SnapshotChunks } from '../snapshots/chunks.js';
import { chainConfigOf } from '../../core/chain/chain-config.js';
import type { AppVersion } from '../../core/sdk/module/app-version.js';

/** The first height whose block is in the log, whether or not it is there yet. */
export function firstHeight(
  log: Pick<EventLog, 'restored'>,
  { initialHeight }: Pick<ChainStarted['data'], 'initialHeight'>,
): Height {
  const restored = log.restored()?.event.data;
  return restored === undefined ? initialHeight : toHeight(restored.height + 1n);
}

/** The chain before the first block of the log. */
export function restoredState(
  crypto: Crypto,
  genesis: Pick<ChainState, 'chainId' | 'initialHeight'>,
  restored: SnapshotRestored['data'],
): ChainState {
  const { height, time, blockHash, appHash } = restored;
  return {
    chainId: genesis.chainId,
    initialHeight: genesis.initialHeight,
    height,
    time,
    lastBlockId:
      blockHash.length === 0
        ? undefined
        : create(BlockIDSchema, { hash: blockHash, partSetHeader: create(PartSetHeaderSchema) }),
    lastCommit: undefined,
    lastValidators: undefined,
    validators: fromBinary(ValidatorSetSchema, restored.validators),
    nextValidators: fromBinary(ValidatorSetSchema, restored.nextValidators),
    consensusParams: fromBinary(ConsensusParamsSchema, restored.consensusParams),
    appHash,
    lastResultsHash: resultsHash(crypto, NO_RESULTS),
  };
}

/** The event's data of a snapshot: what its state tells of the chain is resolved here, once. */
export function restoredData(
  crypto: Crypto,
  version: AppVersion,
  started: ChainStarted['data'],
  snapshot: SnapshotChunks & { readonly format: number },
  state: StateReader,
): SnapshotRestored['data'] {
  const { time } = readGenesis(started.genesis);
  const { height, appHash, format, chunks } = snapshot;
  const facts = stateFacts(
    state,
    { version, chain: chainConfigOf(started, 0n), crypto, at: { chainId: started.chainId, height, time } },
    {
      time,
      validators: fromBinary(ValidatorSetSchema, started.validators),
      consensusParams: fromBinary(ConsensusParamsSchema, started.consensusParams),
    },
  );
  return {
    height,
    appHash,
    time: facts.time,
    blockHash: facts.blockHash,
    validators: toBinary(ValidatorSetSchema, facts.validators),
    nextValidators: toBinary(ValidatorSetSchema, facts.nextValidators),
    consensusParams: toBinary(ConsensusParamsSchema, facts.consensusParams),
    upgradeHeight: facts.upgradeHeight,
    format,
    chunks,
  };
}

/** The values of a snapshot as a state. */
export function stateOf({ values }: Pick<SnapshotContent, 'values'>): StateReader {
  const state = new CacheStore(EMPTY_STATE);
  for (const { store, key, value } of values) state.set(store, key, value);
  return state;
}

/**
 * Rows of the batch of a SnapshotRestored, besides those of the log itself: the state, the validators and the
 * parameters of the snapshot take the place of those of the genesis.
 */
export async function restoredRows(
  store: Pick<KeyValueStore, 'range'>,
  history: History,
  state: ChainState,
  { values }: Pick<SnapshotContent, 'values'>,
): Promise<readonly StoreOperation[]> {
  return [...(await replacingRows(store, state.height, values)), ...history.restoredRows(state.height, state)];
}
