/** Which process a node follows to its end, over tables of processes. */
import { describe, expect, it } from 'vitest';
import { followedProcess, type SystemProcess } from '../../../src/cli/daemon/parent.js';

/** A process whose parent is the one before it, from the number 10 on. */
const lineage =
  (...commands: readonly string[]) =>
  (pid: number): SystemProcess | undefined => {
    const command = commands[pid - 10];
    return command === undefined ? undefined : { parent: pid - 1, command: command.split(' ') };
  };

describe('by default', () => {
  it.each([
    ['npx', ['npm exec chronicled dev'], 10],
    ['npx before it names itself', ['node /usr/bin/npx chronicled'], 10],
    ['npm of another folder', ['/opt/node /opt/lib/node_modules/npm/bin/npm-cli.js run chain'], 10],
    ['pnpm', ['node /usr/local/bin/pnpm dlx chronicled'], 10],
    ['yarn', ['node /opt/.yarn/releases/yarn.cjs chronicled'], 10],
    ['npx, which runs a shell', ['npm exec chronicled dev', 'sh -c chronicled dev'], 10],
    ['npm, which runs a script', ['npm run chain', '/bin/bash -c true && chronicled dev'], 10],
    ['a test runner', ['npm test', 'sh -c vitest', 'node (vitest 1)'], undefined],
    ['a script that npm runs', ['npm run chain', 'sh -c node up.js', 'node up.js'], undefined],
    ['a program with such an argument', ['node server.js npm'], undefined],
    ['a shell of a user', ['/usr/sbin/sshd', '-bash'], undefined],
    ['a process that nothing tells about', [], undefined],
  ])('%s: %j is followed as %s', (_parent, commands, followed) => {
    const parent = 9 + commands.length;
    expect(followedProcess(undefined, parent, lineage(...commands))).toBe(followed);
  });
});

it('any parent is followed where this is asked for, and none where it is refused', () => {
  const find = lineage('npm exec chronicled dev', 'sh -c chronicled dev');
  expect(followedProcess(true, 11, find)).toBe(11);
  expect(followedProcess(true, 11, () => undefined)).toBe(11);
  expect(followedProcess(false, 11, find)).toBeUndefined();
  // The parent ended before the node looked: init adopted it.
  expect(followedProcess(undefined, 1, find)).toBeUndefined();
});
