import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import { LONG, LONGEST_FILES, PROCESS } from './test/projects.js';

// V8 optimises a function after so many bytes of its code have run: six times as many as by default, because most code
// of a test runs too seldom to be worth it. A fifth of the CPU went into that. The threads of the project `unit` begin
// after this line, and take the flags of their process.
setFlagsFromString('--interrupt-budget=400000');

/** Options of all projects. Files share the modules of their worker; to load them anew takes a quarter of a run. */
const COMMON = { isolate: false, testTimeout: 60_000, hookTimeout: 60_000 };

/** Long files that this run leaves out; else they share the workers of the others, and the modules loaded there. */
const left = process.env['CHRONICLED_TEST_LONG'] === 'no' ? LONG : [];

class LongestFirst extends BaseSequencer {
  /** In the order of vitest, which knows no times on a fresh clone, but for the longest ones. */
  override async sort(...[files]: Parameters<BaseSequencer['sort']>): ReturnType<BaseSequencer['sort']> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: (typeof files)[number]): number => {
      const rank = LONGEST_FILES.findIndex((end) => moduleId.endsWith(`/${end}`));
      return rank < 0 ? LONGEST_FILES.length : rank;
    };
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/run-folder.ts'],
    // A run of one file spends most of its time on compiling modules of ours that have not changed.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          ...COMMON,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...PROCESS, ...left],
          setupFiles: ['test/support/setup.ts', 'test/support/nothing-starts.ts'],
          pool: 'threads',
          // Nothing waits, and each worker more loads and compiles all modules for itself.
          maxWorkers: availableParallelism(),
        },
      },
      {
        test: {
          ...COMMON,
          name: 'process',
          include: PROCESS,
          setupFiles: ['test/support/setup.ts'],
          pool: 'forks',
          // Its tests wait for processes: workers more than processors keep those busy.
          maxWorkers: availableParallelism() + 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
