import { genesisHeight } from '../../core/genesis/genesis-height.js';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { everyStore } from '../../core/modules/upgrade/apply-block.js';
import { chainOfGenesis, GenesisRefused, readGenesis, type ChainOfGenesis } from '../../core/app/chain-of-genesis.js';
import { createApplication } from '../../core/app/create-application.js';
import type { ChainConfig } from '../../core/sdk/module/chain-config.js';
import type { Application } from '../../core/application.js';
import { genesisChainState, type ChainState } from '../../core/chain/chain-state.js';
import { decisionOf } from '../../core/chain/decision.js';
import { resultsHash } from '../../core/comet/body-hash.js';
import { EncodedResults, NO_RESULTS } from '../../core/comet/encoded-results.js';
import { fromTimestamp } from '../../core/comet/time.js';
import { invariant } from '../../core/errors.js';
import type { ChainStarted } from '../../core/log-events.js';
import { hashOfGenesis } from '../../core/modules/evm/block-hashes.js';
import { genesisBaseFee } from '../../core/modules/feemarket/module.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { KeyValueStore } from '../../core/ports/key-value-store.js';
import { toHeight, toPosition, type TimeNs } from '../../core/primitives.js';
import { ConsensusParamsSchema } from '../../core/proto/tendermint/types/params_pb.js';
import { ValidatorSetSchema } from '../../core/proto/tendermint/types/validator_pb.js';
import { incrementProposerPriority } from '../../core/comet/proposer-priority.js';
import { CorruptionError } from '../../store/errors.js';
import type { EventLog } from '../../store/log/event-log.js';
import { History } from '../../store/history/history.js';
import type { Height } from '../../core/primitives.js';
import { engineOnDemand } from '../evm/engine-on-demand.js';
import { genesisRows } from './block-rows.js';
import { chainConfigOf } from '../../core/chain/chain-config.js';
import { requireGenesisModules } from './older-chain.js';
import { type ExpectedFact, requireExpectedFacts } from '../../core/chain/chain-mismatch.js';
import { restoredState } from './restored-chain.js';
import { findPreset, loadPreset } from '../load-preset.js';
import type { AppVersion } from '../../core/sdk/module/app-version.js';
import { versionOfChain } from '../../core/sdk/module/version-of-chain.js';

export interface ChainOptions {
  readonly store: KeyValueStore;
  readonly log: EventLog;
  readonly crypto: Crypto;
  /** Upgrade handlers and skipped upgrade heights of this start. */
  readonly handlers: ReadonlySet<string>;
  readonly skipUpgradeHeights: readonly Height[];
  readonly minGasPrice: bigint;
  /** Blocks between checks of all invariants; 0 disables them. */
  readonly invariantPeriod: bigint;
  /** Chain facts given by the user, which must match; default none. */
  readonly named?: readonly ExpectedFact[];
  /** Builds the new chain; called only when the log is empty. */
  readonly newChain: () => Promise<NewChain>;
}

/** A chain before its first event. */
export interface NewChain extends ChainOfGenesis {
  readonly genesis: Uint8Array;
}

export interface NewChainOptions extends Pick<ChainOptions, 'crypto' | 'minGasPrice' | 'named'> {
  /** An existing chain keeps the preset and the EIP-155 chain id of its first event. */
  readonly preset: string;
  readonly evmChainId: bigint | undefined;
  /** Skips the invariant check of the genesis. */
  readonly skipInvariants: boolean;
  readonly genesis: Uint8Array;
}

export interface OpenedChain {
  readonly started: ChainStarted['data'];
  readonly chain: ChainConfig;
  readonly application: Application;
  readonly history: History;
  /**
   * Facts of the synthetic block 0: `max_gas`, the base fee in wei (when base fees are on from the start), and its
   * hash.
   */
  readonly genesis: {
    readonly time: TimeNs;
    readonly maxGas: bigint;
    readonly baseFee: bigint | undefined;
    readonly hash: Uint8Array;
  };
  /** The chain state at the head, without app hash, which the executor recomputes. */
  readonly state: ChainState;
  readonly version: AppVersion;
  readonly isNew: boolean;
  /** Names of the IAVL stores, which `abci_query` can read. */
  readonly storeNames: readonly string[];
}

/**
 * Starts a new chain from its genesis, or opens the chain of an existing log at its head. Throws GenesisRefused,
 * OlderChainError, ChainMismatch.
 */
