import { expect, it } from 'vitest';
import { describeFiles, servedFiles } from '../../../src/adapters/services/files.js';

it('describes each served file in an event-loop turn of its own', async () => {
  let turns = 0;
  await describeFiles(() => {
    turns += 1;
    return Promise.resolve();
  });
  const { files } = servedFiles();
  expect(files.length).toBeGreaterThan(100);
  expect(turns).toBe(files.length);
});
