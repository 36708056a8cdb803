/** Another daemon may reuse the id of a process group that has ended; the end of a test must not kill that daemon. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { endAfterwards } from '../support/daemon.js';
import { isGroupThere } from '../support/run-folder.js';
import { beginTest, endTest } from '../support/temporary.js';

test.each([
  ['sends no signal to a process group that has ended', '', []],
  ['kills a process group that still runs', 'setInterval(() => undefined, 1000)', ['SIGKILL']],
] as const)('the end of a test %s', async (_, program, signals) => {
  const child = spawn(process.execPath, ['-e', program], { detached: true, stdio: 'ignore' });
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const group = child.pid ?? 0;
  beginTest();
  endAfterwards(group, exited);
  expect(isGroupThere(group)).toBe(true);
  if (signals.length === 0) await exited;
  const kill = vi.spyOn(process, 'kill');
  await endTest();
  const sent = kill.mock.calls.filter(([pid, signal]) => pid === -group && signal !== 0);
  expect(sent.map(([, signal]) => signal)).toEqual(signals);
  expect(isGroupThere(group)).toBe(false);
  kill.mockRestore();
});
