/** Prompts of commands at a terminal, which `script` of util-linux simulates. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PROGRAM, temporaryFolder } from '../support/daemon.js';

const SCRIPT = ['/usr/bin/script', '/bin/script'].find((path) => existsSync(path));
const isHere = SCRIPT !== undefined && process.platform === 'linux';
if (!isHere) process.stdout.write('there is no `script` of util-linux here: questions at a terminal are skipped\n');

const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const BACKSPACE = '\u007f';
const OFFLINE = ['--offline', '-a', '5', '-s', '0', '--gas', '150000', '--chain-id', 'chronicle_271828-1'];
const SEND = ['tx', 'bank', 'send', 'dev0', 'dev1', '1achr', ...OFFLINE];

/** Runs a command and types the keys at its prompt. Returns terminal output and exit code, 130 for Ctrl+C. */
async function typed(words: readonly string[], question: string, keys: string) {
  const line = [process.execPath, PROGRAM, ...words].map((word) => `'${word}'`).join(' ');
  const child = spawn(SCRIPT ?? '', ['-qefc', line, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm', CHRONICLED_HOME: temporaryFolder() },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  const closed = once(child, 'close');
  let isAsked = false;
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (!isAsked && text.includes(question)) {
      isAsked = true;
      child.stdin.write(keys);
    }
  });
  const [code]: readonly unknown[] = await closed;
  return { code, text };
}

test.skipIf(!isHere)('Ctrl+C at a prompt ends the command without a stack', async () => {
  for (const [words, question] of [
    [SEND, '[y/N]: '],
    [['keys', 'add', 'mine', '--recover'], 'mnemonic'],
    [['keys', 'export', 'dev0'], 'passphrase'],
  ] as const) {
    const { code, text } = await typed(words, question, CTRL_C);
    expect({ words, code }).toEqual({ words, code: 130 });
    expect(text).not.toMatch(/AbortError|Error:|\n\s+at /);
    expect(text).toMatch(/\n$/);
  }
});

test.skipIf(!isHere)('Ctrl+D at a prompt cancels the transaction', async () => {
  const { code, text } = await typed(SEND, '[y/N]: ', CTRL_D);
  expect({ code, text }).toEqual({ code: 1, text: expect.stringMatching(/\r\nError: canceled transaction\r\n$/) });
});

test.skipIf(!isHere)('Backspace corrects an answer and leaves the prompt on the line', async () => {
  const { code, text } = await typed(SEND, '[y/N]: ', `n${BACKSPACE}yx${BACKSPACE}\r`);
  expect(code, text).toBe(0);
  expect(text.split('confirm transaction').length).toBeGreaterThan(2);
});
