import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { PROCESS } from './test/projects.js';

/** Of both projects. */
const COMMON = { isolate: false, testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    globalSetup: ['test/support/run-folder.ts'],
    projects: [
      {
        test: {
          ...COMMON,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...PROCESS],
          setupFiles: ['test/support/setup.ts', 'test/support/nothing-starts.ts'],
          pool: 'threads',
          // Left alone, vitest keeps one core free.
          maxWorkers: '100%',
        },
      },
      {
        test: {
          ...COMMON,
          name: 'process',
          include: PROCESS,
          setupFiles: ['test/support/setup.ts'],
          pool: 'forks',
          // These tests wait for processes of their own more than they compute.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
