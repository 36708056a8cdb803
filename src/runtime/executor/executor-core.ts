import { createApplication } from '../../core/app/create-application.js';
import type { Application } from '../../core/application.js';
import type { FinalizeBlockResult } from '../../core/application-requests.js';
import { invariant } from '../../core/errors.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../core/limits/limits.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { type Checked, FIRST_KEY } from '../../core/multistore/check-values.js';
import type { Multistore } from '../../core/multistore/multistore.js';
import type { Proved } from '../../core/multistore/store-proof.js';
import type { SnapshotSlice } from '../../core/multistore/snapshot-slice.js';
import type { Height } from '../../core/primitives.js';
import { CachedState } from '../../core/state/cached-state.js';
import type { StateWrite } from '../../core/state/state.js';
import { EMPTY } from '../../core/bytes/bytes.js';
import { HeightPruned } from '../../store/state/latest.js';
import { engineOnDemand } from '../evm/engine-on-demand.js';
import { createEd25519Signer } from '../host/signer.js';
import { loadVersion } from '../load-preset.js';
import { BlockRun } from './block-run.js';
import { CommittedTrees } from '../../core/chain/committed-trees.js';
import { HASHED_AT_ONCE, type ExecutorReply, type ExecutorRequest, type RunStart } from './protocol.js';
import { stateDamaged } from './state-damaged.js';

/** Point reads of the committed state: the newest state, or the state at a height. */
export interface StateValues {
  latest(store: string, key: Uint8Array): Uint8Array | undefined;
  at(height: Height): (store: string, key: Uint8Array) => Uint8Array | undefined;
  /** The checkpoint of the trees, if it is of this height. */
  checkpoint?(height: Height): Uint8Array | undefined;
}

export type OpenValues = (location: string | undefined) => Promise<StateValues>;

/** Restores the trees and returns their app hash; undefined when the bytes are damaged or there are none. */
function restored(multistore: Multistore, values: StateValues, from: Uint8Array | Height): Uint8Array | undefined {
  const bytes = typeof from === 'bigint' ? values.checkpoint?.(from) : from;
  return bytes && multistore.restore(bytes)?.appHash;
}

/** How many blocks the database may lag behind: those being written and those executed since. */
const DATABASE_LAG_BLOCKS = FIXED_LIMITS.blocksOfRun * (FIXED_LIMITS.runsRequested + 1);
/** Requests that end a run of blocks, because they change the state. */
const REQUESTS_ENDING_RUN: ReadonlySet<ExecutorRequest['kind']> = new Set([
  'genesis',
  'restore',
  'replay',
  'execute',
  'prepare',
  'finish',
  'commit',
  'rollback',
]);

interface Opened {
  readonly latest: CachedState;
  readonly application: Application;
  readonly trees: CommittedTrees;
  readonly values: StateValues;
}

/**
 * The executor without its thread: application and IAVL trees, a restartable function from decided blocks to results.
 * Results are speculative until `commit`. Never writes to the database.
 */
export class ExecutorCore {
  readonly #crypto: Crypto;
  readonly #openValues: OpenValues;
  #opened: Opened | undefined;
  #executed: { readonly height: Height; readonly writes: readonly StateWrite[] } | undefined;
  readonly #monotonicNs: () => bigint;
  /** The current run; any other request that changes the state ends it. */
  #run: BlockRun | undefined;

  /** `monotonicNs`: monotonic clock, nanoseconds; by default time stands still. */
  constructor(crypto: Crypto, openValues: OpenValues, monotonicNs = () => 0n) {
    this.#crypto = crypto;
    this.#openValues = openValues;
    this.#monotonicNs = monotonicNs;
  }

