/** Chains whose log begins with a restored snapshot. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { readGenesis } from '../../core/app/chain-of-genesis.js';
import type { ChainState } from '../../core/chain/chain-state.js';
import { differences } from '../../core/chain/execution-differences.js';
import { resultsHash } from '../../core/comet/body-hash.js';
import { NO_RESULTS } from '../../core/comet/encoded-results.js';
import { fromTimestamp } from '../../core/comet/time.js';
import { validatorSetHash } from '../../core/comet/validator-set.js';
import type {
  ChainStarted,
  SnapshotHead,
  SnapshotRestored,
  SnapshotRestoredV2,
  SnapshotRestoredV1,
} from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore, StoreOperation } from '../../core/ports/key-value-store.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { ConsensusParamsSchema } from '../../core/proto/tendermint/types/params_pb.js';
import * as pb from '../../core/proto/tendermint/types/types_pb.js';
import { ValidatorSetSchema, type ValidatorSet } from '../../core/proto/tendermint/types/validator_pb.js';
import type { SnapshotContent } from '../../core/multistore/snapshot-trees.js';
import type { EventLog } from '../../store/log/event-log.js';
import type { History } from '../../store/history/history.js';
import { headProblems } from '../../core/snapshot/head-problems.js';
import { stateFacts, type StateFacts } from '../../core/snapshot/state-facts.js';
import { CacheStore, EMPTY_STATE } from '../../core/state/overlay.js';
import type { StateReader } from '../../core/state/state.js';
import { replacingRows } from '../../store/state/replace.js';
import type { LoggedSnapshot } from '../snapshots/chunks.js';
import type { SnapshotChain } from '../snapshots/snapshot-chain.js';
import { chainConfigOf } from '../../core/chain/chain-config.js';
import type { AppVersion } from '../../core/sdk/module/app-version.js';

/** The first height whose block is, or will be, in the log. */
export function firstHeight(
  log: Pick<EventLog, 'restored'>,
  { initialHeight }: Pick<ChainStarted['data'], 'initialHeight'>,
): Height {
  const restored = log.restored()?.event.data;
  return restored === undefined ? initialHeight : toHeight(restored.height + 1n);
}

/** Chain state at the restored snapshot, before the first block of the log. */
export function restoredState(
  crypto: Crypto,
  genesis: Pick<ChainState, 'chainId' | 'initialHeight'>,
  restored: SnapshotRestored['data'],
): ChainState {
  const { height, time, blockHash, appHash } = restored;
  const head = 'head' in restored ? restored.head : undefined;
  return {
    chainId: genesis.chainId,
    initialHeight: genesis.initialHeight,
    height,
    time,
    lastBlockId: head === undefined ? blockIdOf(blockHash) : fromBinary(pb.BlockIDSchema, head.blockId),
    lastCommit: head && fromBinary(pb.CommitSchema, head.commit),
    lastValidators: head && fromBinary(ValidatorSetSchema, head.lastValidators),
    validators: fromBinary(ValidatorSetSchema, restored.validators),
    nextValidators: fromBinary(ValidatorSetSchema, restored.nextValidators),
    consensusParams: fromBinary(ConsensusParamsSchema, restored.consensusParams),
    appHash,
    lastResultsHash: head?.lastResultsHash ?? resultsHash(crypto, NO_RESULTS),
  };
}

/** Block id from a bare hash; undefined for an empty hash. */
function blockIdOf(hash: Uint8Array): pb.BlockID | undefined {
  return hash.length === 0
    ? undefined
    : create(pb.BlockIDSchema, { hash, partSetHeader: create(pb.PartSetHeaderSchema) });
}

