import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { applyBlock } from '../../core/modules/upgrade/apply-block.js';
import { createApplication } from '../../core/app/create-application.js';
import { presets } from '../../core/app/presets.js';
import type { Application } from '../../core/application.js';
import { afterBlock, genesisChainState, type ChainState } from '../../core/chain/chain-state.js';
import { blockIdOf } from '../../core/comet/part-set.js';
import { invariant } from '../../core/errors.js';
import type {
  BlockDecided,
  BlockExecuted,
  ChainStarted,
  NodeStarted,
  Recorded,
  Reverted,
  UpgradeHalted,
} from '../../core/log-events.js';
import { createMultistore, type Multistore } from '../../core/multistore/multistore.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { toHeight, type Position } from '../../core/primitives.js';
import { BlockSchema, type Block } from '../../core/proto/tendermint/types/block_pb.js';
import { ConsensusParamsSchema } from '../../core/proto/tendermint/types/params_pb.js';
import { CommitSchema, type BlockID, type Commit } from '../../core/proto/tendermint/types/types_pb.js';
import { ValidatorSetSchema } from '../../core/proto/tendermint/types/validator_pb.js';
import { mergeWrites } from '../../core/state/merge-writes.js';
import { toOrderedString } from '../../core/bytes/key-order.js';
import type { StateWrite } from '../../core/state/state.js';
import { engineOnDemand } from '../evm/engine-on-demand.js';
import { differences, writeDifferences } from './execution-differences.js';
import type { Executed } from '../executor/protocol.js';
import { executedBlockOf, finalizeRequest } from './execution.js';
import { headerProblems } from './header-problems.js';
import { chainConfigOf, initChain, readGenesis } from './open-chain.js';

/** A difference between the log and a second execution of it. */
export interface Disagreement {
  readonly position: Position;
  readonly height: bigint;
  readonly problem: string;
}

/** A block that was executed again, and the chain after it. */
export interface ReExecuted {
  readonly block: Block;
  readonly result: Executed;
  readonly after: ChainState;
  readonly paramsChanged: boolean;
}

export interface Decided {
  readonly block: Block;
  readonly blockId: BlockID;
  readonly commit: Commit;
}

/** The beginning of a log: the application and its state, which exist only in memory here. */
interface Running {
  readonly started: ChainStarted['data'];
  application: Application;
  multistore: Multistore;
  /** Values of the newest state: the trees hold hashes only. */
  readonly values: Map<string, Uint8Array>;
  /** Writes of InitChain until the first block is committed with them. */
  genesis: readonly StateWrite[];
  state: ChainState;
  decided: Decided | undefined;
  /** The last blocks, to which the log may go back. */
  readonly past: Past[];
}

/** The values that one block replaced. */
interface Past {
  readonly state: ChainState;
  readonly values: ReadonlyMap<string, Uint8Array | undefined>;
}

/**
 * Executes a log again, event by event from its first one, on a state of its own, and compares: the writes of genesis,
 * the state writes, results and due upgrade of every block, and the facts in every header about the previous execution
 * (app hash, results hash, validators, parameters). Signatures are all checked again. Each process that wrote the log
 * is imitated: NodeStarted says which upgrade handlers it had and which heights it skipped (`log verify --execute`).
 */
export class ReExecution {
  readonly #crypto: Crypto;
  readonly #revertible: number;
  #running: Running | undefined;

  /** `revertible`: number of blocks to keep for the reverts of this log (`deepestRevert`). */
  constructor(crypto: Crypto, revertible = 0) {
    this.#crypto = crypto;
    this.#revertible = revertible;
  }

  /** The chain after the last executed block; undefined before the first event. */
  get state(): ChainState | undefined {
    return this.#running?.state;
  }

  /** The block that is decided and not executed. */
  get decided(): Decided | undefined {
    return this.#running?.decided;
  }

