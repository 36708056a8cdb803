import type { Worker } from 'node:worker_threads';
import type {
  FinalizeBlockRequest,
  FinalizeBlockResult,
  PrepareProposalRequest,
  PrepareProposalResult,
} from '../../core/application-requests.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Checked, StoreKey } from '../../core/multistore/check-values.js';
import type { Proved } from '../../core/multistore/store-proof.js';
import type { SnapshotCursor, SnapshotSlice } from '../../core/multistore/snapshot-slice.js';
import type { Height } from '../../core/primitives.js';
import type { StateWrite } from '../../core/state/state.js';
import type { ApplicationOptions } from './application-options.js';
import { startExecutorThread } from './start-executor.js';
import { ExecutorCore, type OpenValues } from './executor-core.js';
import { errorOf, failedReply } from '../threads/failed-reply.js';
import { createRequests, decodeMessage, encodeMessage, ThreadLost, type Connect } from '../threads/requests.js';
import { workerChannel } from '../threads/worker.js';
import { decodeReply, encodeReply } from './execution-codec.js';
import type { ExecutorReply, ExecutorRequest, MadeBlock, RunRequest } from './protocol.js';

/**
 * The executor as seen by the main thread. Every call rejects with `ExecutorLost` when the thread ends before it
 * answers.
 */
export interface Executor {
  open(options: ApplicationOptions, location: string | undefined): Promise<void>;
  /** Applies the writes of InitChain; they are committed with the first block. */
  genesis(writes: readonly StateWrite[]): Promise<void>;
  replay(height: Height, writes: readonly StateWrite[]): Promise<Uint8Array>;
  /** Encodes the trees of a height for `restore`; undefined when they are not in memory. */
  checkpoint(height: Height): Promise<Uint8Array | undefined>;
  /**
   * Restores the trees from bytes, or from the database checkpoint of a height (which avoids copying a large one
   * between threads). Resolves with the app hash; undefined, with nothing changed, when the bytes are damaged or
   * missing.
   */
  restore(from: Uint8Array | Height): Promise<Uint8Array | undefined>;
  execute(request: FinalizeBlockRequest): Promise<FinalizeBlockResult>;
  /**
   * Makes empty blocks with a single validator, decided and committed, in order: fewer than requested when the run
   * ends, none when there is no run to continue.
   */
  run(request: RunRequest): Promise<readonly MadeBlock[]>;
  /** Executes the transactions of a proposal without changing the state. */
  prepare(request: PrepareProposalRequest): Promise<PrepareProposalResult>;
  /**
   * Like `execute`, for the block built from the last `prepare`: reuses its execution. Undefined when another block was
   * prepared last.
   */
  finish(height: Height, hash: Uint8Array): Promise<FinalizeBlockResult | undefined>;
  /** Commits the writes of the executed height; resolves with the app hash. */
  commit(height: Height): Promise<Uint8Array>;
  /**
   * Rolls back to a height and resolves with its app hash; undefined, with nothing changed, when its trees are not in
   * memory. The database must have been reverted before.
   */
  rollback(height: Height): Promise<Uint8Array | undefined>;
  prove(store: string, key: Uint8Array, height: Height): Promise<Proved>;
  /**
   * Compares up to `count` database values, from `from` on, with the trees of a height; undefined when these are not in
   * memory.
   */
  check(height: Height, from: StoreKey | undefined, count: number): Promise<Checked | undefined>;
  /**
   * The next items of the snapshot of a height, from `from` on, about `leaves` leaves; undefined when its trees are not
   * in memory.
   */
  snapshotSlice(height: Height, from: SnapshotCursor | undefined, leaves: number): Promise<SnapshotSlice | undefined>;
  stop(): Promise<void>;
}

/** The executor thread ended or failed; a new one must be rebuilt from the log. */
export class ExecutorLost extends Error {
  constructor(reason: string) {
    super(`executor lost: ${reason}`);
    this.name = 'ExecutorLost';
  }
}

/** Runs the executor in a worker thread; `worker` may have been started earlier. */
export function createWorkerExecutor(worker: Worker = startExecutorThread()): Executor {
  return createExecutor(workerChannel(worker));
}

