import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { LONG, PROCESS } from './test/projects.js';

/** Options of projects whose tests wait for processes: a worker more keeps the processors busy. */
const WAITING = { maxWorkers: availableParallelism() + 2, sequence: { groupOrder: 1 } };

/** Options of all projects. Files share the modules of their worker; to load them anew takes a quarter of a run. */
const COMMON = { isolate: false, testTimeout: 60_000, hookTimeout: 60_000 };

/** Options of the projects whose tests start nothing. */
const STARTS_NOTHING = {
  ...COMMON,
  setupFiles: ['test/support/setup.ts', 'test/support/nothing-starts.ts'],
  pool: 'threads' as const,
};

export default defineConfig({
  test: {
    globalSetup: ['test/support/run-folder.ts'],
    // Left alone, vitest keeps one core free; many of our tests wait for processes of their own.
    maxWorkers: availableParallelism() + 1,
    // A run of one file spends most of its time on compiling modules of ours that have not changed.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          ...STARTS_NOTHING,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...PROCESS, ...LONG],
        },
      },
      // The processor is free for them while tests of `process` wait.
      { test: { ...STARTS_NOTHING, ...WAITING, name: 'long', include: LONG } },
      {
        test: {
          ...COMMON,
          name: 'process',
          include: PROCESS,
          setupFiles: ['test/support/setup.ts'],
          pool: 'forks',
          ...WAITING,
        },
      },
    ],
  },
});
