import { genesisHeight } from '../genesis/genesis-height.js';
import { resultsHash } from '../comet/body-hash.js';
import { type EncodedResults, NO_RESULTS } from '../comet/encoded-results.js';
import { fromTimestamp } from '../comet/time.js';
import { genesisValidatorSet, nextValidatorSet } from '../comet/validator-updates.js';
import { incrementProposerPriority } from '../comet/proposer-priority.js';
import { invariant } from '../errors.js';
import type { Crypto } from '../ports/crypto.js';
import { toHeight, type Height, type TimeNs } from '../primitives.js';
import type { ValidatorUpdate } from '../proto/tendermint/abci/types_pb.js';
import type { Block } from '../proto/tendermint/types/block_pb.js';
import type { ConsensusParams } from '../proto/tendermint/types/params_pb.js';
import type { BlockID, Commit } from '../proto/tendermint/types/types_pb.js';
import type { ValidatorSet } from '../proto/tendermint/types/validator_pb.js';

/**
 * State on which the next block is built and checked (CometBFT v0.38 `State` in `state/state.go`), folded from
 * decided and executed blocks.
 */
export interface ChainState {
  readonly chainId: string;
  readonly initialHeight: Height;
  /** Last executed height; one below `initialHeight` before the first block. */
  readonly height: Height;
  readonly time: TimeNs;
  readonly lastBlockId: BlockID | undefined;
  /**
   * Commit that decided the last block, as this node saw it; undefined when an external consensus engine keeps it.
   */
  readonly lastCommit: Commit | undefined;
  readonly lastValidators: ValidatorSet | undefined;
  /** Validator sets of the next block, and of the block after it. */
  readonly validators: ValidatorSet;
  readonly nextValidators: ValidatorSet;
  readonly consensusParams: ConsensusParams;
  /** App hash after the block at `height`. */
  readonly appHash: Uint8Array;
  readonly lastResultsHash: Uint8Array;
}

export interface GenesisState {
  readonly chainId: string;
  readonly initialHeight: Height;
  readonly time: TimeNs;
  readonly validators: readonly ValidatorUpdate[];
  readonly consensusParams: ConsensusParams;
}

/**
 * State before the first block. The app hash of a chain without blocks is the hash of no bytes, which the SDK returns
 * from InitChain.
 */
export function genesisChainState(crypto: Crypto, genesis: GenesisState): ChainState {
  const set = genesisValidatorSet(crypto, genesis.validators);
  invariant(set.ok, set.ok ? '' : `validators of the genesis: ${set.reason}`);
  return {
    chainId: genesis.chainId,
    initialHeight: genesis.initialHeight,
    height: genesisHeight(genesis.initialHeight),
    time: genesis.time,
    lastBlockId: undefined,
    lastCommit: undefined,
    lastValidators: undefined,
    validators: set.set,
    nextValidators: incrementProposerPriority(set.set, 1),
    consensusParams: genesis.consensusParams,
    appHash: crypto.sha256(new Uint8Array()),
    lastResultsHash: resultsHash(crypto, NO_RESULTS),
  };
}

export interface ExecutedBlock {
  readonly block: Block;
  readonly blockId: BlockID;
  /** Commit of the block; undefined when an external consensus engine keeps it. */
  readonly commit: Commit | undefined;
  readonly results: EncodedResults;
  /** Consensus parameters from the results when they differ from the current ones. */
  readonly consensusParamUpdates: ConsensusParams | undefined;
  readonly appHash: Uint8Array;
}

/**
 * Thrown when a block's validator updates are invalid, for example when they remove every validator. CometBFT v0.38
 * also stops at such a block (`state/execution.go`, `updateState`).
 */
export class ValidatorsRefused extends Error {
  override readonly name = 'ValidatorsRefused';
  readonly height: Height;
  readonly reason: string;

  constructor(height: Height, reason: string) {
    super(`validator updates of height ${height}: ${reason}`);
    this.height = height;
    this.reason = reason;
  }
}

/**
 * Applies an executed block to the chain state: validator updates of block H take effect at H+2, parameters at H+1.
 * Throws ValidatorsRefused.
 */
export function afterBlock(crypto: Crypto, state: ChainState, executed: ExecutedBlock): ChainState {
  const { header } = executed.block;
  invariant(
    header !== undefined && header.height === state.height + 1n,
    `block ${header?.height} after height ${state.height}`,
  );
  const next = nextValidatorSet(crypto, state.nextValidators, executed.results.validatorUpdates);
  if (!next.ok) throw new ValidatorsRefused(toHeight(header.height), next.reason);
  return {
    ...state,
    height: toHeight(header.height),
    time: fromTimestamp(header.time),
    lastBlockId: executed.blockId,
    lastCommit: executed.commit,
    lastValidators: state.validators,
    validators: state.nextValidators,
    nextValidators: next.set,
    consensusParams: mergeParams(state.consensusParams, executed.consensusParamUpdates),
    appHash: executed.appHash,
    lastResultsHash: resultsHash(crypto, executed.results),
  };
}

/** Sets the app hash, which is known last. */
export function withAppHash(state: ChainState, appHash: Uint8Array): ChainState {
  return { ...state, appHash };
}

/** Merges a parameter update; sections that are absent keep their values. */
function mergeParams(current: ConsensusParams, update: ConsensusParams | undefined): ConsensusParams {
  if (update === undefined) return current;
  return {
    ...current,
    ...(update.block && { block: update.block }),
    ...(update.evidence && { evidence: update.evidence }),
    ...(update.validator && { validator: update.validator }),
    ...(update.version && { version: update.version }),
    ...(update.abci && { abci: update.abci }),
  };
}
