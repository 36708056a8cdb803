import { toBinary } from '@bufbuild/protobuf';
import { touchedBytes } from '../../store/codec/touched-codec.js';
import type { ChainState } from '../../core/chain/chain-state.js';
import { afterBlock } from '../../core/chain/chain-state.js';
import { decisionOf } from '../../core/chain/decision.js';
import { invariant } from '../../core/errors.js';
import type {
  BlockDecided,
  BlockExecuted,
  ChainStarted,
  Recorded,
  Reverted,
  SnapshotRestored,
  UpgradeHalted,
} from '../../core/log-events.js';
import { SnapshotRefused } from '../../core/multistore/snapshot-items.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Position } from '../../core/primitives.js';
import type { Block } from '../../core/proto/tendermint/types/block_pb.js';
import { ConsensusParamsSchema } from '../../core/proto/tendermint/types/params_pb.js';
import { ValidatorSetSchema } from '../../core/proto/tendermint/types/validator_pb.js';
import type { Executed } from '../executor/protocol.js';
import { executedBlockOf } from '../../core/chain/execution.js';
import { differences, writeDifferences } from '../../core/chain/execution-differences.js';
import { headerProblems } from './header-problems.js';
import { anchoredProblems, restoredData, restoredHeadProblems, restoredState } from '../chain/restored-chain.js';
import { ANCHOR_POSITION } from '../../store/log/anchor.js';
import { replayGenesis, type Decided, type ReExecutedChain } from './re-executed-chain.js';

/** A difference between the log and its re-execution. */
export interface Disagreement {
  readonly position: Position;
  readonly height: bigint;
  readonly problem: string;
}

/** A re-executed block, and the chain state after it. */
export interface ReExecuted {
  readonly block: Block;
  readonly result: Executed;
  readonly after: ChainState;
  readonly paramsChanged: boolean;
}

/**
 * Re-executes a log event by event on a state of its own and compares: genesis writes; writes, results and scheduled
 * upgrade of every block; and the header fields about the previous execution (app hash, results hash, validators,
 * parameters). All signatures are verified again. Each NodeStarted event sets the upgrade handlers and skipped heights
 * of the process that wrote the following events (`log verify --execute`).
 */
export class ReExecution {
  readonly #crypto: Crypto;
  readonly #revertible: number;
  readonly #prunedBefore: bigint;
  #chain: ReExecutedChain | undefined;

  /**
   * `revertible`: number of blocks to keep for reverts (`deepestRevert`). Results of records before `prunedBefore` may
   * be pruned.
   */
  constructor(crypto: Crypto, revertible: number, prunedBefore = 0n) {
    this.#crypto = crypto;
    this.#revertible = revertible;
    this.#prunedBefore = prunedBefore;
  }

  /** Chain state after the last executed block; undefined before the first event. */
  get state(): ChainState | undefined {
    return this.#chain?.state;
  }

  /** The block that is decided but not executed. */
  get decided(): Decided | undefined {
    return this.#chain?.decided;
  }

