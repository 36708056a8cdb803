import type { FinalizeBlockResult } from '../../core/application-requests.js';
import { invariant } from '../../core/errors.js';
import type { Height } from '../../core/primitives.js';
import type { StateWrite } from '../../core/state/state.js';
import { ExecutorLost, type Executor } from './executor.js';

export interface RestartingOptions {
  readonly create: () => Executor;
  /** Brings a fresh executor to the published head: opens it and replays the log. */
  readonly prepare: (executor: Executor) => Promise<void>;
  /** Consecutive restarts before giving up, so that a block that ends every executor does not loop for ever. */
  readonly attempts: number;
  /** An executor was lost, and a new one takes its place; requested restarts are not reported. */
  readonly onLoss: (reason: string) => void;
  /** The result of a block that ended every executor, for `reason`; undefined: its request rejects. */
  readonly onLost: (height: Height, reason: string) => Promise<FinalizeBlockResult | undefined>;
  /**
   * The result in place of a block that applied an upgrade, when its writes cannot be stored; undefined: they can. The
   * execution is then taken back.
   */
  readonly onUpgraded: (height: Height, writes: readonly StateWrite[]) => Promise<FinalizeBlockResult | undefined>;
}

export interface RestartingExecutor extends Executor {
  /** Replaces the executor by a new one, rebuilt from the log. */
  restart(): Promise<void>;
}

/**
 * An executor that survives the loss of its thread: a new one is made and rebuilt from the log, and the request is sent
 * again, until the executor is stopped. An executor never holds the only copy of its data.
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
        // Without a restart the request leaves at once: a proposal is executed while its votes are signed.
        if (restarting !== undefined) await restarting;
        return await request(executor);
      } catch (error) {
        if (isStopped || !(error instanceof ExecutorLost) || attempt >= options.attempts) throw error;
        if (executor === current) options.onLoss(error.message);
        await restart(executor);
      }
    }
  };
  /** Writes of the executed block: when the thread ends before `commit`, they are applied instead of computed again. */
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
    // A new executor is rebuilt from the log, which may not have the blocks before: the next block asks for it.
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
