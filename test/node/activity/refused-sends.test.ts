import { expect, test } from 'vitest';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { startActivity } from '../../../src/node/activity/activity.js';
import { createDaemonConfig } from '../../../src/config/index.js';
import { MemoryStore } from '../../support/memory-store.js';
import { simulate } from '../simulated-node.js';

test('the activity log names the first of many refused sends, up to its burst', async () => {
  const { node, time } = await simulate({ store: new MemoryStore() });
  const config = createDaemonConfig({
    env: {},
    userHome: '/',
    readFile: () => undefined,
    isDirectory: () => false,
  }).resolve('dev', new Map());
  if (!config.ok) throw new Error(config.problem.message);
  let told = '';
  const activity = startActivity(config.options, node, {
    clock: time,
    timers: { after: () => () => undefined, yield: () => Promise.resolve() },
    write: (text, done) => {
      told += text;
      queueMicrotask(() => done(undefined));
    },
    isTerminal: false,
    isColoured: false,
    accounts: [],
  });
  for (let send = 0; send < FIXED_LIMITS.activityBurst + 10; send += 1)
    activity.refusedSend({ method: 'm', from: undefined, reason: `${send}` });
  await activity.stop();
  const expected = Array.from({ length: FIXED_LIMITS.activityBurst }, (_, send) => `m  refused: ${send}`);
  expect(told.trimEnd().split('\n')).toEqual(expected);
  await node.stop();
});
