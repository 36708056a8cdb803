/** A node stops cleanly when its npx or npm ends, and with any other parent under `--exit-with-parent`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { endAfterwards, PROGRAM } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';

const NODE = ['dev', '--ephemeral', '--quiet', '--port-base', '0'];
/** A program with a child process, like a test runner. */
const RUNNER = `require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'inherit' })`;

/** An empty project in which npx finds the command. */
function project(): string {
  const folder = temporaryFolder();
  const commands = join(folder, 'node_modules', '.bin');
  mkdirSync(commands, { recursive: true });
  const command = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
  writeFileSync(join(commands, 'chronicled'), command, { mode: 0o755 });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'project', scripts: { chain: `true && chronicled ${NODE.join(' ')}; true` } }),
  );
  return folder;
}

/** Resolves when the node prints that it is ready, or exits. */
function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.stdout?.on('data', (part: Buffer) => part.toString().startsWith('Ready in') && resolve());
    child.stdout?.on('end', resolve);
  });
}

it.each([
  ['npx', 'SIGTERM', ['npx', '--no', '--', 'chronicled', ...NODE]],
  ['npx', 'SIGKILL', ['npx', '--no', '--', 'chronicled', ...NODE]],
  ['npm run', 'SIGTERM', ['npm', 'run', '-s', 'chain']],
  ['npm run', 'SIGKILL', ['npm', 'run', '-s', 'chain']],
  ['a test runner', 'SIGKILL', [process.execPath, '-e', RUNNER, PROGRAM, ...NODE, '--exit-with-parent']],
] as const)(
  'the node of %s stops after its parent got %s, and leaves no file',
  async (_parent, signal, [program, ...args]) => {
    const temporary = temporaryFolder();
    const child = spawn(program, args, {
      cwd: project(),
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    // All processes that hold the other end of the pipe have exited.
    const closed = once(child, 'close');
    if (child.pid !== undefined)
      endAfterwards(
        child.pid,
        closed.then(() => ({ code: 0, signal: null })),
      );
    let stderr = '';
    child.stderr.on('data', (part: Buffer) => {
      stderr += part.toString();
    });
    await ready(child);
    expect(readdirSync(temporary)).not.toEqual([]);
    child.kill(signal);
    await closed;
    expect(stderr).toContain('the process that started the node has ended');
    expect(readdirSync(temporary)).toEqual([]);
  },
);
