/** A command that reads damaged files runs in a child process, whose crash is reported as damage. */
import { expect, it } from 'vitest';
import { inReadingProcess } from '../../../src/cli/daemon/reading-process.js';

const unreachable = (): Promise<number> => Promise.reject(new Error('this process does not read'));

it('inReadingProcess reports a crash of the reader as a corrupt log', async () => {
  const lines: string[] = [];
  const output = { stderr: (text: string) => void lines.push(text) };
  expect(await inReadingProcess(output, unreachable, ['-e', 'process.abort()'])).toBe(6);
  expect(lines.join('')).toMatch(/^E_LOG_CORRUPT: .*\n.*SIGABRT/);
});

it('inReadingProcess returns the exit code of the reader', async () => {
  const lines: string[] = [];
  const output = { stderr: (text: string) => void lines.push(text) };
  for (const code of [0, 6, 10])
    expect(await inReadingProcess(output, unreachable, ['-e', `process.exit(${code})`])).toBe(code);
  expect(lines).toEqual([]);
});