  /**
   * Takes the next event and answers its differences from this execution; after the first ones, later answers mean
   * nothing. `executed` is set for the events of executed blocks.
   */
  apply({ position, event }: Pick<Recorded, 'position' | 'event'>): {
    readonly disagreements: readonly Disagreement[];
    readonly executed?: ReExecuted;
  } {
    if (event.type === 'ChainStarted') return { disagreements: at(position, 0n, this.#begin(event.data)) };
    const running = this.#running;
    invariant(running !== undefined, 'a log begins with ChainStarted');
    if (event.type === 'BlockDecided')
      return { disagreements: at(position, event.data.height, this.#decide(running, event.data)) };
    if (event.type === 'UpgradeHalted')
      return { disagreements: at(position, event.data.height, this.#halt(running, event.data)) };
    if (event.type === 'BlockExecuted') {
      const { problems, executed } = this.#execute(running, event.data);
      return { disagreements: at(position, event.data.height, problems), ...(executed && { executed }) };
    }
    if (event.type === 'Reverted')
      return { disagreements: at(position, event.data.toHeight, this.#revert(running, event.data)) };
    if (event.type === 'NodeStarted') running.application = this.#applicationOf(running.started, event.data);
    // events of the other streams change nothing of the chain
    return { disagreements: [] };
  }

  #begin(data: ChainStarted['data']): readonly string[] {
    const document = readGenesis(data.genesis);
    const application = this.#applicationOf(data, undefined);
    const begun = initChain(application, document);
    const state = genesisChainState(this.#crypto, {
      ...document,
      validators: begun.validators,
      consensusParams: begun.consensusParams,
    });
    const running: Running = {
      started: data,
      application,
      state,
      multistore: this.#emptyStores(data.preset),
      values: new Map(),
      genesis: begun.writes,
      decided: undefined,
      past: [],
    };
    running.multistore.apply(begun.writes);
    remember(running.values, begun.writes);
    this.#running = running;
    return [
      ...differences('validators of the genesis', data.validators, toBinary(ValidatorSetSchema, state.validators)),
      ...differences(
        'consensus parameters of the genesis',
        data.consensusParams,
        toBinary(ConsensusParamsSchema, begun.consensusParams),
      ),
      ...writeDifferences(data.writes, begun.writes),
    ];
  }

  #decide(running: Running, data: BlockDecided['data']): readonly string[] {
    const block = fromBinary(BlockSchema, data.block);
    const { header } = block;
    const { state } = running;
    running.decided = {
      block,
      blockId: blockIdOf(this.#crypto, block).blockId,
      commit: fromBinary(CommitSchema, data.commit),
    };
    return header === undefined ? ['the block has no header'] : headerProblems(this.#crypto, state, block, header);
  }

  #halt(running: Running, plan: UpgradeHalted['data']): readonly string[] {
    if (running.decided === undefined) return ['the node halted without a block'];
    const result = this.#finalize(running, running.decided.block);
    if (result.kind === 'executed') return ['the node halted at a block that can be executed'];
    const { name, height, info } = result.plan;
    return name === plan.name && height === plan.height && info === plan.info
      ? []
      : [`halted for ${plan.name}, the state says ${name} at height ${height}`];
  }

  #execute(
    running: Running,
    data: BlockExecuted['data'],
  ): { readonly problems: readonly string[]; readonly executed?: ReExecuted } {
    const { decided, state: before } = running;
    if (decided === undefined) return { problems: ['executed without a decision'] };
    const result = this.#finalize(running, decided.block);
    if (result.kind === 'halted') return { problems: [`executed, but the block must not be: ${result.reason}`] };
    const problems = [
      ...writeDifferences(data.writes, result.writes),
      ...differences('results', data.results, result.results.bytes),
      ...(data.upgradeHeight === result.upgradeHeight
        ? []
        : [
            `next upgrade: the log says ${data.upgradeHeight ?? 'none'}, execution gives ${result.upgradeHeight ?? 'none'}`,
          ]),
    ];
    const replaced = new Map(
      result.writes.map(({ store, key }) => [placeOf(store, key), running.values.get(placeOf(store, key))]),
    );
    const appHash = this.#commit(running, before.height + 1n, result.writes);
    const executedBlock = executedBlockOf(before, decided, result.results);
    const after = afterBlock(this.#crypto, before, { ...executedBlock, appHash });
    running.past.push({ state: before, values: replaced });
    if (running.past.length > this.#revertible) running.past.shift();
    running.state = after;
    running.decided = undefined;
    return {
      problems,
      executed: {
        block: decided.block,
        result,
        after,
        paramsChanged: executedBlock.consensusParamUpdates !== undefined,
      },
    };
  }

  #revert(running: Running, { toHeight: height }: Reverted['data']): readonly string[] {
    const { past, values, started } = running;
    while (running.state.height > height) {
      const last = past.pop();
      if (last === undefined) return [`the log goes back to height ${height}, further than was kept for it`];
      for (const [place, value] of last.values) {
        if (value === undefined) values.delete(place);
        else values.set(place, value);
      }
      running.state = last.state;
    }
    running.decided = undefined;
    running.application.forgetState();
    if (running.state.height !== height)
      return [`the log goes back to height ${height} from height ${running.state.height}`];
    if (height < started.initialHeight) {
      running.multistore = this.#emptyStores(started.preset);
      running.multistore.apply(started.writes);
      running.genesis = started.writes;
    } else invariant(running.multistore.rollback(height) !== undefined, 'the trees are kept as long as the values');
    return [];
  }

  #finalize({ application, multistore, values, state }: Running, block: Block) {
    const reader = multistore.reader((store, key) => values.get(placeOf(store, key)));
    return application.finalizeBlock(reader, finalizeRequest(this.#crypto, state, block));
  }

  /** The first block's trees are built in one sorted pass with those of genesis, as the executor does. */
  #commit(running: Running, height: bigint, writes: readonly StateWrite[]): Uint8Array {
    if (running.genesis.length > 0) {
      running.multistore = this.#emptyStores(running.started.preset);
      running.multistore.apply(mergeWrites(running.genesis, writes));
      running.genesis = [];
    } else {
      applyBlock(running.multistore, versionOf(running.started.preset), height, writes);
    }
    remember(running.values, writes);
    return running.multistore.commit(toHeight(height)).appHash;
  }

  #applicationOf(started: ChainStarted['data'], node: NodeStarted['data'] | undefined): Application {
    const handlers = node === undefined || node.appVersion === '' ? [] : [node.appVersion];
    return createApplication({
      version: versionOf(started.preset),
      chain: chainConfigOf(started, 0n),
      crypto: this.#crypto,
      evm: engineOnDemand(this.#crypto),
      handlers: new Set(handlers),
      skipUpgradeHeights: new Set(node?.skipUpgradeHeights),
    });
  }

  #emptyStores(preset: string): Multistore {
    return createMultistore({
      stores: versionOf(preset).stores,
      crypto: this.#crypto,
      provableHeights: this.#revertible + 1,
    });
  }
}

function versionOf(preset: string) {
  const version = presets[preset];
  invariant(version !== undefined, `preset ${preset} is known`);
  return version;
}

function at(position: Position, height: bigint, problems: readonly string[]): readonly Disagreement[] {
  return problems.map((problem) => ({ position, height, problem }));
}

function placeOf(store: string, key: Uint8Array): string {
  return `${store}\0${toOrderedString(key)}`;
}

function remember(values: Map<string, Uint8Array>, writes: readonly StateWrite[]): void {
  for (const { store, key, value } of writes) {
    if (value === undefined) values.delete(placeOf(store, key));
    else values.set(placeOf(store, key), value);
  }
}