  /**
   * Applies the next event and returns its differences; after the first difference, later results are meaningless.
   * `executed` is set for BlockExecuted events.
   */
  async apply({ position, event }: Pick<Recorded, 'position' | 'event'>): Promise<{
    readonly disagreements: readonly Disagreement[];
    readonly executed?: ReExecuted;
  }> {
    if (event.type === 'ChainStarted') return { disagreements: at(position, 0n, await this.#begin(event.data)) };
    const chain = this.#chain;
    invariant(chain !== undefined, 'a log begins with ChainStarted');
    if (event.type === 'SnapshotRestored')
      return { disagreements: at(position, event.data.height, await this.#restore(chain, event.data, position)) };
    if (event.type === 'BlockDecided')
      return { disagreements: at(position, event.data.height, this.#decide(chain, event)) };
    if (event.type === 'UpgradeHalted')
      return { disagreements: at(position, event.data.height, halt(chain, event.data)) };
    if (event.type === 'BlockExecuted') {
      const { problems, executed } = this.#execute(chain, event, position < this.#prunedBefore);
      return { disagreements: at(position, event.data.height, problems), ...(executed && { executed }) };
    }
    if (event.type === 'Reverted')
      return { disagreements: at(position, event.data.toHeight, revert(chain, event.data)) };
    if (event.type === 'NodeStarted') chain.nodeStarted(event.data);
    // Events of other streams do not change the chain.
    return { disagreements: [] };
  }

  async #begin(data: ChainStarted['data']): Promise<readonly string[]> {
    const { chain, begun } = await replayGenesis(this.#crypto, data, this.#revertible);
    this.#chain = chain;
    return [
      ...differences(
        'validators of the genesis',
        data.validators,
        toBinary(ValidatorSetSchema, chain.state.validators),
      ),
      ...differences(
        'consensus parameters of the genesis',
        data.consensusParams,
        toBinary(ConsensusParamsSchema, begun.consensusParams),
      ),
      ...writeDifferences(data.writes, begun.writes),
    ];
  }

  /** Restores a snapshot and re-derives the chain facts in its state. */
  async #restore(
    chain: ReExecutedChain,
    data: SnapshotRestored['data'],
    position: Position,
  ): Promise<readonly string[]> {
    const crypto = this.#crypto;
    try {
      await chain.restore(restoredState(crypto, chain.state, data), data);
    } catch (error) {
      if (error instanceof SnapshotRefused) return [`the restored snapshot: ${error.message}`];
      throw error;
    }
    const { version, started, reader } = chain;
    if ('head' in data) return restoredHeadProblems(crypto, version, started, data, reader);
    if (position === ANCHOR_POSITION) return anchoredProblems(crypto, version, started, data, reader);
    const again = restoredData(crypto, version, started, data, reader);
    const isSame = again.time === data.time && again.upgradeHeight === data.upgradeHeight;
    return [
      ...(isSame ? [] : ['the state of the snapshot names another time or another upgrade']),
      ...differences('block hash of the snapshot', data.blockHash, again.blockHash),
      ...differences('validators of the snapshot', data.validators, again.validators),
      ...differences('next validators of the snapshot', data.nextValidators, again.nextValidators),
      ...differences('consensus parameters of the snapshot', data.consensusParams, again.consensusParams),
    ];
  }

  #decide(chain: ReExecutedChain, event: BlockDecided): readonly string[] {
    const decided = decisionOf(this.#crypto, event);
    const { block } = decided;
    const { header } = block;
    chain.decided = decided;
    return header === undefined
      ? ['the block has no header']
      : headerProblems(this.#crypto, chain.state, block, header, decided.reported === undefined);
  }

  #execute(
    chain: ReExecutedChain,
    event: BlockExecuted,
    isPruned: boolean,
  ): { readonly problems: readonly string[]; readonly executed?: ReExecuted } {
    const { data } = event;
    const { decided, state: before } = chain;
    if (decided === undefined) return { problems: ['executed without a decision'] };
    const result = chain.finalize(decided);
    if (result.kind === 'halted') return { problems: [`executed, but the block must not be: ${result.reason}`] };
    const executedBlock = executedBlockOf(before, decided, result.results);
    const after = chain.commit(result.writes, (appHash) =>
      afterBlock(this.#crypto, before, { ...executedBlock, appHash }),
    );
    const problems = [
      ...writeDifferences(data.writes, result.writes),
      // Pruned results are still verified, by the results hash in the next header.
      ...(isPruned && data.results.length === 0 ? [] : differences('results', data.results, result.results.bytes)),
      ...(data.upgradeHeight === result.upgradeHeight
        ? []
        : [
            `next upgrade: the log says ${data.upgradeHeight ?? 'none'}, execution gives ${result.upgradeHeight ?? 'none'}`,
          ]),
      ...(data.touched === undefined
        ? []
        : differences('touched addresses', touchedBytes(data.touched), touchedBytes(result.touched))),
      ...(event.v === 2 || event.v === 4 ? differences('app hash', event.data.appHash, after.appHash) : []),
    ];
    const paramsChanged = executedBlock.consensusParamUpdates !== undefined;
    return { problems, executed: { block: decided.block, result, after, paramsChanged } };
  }
}

function halt(chain: ReExecutedChain, plan: UpgradeHalted['data']): readonly string[] {
  if (chain.decided === undefined) return ['the node halted without a block'];
  const result = chain.finalize(chain.decided);
  if (result.kind === 'executed') return ['the node halted at a block that can be executed'];
  const { name, height, info } = result.plan;
  return name === plan.name && height === plan.height && info === plan.info
    ? []
    : [`halted for ${plan.name}, the state says ${name} at height ${height}`];
}

function revert(chain: ReExecutedChain, { toHeight: height }: Reverted['data']): readonly string[] {
  const { height: from } = chain.state;
  if (chain.revert(height)) return [];
  return from < height
    ? [`the log goes back to height ${height} from height ${from}`]
    : [`the log goes back to height ${height}, further than was kept for it`];
}

function at(position: Position, height: bigint, problems: readonly string[]): readonly Disagreement[] {
  return problems.map((problem) => ({ position, height, problem }));
}
