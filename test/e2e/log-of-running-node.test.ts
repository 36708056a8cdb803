/** `log show`, `log verify`, `log export` and `export` on the home of a running node that makes blocks. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyRunningDatabase } from '../../src/store/leveldb/database-copy.js';
import { chronicled } from '../support/command.js';
import { startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { call } from './comet-client.js';
import { signedEither } from './load.js';

/** Largest number of transactions sent during one command. */
const SENDS = 100;

it('commands read a consistent state of the home of a running node, and do not disturb it', async () => {
  const daemon = await startDaemonProcess({ args: ['--block-time', '0.05'] });
  const { comet } = daemon.endpoints;
  let sequence = 0n;
  const accepted: string[] = [];
  const send = async (): Promise<void> => {
    const { tx, hash } = signedEither(0, sequence);
    const { tx_result: result } = await call<{ readonly tx_result: { readonly code: number } }>(
      comet,
      'broadcast_tx_commit',
      { tx },
    );
    expect(result.code).toBe(0);
    accepted.push(hash);
    sequence += 1n;
  };
  await send();
  const temporary = temporaryFolder();
  const run = (...args: readonly string[]) =>
    chronicled([...args, '--home', daemon.home], { env: { TMPDIR: temporary } });
  const commands = [
    ['log', 'show', '--limit', '100000'],
    ['log', 'verify'],
    ['log', 'verify', '--execute'],
    ['log', 'export', '--output-document', join(temporaryFolder(), 'log.ndjson')],
    ['export'],
  ];
  for (const args of commands) {
    const before = accepted.at(-1) ?? '';
    let isOver = false;
    const load = (async (): Promise<void> => {
      for (let count = 0; count < SENDS && !isOver; count += 1) await send();
    })();
    const ended = await run(...args);
    isOver = true;
    await load;
    expect(ended, args.join(' ')).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(temporary), args.join(' ')).toEqual([]);
    // Everything that was acknowledged before the command started.
    if (args[1] === 'show') expect(ended.stdout).toContain(before);
    if (args[1] === 'verify') expect(JSON.parse(ended.stdout)).toMatchObject({ problems: [] });
  }
  expect(accepted.length).toBeGreaterThan(commands.length);
  expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(daemon.stderr()).not.toContain('E_LOG_CORRUPT');
}, 120_000);

it('a database whose files change all the time is not copied', () => {
  const empty = temporaryFolder();
  expect(() => copyRunningDatabase(join(empty, 'none'))).toThrow('changes too fast to be copied');
});
