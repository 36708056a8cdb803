/** The program is made of tables in many files, and two of them may name one command: then no command runs. */
import { expect, it } from 'vitest';
import { runCli } from '../cli/support.js';

it('every command has a name of its own', async () => {
  expect(await runCli(['query', '--help'])).toMatchObject({ code: 0, stderr: '' });
});