  /** Handles one request; throws only for a bug of this program. */
  async handle(request: ExecutorRequest): Promise<ExecutorReply> {
    if (request.kind === 'open') return this.#open(request);
    const opened = this.#opened;
    invariant(opened !== undefined, `executor asked to ${request.kind} before it was opened`);
    const { application, values, latest, trees } = opened;
    const { multistore } = trees;
    if (REQUESTS_ENDING_RUN.has(request.kind)) this.#run = undefined;
    switch (request.kind) {
      case 'run': {
        const { start, blocks, now } = request.request;
        if (start !== undefined) this.#run = this.#begin(opened, start);
        return { kind: 'ran', blocks: this.#run?.make(blocks, now) ?? [] };
      }
      case 'genesis':
        trees.genesis(request.writes);
        return { kind: 'done' };
      case 'checkpoint':
        return { kind: 'checkpoint', bytes: multistore.snapshotBytesOf(request.height) };
      case 'restore':
        return { kind: 'restored', appHash: restored(multistore, values, request.from) };
      case 'replay':
        return { kind: 'committed', appHash: trees.commit(request.height, request.writes) };
      case 'execute': {
        requireHead(multistore, request.request.height);
        const result = application.finalizeBlock(
          multistore.reader((store, key) => latest.get(store, key)),
          request.request,
        );
        return this.#answer(opened, request.request.height, result, request.request.txs.length === 0);
      }
      case 'prepare': {
        requireHead(multistore, request.request.height);
        const state = multistore.reader((store, key) => latest.get(store, key));
        return { kind: 'prepared', result: application.prepareProposal(state, request.request) };
      }
      case 'finish': {
        const { height, hash } = request;
        const result = application.finalizePrepared(height, hash);
        return result === undefined ? { kind: 'unprepared' } : this.#answer(opened, height, result, false);
      }
      case 'commit': {
        const executed = this.#executed;
        invariant(
          executed !== undefined && executed.height === request.height,
          `height ${request.height} was not executed`,
        );
        this.#executed = undefined;
        return { kind: 'committed', appHash: trees.commit(request.height, executed.writes) };
      }
      case 'rollback': {
        const commit = multistore.rollback(request.height);
        if (commit === undefined) return { kind: 'rolled-back', appHash: undefined };
        latest.forget();
        application.forgetState();
        this.#executed = undefined;
        return { kind: 'rolled-back', appHash: commit.appHash };
      }
      case 'check': {
        const { height, from, count } = request;
        const checked = (): Checked | undefined => multistore.checkValues(height, from, count, values.at(height));
        // If the state was pruned meanwhile, compare a later one from the same key on.
        const later: Checked = { kind: 'sound', next: from ?? FIRST_KEY };
        return { kind: 'checked', checked: unlessPruned(checked, () => later) };
      }
      case 'snapshot': {
        const { height, from, leaves } = request;
        const sliced = (): SnapshotSlice | undefined =>
          multistore.snapshotSlice(height, from, leaves, values.at(height));
        return { kind: 'sliced', slice: unlessPruned(sliced, () => undefined) };
      }
      case 'prove': {
        const { store, key, height } = request;
        const proved = (): Proved => multistore.prove(store, key, height, values.at(height));
        const refused = ({ lowest }: HeightPruned): Proved => ({
          ok: false,
          error: { code: 'state-pruned', height, lowest },
        });
        return { kind: 'proof', proved: unlessPruned(proved, refused) };
      }
    }
  }

  #begin({ application, latest, trees }: Opened, { head, seed }: RunStart): BlockRun {
    return new BlockRun({
      crypto: this.#crypto,
      head,
      signer: createEd25519Signer(seed),
      monotonicNs: this.#monotonicNs,
      execute: (request) => {
        const { multistore } = trees;
        requireHead(multistore, request.height);
        const result = application.finalizeBlock(
          multistore.reader((store, key) => latest.get(store, key)),
          request,
        );
        if (result.kind === 'halted') return { result, appHash: EMPTY };
        latest.committed(result.writes);
        return { result, appHash: trees.commit(request.height, result.writes) };
      },
    });
  }

  #answer(opened: Opened, height: Height, result: FinalizeBlockResult, isEmpty: boolean): ExecutorReply {
    if (result.kind === 'halted') return { kind: 'executed', result, appHash: undefined };
    opened.latest.committed(result.writes);
    if (isEmpty && result.writes.length <= HASHED_AT_ONCE)
      return { kind: 'executed', result, appHash: opened.trees.commit(height, result.writes) };
    this.#executed = { height, writes: result.writes };
    return { kind: 'executed', result, appHash: undefined };
  }

  /**
   * Reads a committed value for the cache and checks it against the trees, which are built from the log and contain
   * every key: a lost or changed row is never executed on. Throws CorruptionError.
   */
  #checkedRow(store: string, key: Uint8Array): Uint8Array | undefined {
    const opened = this.#opened;
    invariant(opened !== undefined, 'the state is read by an executor that was opened');
    const value = opened.values.latest(store, key);
    const damage = opened.trees.multistore.damageOf(store, key, value);
    if (damage !== undefined) throw stateDamaged({ store, key }, damage);
    return value;
  }

  async #open(request: Extract<ExecutorRequest, { kind: 'open' }>): Promise<ExecutorReply> {
    const { options, location } = request;
    const [version, values] = await Promise.all([loadVersion(options), this.#openValues(location)]);
    this.#opened = {
      latest: new CachedState(
        { get: (store, key) => this.#checkedRow(store, key) },
        DEFAULT_LIMITS.stateCacheValues,
        DATABASE_LAG_BLOCKS,
      ),
      application: createApplication({
        version,
        chain: options.chain,
        crypto: this.#crypto,
        evm: engineOnDemand(this.#crypto),
        handlers: new Set(options.handlers),
        skipUpgradeHeights: new Set(options.skipUpgradeHeights),
      }),
      trees: new CommittedTrees({
        version,
        crypto: this.#crypto,
        provableHeights: DEFAULT_LIMITS.provableHeights + DATABASE_LAG_BLOCKS,
      }),
      values,
    };
    return { kind: 'done' };
  }
}

/**
 * Asserts that the executor is at `height - 1`: after a rebuild from the log it must not skip blocks that are not
 * logged yet.
 */
function requireHead({ latest }: Multistore, height: Height): void {
  invariant(
    latest === undefined || latest.height === height - 1n,
    `height ${height} is executed on the state of height ${latest?.height}`,
  );
}

/** Runs a read at a height; returns `pruned(error)` when that state was pruned meanwhile. */
function unlessPruned<Value>(read: () => Value, pruned: (error: HeightPruned) => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof HeightPruned) return pruned(error);
    throw error;
  }
}