/** Runs the executor in this thread, with the same message encoding, for tests and tools. */
export function createInProcessExecutor(crypto: Crypto, openValues: OpenValues): Executor {
  return createExecutor((onReply) => {
    const core = new ExecutorCore(crypto, openValues);
    return {
      post(bytes) {
        void answer(core, bytes).then(onReply);
      },
      stop: () => Promise.resolve(),
    };
  });
}

/** Decodes a request, runs it and encodes the reply; an exception becomes a `failed` reply. */
export async function answer(core: ExecutorCore, bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const { id, body } = decodeMessage<ExecutorRequest>(bytes);
  try {
    return encodeReply({ id, body: await core.handle(body) });
  } catch (error) {
    return encodeReply({ id, body: failedReply(error) });
  }
}

function createExecutor(connect: Connect): Executor {
  const requests = createRequests<ExecutorRequest, ExecutorReply>(connect, {
    encode: encodeMessage,
    decode: decodeReply,
  });
  const ask = async <Kind extends ExecutorReply['kind']>(
    request: ExecutorRequest,
    ...kinds: readonly Kind[]
  ): Promise<Extract<ExecutorReply, { kind: Kind }>> => {
    const reply = await requests.ask(request).catch((error: unknown) => {
      throw error instanceof ThreadLost ? new ExecutorLost(error.message) : error;
    });
    if (isKind(reply, kinds)) return reply;
    if (reply.kind === 'failed') throw errorOf(reply, (message) => new ExecutorLost(message));
    throw new ExecutorLost(`answered ${reply.kind} to ${request.kind}`);
  };
  /** App hash of the last execution: sent with the results, or requested as soon as they arrive. */
  let hashed: { readonly height: Height; readonly appHash: Promise<Uint8Array> } | undefined;
  const executed = (
    height: Height,
    { result, appHash }: Extract<ExecutorReply, { kind: 'executed' }>,
  ): FinalizeBlockResult => {
    if (result.kind === 'executed') {
      const hash =
        appHash === undefined
          ? ask({ kind: 'commit', height }, 'committed').then((reply) => reply.appHash)
          : Promise.resolve(appHash);
      // A rejection reaches the caller of `commit`; there is none when the thread is replaced before.
      hash.catch(() => undefined);
      hashed = { height, appHash: hash };
    }
    return result;
  };
  return {
    open: async (options, location) => void (await ask({ kind: 'open', options, location }, 'done')),
    genesis: async (writes) => void (await ask({ kind: 'genesis', writes }, 'done')),
    replay: async (height, writes) => (await ask({ kind: 'replay', height, writes }, 'committed')).appHash,
    checkpoint: async (height) => (await ask({ kind: 'checkpoint', height }, 'checkpoint')).bytes,
    restore: async (from) => (await ask({ kind: 'restore', from }, 'restored')).appHash,
    execute: async (request) => executed(request.height, await ask({ kind: 'execute', request }, 'executed')),
    run: async (request) => (await ask({ kind: 'run', request }, 'ran')).blocks,
    prepare: async (request) => (await ask({ kind: 'prepare', request }, 'prepared')).result,
    async finish(height, hash) {
      const reply = await ask({ kind: 'finish', height, hash }, 'executed', 'unprepared');
      return reply.kind === 'unprepared' ? undefined : executed(height, reply);
    },
    async commit(height) {
      if (hashed?.height === height) return hashed.appHash;
      return (await ask({ kind: 'commit', height }, 'committed')).appHash;
    },
    async rollback(height) {
      hashed = undefined;
      return (await ask({ kind: 'rollback', height }, 'rolled-back')).appHash;
    },
    check: async (height, from, count) => (await ask({ kind: 'check', height, from, count }, 'checked')).checked,
    snapshotSlice: async (height, from, leaves) =>
      (await ask({ kind: 'snapshot', height, from, leaves }, 'sliced')).slice,
    prove: async (store, key, height) => (await ask({ kind: 'prove', store, key, height }, 'proof')).proved,
    stop: () => requests.stop(),
  };
}

function isKind<Kind extends ExecutorReply['kind']>(
  reply: ExecutorReply,
  kinds: readonly Kind[],
): reply is Extract<ExecutorReply, { kind: Kind }> {
  return kinds.some((kind) => kind === reply.kind);
}