/** Data of a SnapshotRestored event (version 1). The chain facts contained in the state are resolved here, once. */
export function restoredData(
  crypto: Crypto,
  version: AppVersion,
  started: ChainStarted['data'],
  snapshot: LoggedSnapshot & { readonly format: number },
  state: StateReader,
): SnapshotRestoredV1['data'] {
  const { height, appHash, format, chunks } = snapshot;
  const facts = factsOf(crypto, version, started, height, state);
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

function factsOf(
  crypto: Crypto,
  version: AppVersion,
  started: ChainStarted['data'],
  height: Height,
  state: StateReader,
): StateFacts {
  const { time } = readGenesis(started.genesis);
  return stateFacts(
    state,
    { version, chain: chainConfigOf(started, 0n), crypto, at: { chainId: started.chainId, height, time } },
    {
      time,
      validators: fromBinary(ValidatorSetSchema, started.validators),
      consensusParams: fromBinary(ConsensusParamsSchema, started.consensusParams),
    },
  );
}

/**
 * Data of a SnapshotRestored event (version 2), for a snapshot of a node with embedded consensus, which brings its
 * chain facts.
 */
export function restoredDataWithHead(
  crypto: Crypto,
  version: AppVersion,
  started: ChainStarted['data'],
  { height, format, chunks, chain }: SnapshotWithChain,
  state: StateReader,
): SnapshotRestoredV2['data'] {
  const { upgradeHeight } = factsOf(crypto, version, started, height, state);
  const { appHash, validators, nextValidators, consensusParams, head } = chain;
  const time = fromTimestamp(fromBinary(pb.HeaderSchema, head.header).time);
  const blockHash = fromBinary(pb.BlockIDSchema, head.blockId).hash;
  const facts = { appHash, time, blockHash, validators, nextValidators, consensusParams, upgradeHeight, head };
  return { height, ...facts, format, chunks };
}

/** Chain facts after a block, for the event of an anchor; `head` only with embedded consensus. */
export type AnchoredState = Omit<SnapshotRestoredV1['data'], 'upgradeHeight' | 'format' | 'chunks'> & {
  readonly head?: SnapshotHead;
};

/** Builds them from a chain state whose app hash is known. */
export function anchoredState(state: ChainState, head?: SnapshotHead): AnchoredState {
  const { height, appHash, time, lastBlockId } = state;
  return {
    height,
    appHash,
    time,
    blockHash: lastBlockId?.hash ?? new Uint8Array(),
    validators: toBinary(ValidatorSetSchema, state.validators),
    nextValidators: toBinary(ValidatorSetSchema, state.nextValidators),
    consensusParams: toBinary(ConsensusParamsSchema, state.consensusParams),
    ...(head && { head }),
  };
}

/** A snapshot, and the facts of its chain. */
export interface SnapshotWithChain {
  readonly height: Height;
  readonly format: number;
  readonly chunks: readonly Uint8Array[];
  readonly chain: SnapshotChain;
}

/** Lists contradictions between the state and the head of a restored snapshot. */
export function restoredHeadProblems(
  crypto: Crypto,
  version: AppVersion,
  started: ChainStarted['data'],
  data: SnapshotRestoredV2['data'],
  state: StateReader,
): readonly string[] {
  const facts = factsOf(crypto, version, started, data.height, state);
  return [
    ...headProblems(crypto, started.chainId, data, facts).map((problem) => `the restored snapshot: ${problem}`),
    ...(facts.upgradeHeight === data.upgradeHeight ? [] : ['the state of the snapshot names another upgrade']),
  ];
}

/**
 * Lists contradictions between an anchor's event and its state, with an external engine. App hash and block hash are
 * verified by the next header; block time and proposer priorities may not be in the state.
 */
export function anchoredProblems(
  crypto: Crypto,
  version: AppVersion,
  started: ChainStarted['data'],
  { height, nextValidators, consensusParams, upgradeHeight }: SnapshotRestoredV1['data'],
  state: StateReader,
): readonly string[] {
  const facts = factsOf(crypto, version, started, height, state);
  const hash = (set: ValidatorSet): Uint8Array => validatorSetHash(crypto, set);
  return [
    ...(upgradeHeight === facts.upgradeHeight ? [] : ['the state of the anchor names another upgrade']),
    ...differences(
      'next validators of the anchor',
      hash(fromBinary(ValidatorSetSchema, nextValidators)),
      hash(facts.nextValidators),
    ),
    ...differences(
      'consensus parameters of the anchor',
      consensusParams,
      toBinary(ConsensusParamsSchema, facts.consensusParams),
    ),
  ];
}

/** A state reader over the values of a snapshot. */
export function stateOf({ values }: Pick<SnapshotContent, 'values'>): StateReader {
  const state = new CacheStore(EMPTY_STATE);
  for (const { store, key, value } of values) state.set(store, key, value);
  return state;
}

/**
 * Rows for the batch of a SnapshotRestored event: state, validators and parameters of the snapshot replace those of the
 * genesis.
 */
export async function restoredRows(
  store: Pick<KeyValueStore, 'range'>,
  history: History,
  state: ChainState,
  { values }: Pick<SnapshotContent, 'values'>,
): Promise<readonly StoreOperation[]> {
  return [...(await replacingRows(store, state.height, values)), ...history.restoredRows(state.height, state)];
}
