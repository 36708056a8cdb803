import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { PROGRAM } from '../support/command.js';

test.each([['completion', 'bash'], ['keys', 'list', '--dev'], ['--help']])(
  'a command ends without a word when its reader has left: %s %s %s',
  async (...args) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    // The reader leaves before the first byte: the first write fails.
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (part: Buffer) => {
      stderr += part.toString();
    });
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  },
);
