import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { PROCESS } from './test/projects.js';

/** Of both projects. Files share the modules of their worker; loading them anew for each takes a quarter of a run. */
const COMMON = { isolate: false, testTimeout: 60_000, hookTimeout: 60_000 };

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
          ...COMMON,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...PROCESS],
          setupFiles: ['test/support/setup.ts', 'test/support/nothing-starts.ts'],
          pool: 'threads',
        },
      },
      {
        test: {
          ...COMMON,
          name: 'process',
          include: PROCESS,
          setupFiles: ['test/support/setup.ts'],
          pool: 'forks',
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
