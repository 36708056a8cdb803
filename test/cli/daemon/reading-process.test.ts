/** A command that reads damaged files does so in a process of its own, whose death is a finding. */
import { expect, it } from 'vitest';
import { inReadingProcess } from '../../../src/cli/daemon/reading-process.js';

const unreachable = (): Promise<number> => Promise.reject(new Error('this process does not read'));

it('reports a crash of the reader as damage', async () => {
  const lines: string[] = [];
  const output = { stderr: (text: string) => void lines.push(text) };
  expect(await inReadingProcess(output, unreachable, ['-e', 'process.abort()'])).toBe(6);
  expect(lines.join('')).toMatch(/^E_LOG_CORRUPT: .*\n.*SIGABRT/);
});

it('ends as the reader ends', async () => {
  const lines: string[] = [];
  const output = { stderr: (text: string) => void lines.push(text) };
  for (const code of [0, 6, 10])
    expect(await inReadingProcess(output, unreachable, ['-e', `process.exit(${code})`])).toBe(code);
  expect(lines).toEqual([]);
});