export async function openChain(options: ChainOptions): Promise<OpenedChain> {
  const isNew = options.log.head().position === 0n;
  if (isNew) await beginChain(options);
  const started = await firstEvent(options.log);
  requireExpectedFacts(started, options.named ?? [], 'the chain of this home');
  const chain = chainConfigOf(started, options.minGasPrice, options.invariantPeriod);
  const preset = await findPreset(started.preset);
  if (preset === undefined) throw new GenesisRefused(`the log was written with the unknown preset ${started.preset}`);
  const version = versionOfChain(preset, chain);
  requireGenesisModules(version, started);
  const application = createApplication({
    version,
    chain,
    crypto: options.crypto,
    evm: engineOnDemand(options.crypto),
    handlers: options.handlers,
    skipUpgradeHeights: new Set(options.skipUpgradeHeights),
  });
  const history = await History.open(options.store);
  const { time, appState, consensusParams } = readGenesis(started.genesis);
  const genesis = {
    time,
    maxGas: consensusParams.block?.maxGas ?? -1n,
    baseFee: version.initOrder.includes('feemarket') ? genesisBaseFee(appState['feemarket']) : undefined,
    hash: hashOfGenesis(started.writes) ?? options.crypto.keccak256(started.genesis),
  };
  return {
    started,
    version,
    chain,
    application,
    history,
    genesis,
    state: stateAtHead(options, started, history),
    isNew,
    storeNames: everyStore(version),
  };
}

/** Builds the chain of a genesis in memory. Throws GenesisRefused, ChainMismatch. */
export async function newChainOf(options: NewChainOptions): Promise<NewChain> {
  const { genesis, named = [], preset } = options;
  const document = readGenesis(genesis);
  requireExpectedFacts({ chainId: document.chainId }, named, 'the genesis');
  return { ...chainOfGenesis({ ...options, version: await loadPreset(preset), document }), genesis };
}

async function beginChain({ crypto, log, store, newChain }: ChainOptions): Promise<void> {
  const { document, preset, chain, begun, genesis } = await newChain();
  const state = genesisChainState(crypto, {
    chainId: document.chainId,
    initialHeight: document.initialHeight,
    time: document.time,
    validators: begun.validators,
    consensusParams: begun.consensusParams,
  });
  const history = await History.open(store);
  const rows = genesisRows(store, history, state, begun.writes);
  const data: ChainStarted['data'] = {
    chainId: chain.chainId,
    evmChainId: chain.evmChainId,
    bech32Prefix: chain.bech32Prefix,
    preset,
    genesis,
    initialHeight: document.initialHeight,
    validators: toBinary(ValidatorSetSchema, state.validators),
    consensusParams: toBinary(ConsensusParamsSchema, begun.consensusParams),
    writes: begun.writes,
  };
  await log.append([{ event: { type: 'ChainStarted', v: 1, data } }], rows, { sync: true });
}

/** Reads the ChainStarted event of a log. */
export async function firstEvent(log: Pick<EventLog, 'read'>): Promise<ChainStarted['data']> {
  for await (const [first] of log.read({ from: toPosition(1n), limit: 1 })) {
    invariant(first?.event.type === 'ChainStarted', 'a log begins with ChainStarted');
    return first.event.data;
  }
  throw new Error('invariant: a log begins with ChainStarted');
}

/** The chain state at the last executed block, read from the rows of its batch; no fold over the log. */
export function stateAtHead(
  options: Pick<ChainOptions, 'crypto'> & { readonly log: Pick<EventLog, 'head' | 'blockAt' | 'restored'> },
  started: ChainStarted['data'],
  history: History,
): ChainState {
  const { crypto, log } = options;
  const genesis = {
    chainId: started.chainId,
    initialHeight: started.initialHeight,
    time: readGenesis(started.genesis).time,
  };
  const height = log.head().executed;
  const restored = log.restored()?.event.data;
  if (restored !== undefined && restored.height === height) return restoredState(crypto, genesis, restored);
  const at = height < started.initialHeight ? undefined : log.blockAt(height);
  if (at === undefined && height >= started.initialHeight)
    throw new CorruptionError(`table blocks by height: the row of height ${height} is missing`);
  if (at === undefined) {
    const validators = fromBinary(ValidatorSetSchema, started.validators);
    return {
      ...genesis,
      height: genesisHeight(started.initialHeight),
      lastBlockId: undefined,
      lastCommit: undefined,
      lastValidators: undefined,
      validators,
      nextValidators: incrementProposerPriority(validators, 1),
      consensusParams: fromBinary(ConsensusParamsSchema, started.consensusParams),
      appHash: crypto.sha256(new Uint8Array()),
      lastResultsHash: resultsHash(crypto, NO_RESULTS),
    };
  }
  const executed = at.executed;
  const [lastValidators, validators, nextValidators] = [0n, 1n, 2n].map((ahead) =>
    history.validators(toHeight(height + ahead)),
  );
  const consensusParams = history.consensusParams(toHeight(height + 1n));
  if (
    executed === undefined ||
    validators === undefined ||
    nextValidators === undefined ||
    consensusParams === undefined
  )
    throw new CorruptionError('rows of the block at the head are missing', { position: at.decided.position });
  const { block, blockId, commit } = decisionOf(crypto, at.decided.event);
  return {
    ...genesis,
    height,
    time: fromTimestamp(block.header?.time),
    lastBlockId: blockId,
    lastCommit: commit,
    lastValidators,
    validators,
    nextValidators,
    consensusParams,
    appHash: executed.event.v === 2 || executed.event.v === 4 ? executed.event.data.appHash : new Uint8Array(),
    lastResultsHash: resultsHash(crypto, new EncodedResults(executed.event.data.results)),
  };
}
