/**
 * A home whose last acknowledged write is damaged: commands that write refuse it and leave its files unchanged.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chronicled } from '../support/command.js';
import { startDaemonProcess } from '../support/daemon.js';
import { call } from './comet-client.js';
import { signedSend } from './load.js';

it('rollback, log rebuild and log import refuse a log with a damaged end, and leave its file unchanged', async () => {
  const daemon = await startDaemonProcess({ args: ['--mining', 'manual'] });
  await call(daemon.endpoints.comet, 'status', {});
  const { eth_http: ethereum = '' } = daemon.endpoints;
  await call(daemon.endpoints.comet, 'broadcast_tx_sync', { tx: signedSend(0, 0n).tx });
  await fetch(ethereum, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"evm_mine","params":[]}',
  });
  await daemon.kill('SIGKILL');
  const database = join(daemon.home, 'data', 'chronicle.db');
  const name = readdirSync(database)
    .filter((file) => file.endsWith('.log'))
    .sort()
    .at(-1);
  const log = join(database, name ?? '');
  const damaged = readFileSync(log);
  const last = damaged.length - 100;
  damaged[last] = (damaged[last] ?? 0) ^ 1;
  writeFileSync(log, damaged);
  const empty = join(daemon.home, 'nothing.jsonl');
  writeFileSync(empty, '');
  for (const args of [['rollback'], ['log', 'rebuild'], ['log', 'import', empty]]) {
    const ended = await chronicled([...args, '--home', daemon.home]);
    expect(ended.code, `${args.join(' ')}: ${ended.stderr}`).toBe(6);
    expect(readFileSync(log).equals(damaged), args.join(' ')).toBe(true);
  }
});
