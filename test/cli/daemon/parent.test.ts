/** The parent process whose end stops the node, over tables of processes. */
import { describe, expect, it } from 'vitest';
import { followedProcess, hasEnded, type SystemProcess } from '../../../src/cli/daemon/parent.js';

/** Processes from pid 10 upwards, each the child of the previous one. */
const lineage =
  (...commands: readonly string[]) =>
  (pid: number): SystemProcess | undefined => {
    const command = commands[pid - 10];
    return command === undefined ? undefined : { parent: pid - 1, command: command.split(' ') };
  };

describe('followedProcess by default', () => {
  it.each([
    ['npx', ['npm exec chronicled dev'], 10],
    ['npx before it names itself', ['node /usr/bin/npx chronicled'], 10],
    ['npm of another folder', ['/opt/node /opt/lib/node_modules/npm/bin/npm-cli.js run chain'], 10],
    ['pnpm', ['node /usr/local/bin/pnpm dlx chronicled'], 10],
    ['yarn', ['node /opt/.yarn/releases/yarn.cjs chronicled'], 10],
    ['yarn 4', ['/usr/bin/node /opt/app/.yarn/releases/yarn-4.9.2.cjs chronicled'], 10],
    ['npx, which runs a shell', ['npm exec chronicled dev', 'sh -c chronicled dev'], 10],
    ['npm, which runs a script', ['npm run chain', '/bin/bash -c true && chronicled dev'], 10],
    ['a test runner', ['npm test', 'sh -c vitest', 'node (vitest 1)'], undefined],
    ['a script that npm runs', ['npm run chain', 'sh -c node up.js', 'node up.js'], undefined],
    ['a program with such an argument', ['node server.js npm'], undefined],
    ['a shell of a user', ['/usr/sbin/sshd', '-bash'], undefined],
    ['a process without information', [], undefined],
  ])('for %s: of the processes %j, the node follows %s', (_parent, commands, followed) => {
    const parent = 9 + commands.length;
    expect(followedProcess(undefined, parent, lineage(...commands))).toBe(followed);
  });
});

it('followedProcess follows any parent if the option is true, and none if it is false', () => {
  const find = lineage('npm exec chronicled dev', 'sh -c chronicled dev');
  expect(followedProcess(true, 11, find)).toBe(11);
  expect(followedProcess(true, 11, () => undefined)).toBe(11);
  expect(followedProcess(false, 11, find)).toBeUndefined();
  // The parent ended before the node looked: init adopted it.
  expect(followedProcess(undefined, 1, find)).toBeUndefined();
});

it('hasEnded is true for an orphan, but not when only the shell between it and npm has ended', () => {
  const [npm, shell, init] = [10, 11, 1];
  const running =
    (...pids: readonly number[]) =>
    (pid: number): boolean =>
      pids.includes(pid);
  expect(hasEnded(npm, npm, npm, running(npm))).toBe(false);
  expect(hasEnded(npm, npm, init, running())).toBe(true);
  expect(hasEnded(npm, shell, init, running(npm))).toBe(false);
  expect(hasEnded(npm, shell, shell, running(shell))).toBe(true);
  expect(hasEnded(npm, shell, init, running())).toBe(true);
});
