import { expect, test } from 'vitest';
import { toHeight } from '../../../src/core/primitives.js';
import { ExecutorLost, type Executor } from '../../../src/runtime/executor/executor.js';
import { createRestartingExecutor } from '../../../src/runtime/executor/restarting-executor.js';

/** An executor whose checkpoint calls wait until it is lost. */
function waiting(): { readonly executor: Pick<Executor, 'checkpoint' | 'stop'>; lose(): void } {
  let lose = (): void => undefined;
  const checkpoint = (): Promise<never> =>
    new Promise((_, reject) => (lose = () => reject(new ExecutorLost('the thread ended'))));
  return { executor: { checkpoint, stop: async () => lose() }, lose: () => lose() };
}

test.each([
  ['a lost executor is restarted', false, ['lost: executor lost: the thread ended', 2]],
  ['a stopped executor is not restarted, and waiting calls are refused', true, [1]],
])('%s', async (_, isStopped, expected) => {
  const made: ReturnType<typeof waiting>[] = [];
  const seen: (string | number)[] = [];
  const executor = await createRestartingExecutor({
    create() {
      const one = waiting();
      made.push(one);
      return one.executor as Executor;
    },
    prepare: () => Promise.resolve(),
    attempts: 1,
    onLoss: (reason) => seen.push(`lost: ${reason}`),
    onLost: () => Promise.resolve(undefined),
    onUpgraded: () => Promise.resolve(undefined),
  });
  const asked = executor.checkpoint(toHeight(1n)).catch((error: unknown) => error);
  await Promise.resolve();
  if (isStopped) await executor.stop();
  else made[0]?.lose();
  // The second checkpoint is requested when it is ready.
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  await executor.stop();
  expect(await asked).toBeInstanceOf(ExecutorLost);
  expect([...seen, made.length]).toEqual(expected);
});
