import { ExecutorLost, type Executor } from './executor.js';

export interface RestartingOptions {
  readonly create: () => Executor;
  /** Brings a fresh executor to the published head: opens it and replays the log. */
  readonly prepare: (executor: Executor) => Promise<void>;
  /** Restarts in a row before giving up; a block that kills every executor must not loop for ever. */
  readonly attempts: number;
  readonly onRestart: (reason: string) => void;
}

/**
 * An executor that survives the loss of its thread: a new one is made, rebuilt from the log, and the request is asked
 * again. Nothing is lost, because nothing that an executor holds is the only copy.
 */
export async function createRestartingExecutor(options: RestartingOptions): Promise<Executor> {
  let current = options.create();
  await options.prepare(current);
  let restarting: Promise<void> | undefined;

  const restart = (failed: Executor, reason: string): Promise<void> => {
    if (failed !== current) return restarting ?? Promise.resolve();
    options.onRestart(reason);
    current = options.create();
    restarting = failed.stop().then(() => options.prepare(current));
    return restarting;
  };
  const ask = async <Value>(request: (executor: Executor) => Promise<Value>): Promise<Value> => {
    for (let attempt = 0; ; attempt += 1) {
      const executor = current;
      try {
        await restarting;
        return await request(executor);
      } catch (error) {
        if (!(error instanceof ExecutorLost) || attempt >= options.attempts) throw error;
        await restart(executor, error.message);
      }
    }
  };
  /** What `commit` keeps is in no log yet when the thread dies between the two: execute again first. */
  let lastRequest: Parameters<Executor['execute']>[0] | undefined;
  return {
    open: (application, location) => ask((executor) => executor.open(application, location)),
    genesis: (writes) => ask((executor) => executor.genesis(writes)),
    replay: (height, writes) => ask((executor) => executor.replay(height, writes)),
    checkpoint: () => ask((executor) => executor.checkpoint()),
    restore: (bytes) => ask((executor) => executor.restore(bytes)),
    execute(request) {
      lastRequest = request;
      return ask((executor) => executor.execute(request));
    },
    async commit(height) {
      let first = true;
      return ask(async (executor) => {
        if (!first && lastRequest?.height === height) await executor.execute(lastRequest);
        first = false;
        return executor.commit(height);
      });
    },
    prove: (store, key, height) => ask((executor) => executor.prove(store, key, height)),
    stop: () => current.stop(),
  };
}
