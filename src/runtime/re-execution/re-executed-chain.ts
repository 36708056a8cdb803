import { applyBlock } from '../../core/modules/upgrade/apply-block.js';
import { createApplication } from '../../core/app/create-application.js';
import type { Application } from '../../core/application.js';
import { toOrderedString } from '../../core/bytes/key-order.js';
import { genesisChainState, type ChainState } from '../../core/chain/chain-state.js';
import type { ReportedFacts } from '../../core/chain/decision.js';
import { invariant } from '../../core/errors.js';
import type { ChainStarted, NodeStarted } from '../../core/log-events.js';
import type { StoreRoot } from '../../core/multistore/commit-info.js';
import { createMultistore, type Multistore } from '../../core/multistore/multistore.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { toHeight, type Height } from '../../core/primitives.js';
import type { Block } from '../../core/proto/tendermint/types/block_pb.js';
import type { BlockID, Commit } from '../../core/proto/tendermint/types/types_pb.js';
import { mergeWrites } from '../../core/state/merge-writes.js';
import type { StateReader, StateWrite } from '../../core/state/state.js';
import { engineOnDemand } from '../evm/engine-on-demand.js';
import { finalizeRequest } from '../../core/chain/execution.js';
import { initChain, readGenesis } from '../../core/app/chain-of-genesis.js';
import { chainConfigOf } from '../../core/chain/chain-config.js';
import { loadVersionOf } from '../load-preset.js';
import { restoreTrees, type LoggedSnapshot } from '../snapshots/chunks.js';
import type { AppVersion } from '../../core/sdk/module/app-version.js';

/** A decided block and its commit. */
export interface Decided {
  readonly block: Block;
  readonly blockId: BlockID;
  readonly commit: Commit | undefined;
  /** Facts reported by an external engine; undefined when the block itself contains them. */
  readonly reported?: ReportedFacts | undefined;
}

/** State before a block: the chain state, and the values that the block replaced. */
interface Past {
  readonly state: ChainState;
  readonly values: ReadonlyMap<string, Uint8Array | undefined>;
}

/** Runs InitChain of a log again; returns the chain before its first block, and the result of InitChain. */
export async function replayGenesis(
  crypto: Crypto,
  started: ChainStarted['data'],
  revertible: number,
): Promise<{ readonly chain: ReExecutedChain; readonly begun: ReturnType<typeof initChain> }> {
  const document = readGenesis(started.genesis);
  const version = await loadVersionOf(started);
  const application = applicationOf({ crypto, version, started }, undefined);
  const begun = initChain(application, document);
  const { validators, consensusParams } = begun;
  const state = genesisChainState(crypto, { ...document, validators, consensusParams });
  const chain = new ReExecutedChain({ crypto, version, started, revertible, application, state, writes: begun.writes });
  return { chain, begun };
}

interface Beginning {
  readonly crypto: Crypto;
  readonly version: AppVersion;
  readonly started: ChainStarted['data'];
  /** Number of blocks that can be reverted. */
  readonly revertible: number;
  readonly application: Application;
  readonly state: ChainState;
  /** Writes of InitChain. */
  readonly writes: readonly StateWrite[];
}

/** A chain being re-executed: the application, and its state, in memory only. */
export class ReExecutedChain {
  readonly #beginning: Beginning;
  #application: Application;
  /** Name of the applied upgrade; empty before the first one. */
  appVersion = '';
  #multistore: Multistore;
  /** Newest values, since the trees contain only hashes. */
  readonly #values = new Map<string, Uint8Array>();
  /** Writes of InitChain, until they are committed with the first block. */
  #genesis: readonly StateWrite[];
  #state: ChainState;
  /** The last blocks, for reverts. */
  readonly #past: Past[] = [];
  /** The block that is decided but not executed. */
  decided: Decided | undefined;

  /** Call `replayGenesis` instead. */
  constructor(beginning: Beginning) {
    this.#beginning = beginning;
    this.#application = beginning.application;
    this.#state = beginning.state;
    this.#genesis = beginning.writes;
    this.#multistore = this.#emptyStores();
    this.#multistore.apply(beginning.writes);
    this.#remember(beginning.writes);
  }

  /** Data of the chain's ChainStarted event. */
  get started(): ChainStarted['data'] {
    return this.#beginning.started;
  }

  get version(): AppVersion {
    return this.#beginning.version;
  }

  /** Chain state after the last executed block. */
  get state(): ChainState {
    return this.#state;
  }

