/** Commands that read a home through a temporary copy remove the copy, however they end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, watch } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { PROGRAM } from '../support/command.js';
import { startDaemonProcess } from '../support/daemon.js';
import { ownEnvironment } from '../support/own-environment.js';
import { temporaryFolder } from '../support/temporary.js';
import { callEthereum } from './ethereum-client.js';

let home: string;

beforeAll(async () => {
  const daemon = await startDaemonProcess();
  home = daemon.home;
  await callEthereum(daemon.endpoints.eth_http ?? '', 'anvil_mine', ['0x12c']);
  await daemon.kill('SIGTERM');
});

function start(args: readonly string[], temporary: string) {
  return spawn(process.execPath, [PROGRAM, ...args, '--home', home], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: ownEnvironment({ TMPDIR: temporary }),
  });
}

it.each([
  ['log', 'show', '--limit', '100000'],
  ['log', 'export'],
])('%s %s removes its copy of the home when its reader closes the pipe', async (...args) => {
  const temporary = temporaryFolder();
  const child = start(args, temporary);
  child.stdout.destroy();
  const [code]: unknown[] = await once(child, 'exit');
  expect({ code, left: readdirSync(temporary) }).toEqual({ code: 0, left: [] });
});

it.each([
  ['SIGINT', 'log', 'show', '--limit', '100000'],
  ['SIGTERM', 'log', 'export'],
  ['SIGHUP', 'export'],
  ['SIGTERM', 'log', 'verify'],
] as const)('%s ends %s, which removes its copy of the home', async (signal, ...args) => {
  const temporary = temporaryFolder();
  const watcher = watch(temporary);
  const child = start(args, temporary);
  const exited = once(child, 'exit');
  await once(watcher, 'change');
  watcher.close();
  child.kill(signal);
  child.stdout.resume();
  await exited;
  expect(readdirSync(temporary)).toEqual([]);
});
