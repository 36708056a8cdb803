/** The tables of commands are in many files. If two of them have one name, no command runs. */
import { expect, it } from 'vitest';
import { runCli } from '../cli/support.js';

it('no two commands have the same name', async () => {
  expect(await runCli(['query', '--help'])).toMatchObject({ code: 0, stderr: '' });
});
