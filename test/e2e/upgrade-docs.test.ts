/** Runs every command in docs/UPGRADES.md as it is written there. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { getJson } from './comet-client.js';

const PAGE = readFileSync(fileURLToPath(new URL('../../docs/UPGRADES.md', import.meta.url)), 'utf8');

const lines = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.trim().split('\n'))
  .map((line) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '').slice(1));

test('docs/UPGRADES.md has more than 8 commands', () => expect(lines.length).toBeGreaterThan(8));

test('each command of docs/UPGRADES.md exits with 0', async () => {
  const home = temporaryFolder();
  let daemon: DaemonProcess | undefined;
  for (const [index, words] of lines.entries()) {
    if (words[0] === 'dev') {
      await daemon?.kill('SIGTERM');
      daemon = await startDaemonProcess({ home, args: ['--block-time', '0.2', ...words.slice(1)] });
      continue;
    }
    const comet = daemon?.endpoints.comet ?? '';
    const env = { CHRONICLED_NODE: comet.replace(/^http/, 'tcp'), CHRONICLED_HOME: home };
    const { code, stdout, stderr } = await chronicledHere(words, { env });
    expect(code, `chronicled ${words.join(' ')}: ${stderr}`).toBe(0);
    // The next start comes after the halt.
    if (lines[index + 1]?.[0] === 'dev') await reach(comet, Number(/height: "(\d+)"/.exec(stdout)?.[1]));
  }
  await daemon?.kill('SIGTERM');
}, 120_000);

async function reach(comet: string, height: number): Promise<void> {
  expect(height).toBeGreaterThan(0);
  for (;;) {
    const answer = await getJson(comet, `/block?height=${height}`);
    if (typeof answer === 'object' && answer !== null && 'result' in answer) return;
  }
}
