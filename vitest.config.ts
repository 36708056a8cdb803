import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/run-folder.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    retry: 0,
    // Left alone, vitest keeps one core free; our tests wait for processes of their own more than they compute.
    maxWorkers: '100%',
  },
});