  /** Store roots after the last executed block, by name. */
  get storeRoots(): readonly StoreRoot[] {
    return this.#multistore.latest?.roots ?? [];
  }

  /** Reads the state after the last executed block. */
  get reader(): StateReader {
    return this.#multistore.reader((store, key) => this.#values.get(placeOf(store, key)));
  }

  /** Switches to the upgrade handlers and skipped heights of another process. */
  nodeStarted(node: NodeStarted['data']): void {
    this.appVersion = node.appVersion;
    this.#application = applicationOf(this.#beginning, node);
  }

  /** Executes a block without changing the state. */
  finalize({
    block,
    blockId,
    reported,
  }: Pick<Decided, 'block' | 'reported'> & Partial<Pick<Decided, 'blockId'>>): ReturnType<
    Application['finalizeBlock']
  > {
    return this.#application.finalizeBlock(
      this.reader,
      finalizeRequest(this.#beginning.crypto, this.#state, block, blockId?.hash, reported),
    );
  }

  /** Commits the writes of the decided block; `after` computes the new chain state from the app hash. */
  commit(writes: readonly StateWrite[], after: (appHash: Uint8Array) => ChainState): ChainState {
    const { revertible } = this.#beginning;
    const values = new Map(
      writes.map(({ store, key }) => [placeOf(store, key), this.#values.get(placeOf(store, key))]),
    );
    const appHash = this.#applyToTrees(toHeight(this.#state.height + 1n), writes);
    this.#past.push({ state: this.#state, values });
    if (this.#past.length > revertible) this.#past.shift();
    this.#state = after(appHash);
    this.decided = undefined;
    return this.#state;
  }

  /** Replaces the state by that of a snapshot. Throws SnapshotRefused. */
  async restore(state: ChainState, snapshot: LoggedSnapshot): Promise<void> {
    this.#values.clear();
    this.#genesis = [];
    this.#multistore = this.#emptyStores();
    await restoreTrees(this.#multistore, snapshot, (values) => this.#remember(values));
    this.#past.length = 0;
    this.#state = state;
    this.decided = undefined;
    this.#application.forgetState();
  }

  /** Reverts to `height`; false when the chain was never there, or not enough blocks were kept. */
  revert(height: Height): boolean {
    while (this.#state.height > height) {
      const last = this.#past.pop();
      if (last === undefined) return false;
      for (const [place, value] of last.values) {
        if (value === undefined) this.#values.delete(place);
        else this.#values.set(place, value);
      }
      this.#state = last.state;
    }
    this.decided = undefined;
    this.#application.forgetState();
    if (this.#state.height !== height) return false;
    const { started } = this.#beginning;
    if (height < started.initialHeight) {
      this.#multistore = this.#emptyStores();
      this.#multistore.apply(started.writes);
      this.#genesis = started.writes;
    } else invariant(this.#multistore.rollback(height) !== undefined, 'the trees are kept as long as the values');
    return true;
  }

  /**
   * Applies writes to the trees. The first block is applied together with the genesis in one sorted pass, as the
   * executor does.
   */
  #applyToTrees(height: Height, writes: readonly StateWrite[]): Uint8Array {
    if (this.#genesis.length > 0) {
      this.#multistore = this.#emptyStores();
      this.#multistore.apply(mergeWrites(this.#genesis, writes));
      this.#genesis = [];
    } else {
      applyBlock(this.#multistore, this.#beginning.version, height, writes);
    }
    this.#remember(writes);
    return this.#multistore.commit(height).appHash;
  }

  #emptyStores(): Multistore {
    const { crypto, version, revertible } = this.#beginning;
    return createMultistore({ stores: version.stores, crypto, provableHeights: revertible + 1 });
  }

  #remember(writes: readonly StateWrite[]): void {
    for (const { store, key, value } of writes) {
      if (value === undefined) this.#values.delete(placeOf(store, key));
      else this.#values.set(placeOf(store, key), value);
    }
  }
}

function applicationOf(
  { crypto, version, started }: Pick<Beginning, 'crypto' | 'version' | 'started'>,
  node: NodeStarted['data'] | undefined,
): Application {
  const handlers = node === undefined || node.appVersion === '' ? [] : [node.appVersion];
  return createApplication({
    version,
    chain: chainConfigOf(started, 0n),
    crypto,
    evm: engineOnDemand(crypto),
    handlers: new Set(handlers),
    skipUpgradeHeights: new Set(node?.skipUpgradeHeights),
  });
}

function placeOf(store: string, key: Uint8Array): string {
  return `${store}\0${toOrderedString(key)}`;
}
