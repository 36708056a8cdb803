import type { FinalizeBlockResult } from '../../core/application-requests.js';
import { invariant } from '../../core/errors.js';
import type { Height } from '../../core/primitives.js';
import type { StateWrite } from '../../core/state/state.js';
import { ExecutorLost, type Executor } from './executor.js';

export interface RestartingOptions {
  readonly create: () => Executor;
  /** Opens a fresh executor and replays the log up to the published head. */
  readonly prepare: (executor: Executor) => Promise<void>;
  /** Restarts per request before giving up, so that a block that kills every executor does not loop for ever. */
  readonly attempts: number;
  /** Called when an executor is lost and replaced; not for requested restarts. */
  readonly onLoss: (reason: string) => void;
  /** Returns the result of a block that killed every executor; undefined: the request rejects. */
  readonly onLost: (height: Height, reason: string) => Promise<FinalizeBlockResult | undefined>;
  /**
   * Called for a block that applied an upgrade: returns a replacement result when its writes cannot be stored (the
   * execution is then discarded), or undefined.
   */
  readonly onUpgraded: (height: Height, writes: readonly StateWrite[]) => Promise<FinalizeBlockResult | undefined>;
}

export interface RestartingExecutor extends Executor {
  /** Replaces the executor by a new one, rebuilt from the log. */
  restart(): Promise<void>;
}

/**
 * Wraps an executor so that it survives the loss of its thread: a new executor is created and rebuilt from the log, and
 * the request is sent again, until `stop`. An executor never holds the only copy of data.
 */
export async function createRestartingExecutor(options: RestartingOptions): Promise<RestartingExecutor> {
  let current = options.create();
  await options.prepare(current);
  let restarting: Promise<void> | undefined;
  let isStopped = false;

  const restart = (failed: Executor): Promise<void> => {
    if (failed !== current) return restarting ?? Promise.resolve();
    current = options.create();
    const restarted = failed.stop().then(() => options.prepare(current));
    restarting = restarted;
    const over = (): void => {
      if (restarting === restarted) restarting = undefined;
    };
    restarted.then(over, () => undefined);
    return restarted;
  };
  const ask = async <Value>(request: (executor: Executor) => Promise<Value>): Promise<Value> => {
    for (let attempt = 0; ; attempt += 1) {
      const executor = current;
      try {
        // Without a restart in progress, send synchronously: a proposal is executed while its votes are signed.
        if (restarting !== undefined) await restarting;
        return await request(executor);
      } catch (error) {
        if (isStopped || !(error instanceof ExecutorLost) || attempt >= options.attempts) throw error;
        if (executor === current) options.onLoss(error.message);
        await restart(executor);
      }
    }
  };
  /** Writes of the executed block; if the thread ends before `commit`, they are replayed instead of executing again. */
  let executed: { readonly height: bigint; readonly writes: readonly StateWrite[] } | undefined;
  const keep = (height: Height, result: FinalizeBlockResult): FinalizeBlockResult => {
    executed = result.kind === 'executed' ? { height, writes: result.writes } : undefined;
    return result;
  };
  const surviving = async (
    height: Height,
    answer: Promise<FinalizeBlockResult | undefined>,
  ): Promise<FinalizeBlockResult | undefined> => {
    try {
      return await answer;
    } catch (error) {
      const instead = error instanceof ExecutorLost ? await options.onLost(height, error.message) : undefined;
      if (instead === undefined) throw error;
      return instead;
    }
  };
  const stored = async (height: Height, result: FinalizeBlockResult): Promise<FinalizeBlockResult> => {
    if (result.kind !== 'executed' || result.upgradeApplied === undefined) return result;
    const instead = await options.onUpgraded(height, result.writes);
    if (instead === undefined) return result;
    await restart(current);
    return instead;
  };
  return {
    open: (application, location) => ask((executor) => executor.open(application, location)),
    genesis: (writes) => ask((executor) => executor.genesis(writes)),
    replay: (height, writes) => ask((executor) => executor.replay(height, writes)),
    checkpoint: (height) => ask((executor) => executor.checkpoint(height)),
    restore: (from) => ask((executor) => executor.restore(from)),
    async execute(request) {
      const result = await surviving(
        request.height,
        ask((executor) => executor.execute(request)),
      );
      invariant(result !== undefined, 'an executed block has a result');
      return keep(request.height, await stored(request.height, result));
    },
    // Not retried: the log may lack the previous blocks of the run. The next block restarts the executor.
    async run(request) {
      if (restarting !== undefined) return [];
      try {
        return await current.run(request);
      } catch (error) {
        if (error instanceof ExecutorLost) return [];
        throw error;
      }
    },
    prepare: (request) => ask((executor) => executor.prepare(request)),
    async finish(height, hash) {
      const result = await surviving(
        height,
        ask((executor) => executor.finish(height, hash)),
      );
      return result && keep(height, await stored(height, result));
    },
    async commit(height) {
      let first = true;
      return ask((executor) => {
        if (first) {
          first = false;
          return executor.commit(height);
        }
        invariant(executed?.height === height, `height ${height} was not executed`);
        return executor.replay(height, executed.writes);
      });
    },
    rollback: (height) => ask((executor) => executor.rollback(height)),
    restart: () => restart(current),
    check: (height, from, count) => ask((executor) => executor.check(height, from, count)),
    prove: (store, key, height) => ask((executor) => executor.prove(store, key, height)),
    snapshotSlice: (height, from, leaves) => ask((executor) => executor.snapshotSlice(height, from, leaves)),
    stop() {
      isStopped = true;
      return current.stop();
    },
  };
}
