/** Commands do not wipe the home of a running node, and a node whose home was removed stops writing. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess, type DaemonProcess } from '../support/daemon.js';
import { call } from './comet-client.js';
import { signedSend } from './load.js';

/** Sends a transaction, waits until a block includes it, and resolves with its hash. */
async function committed(daemon: DaemonProcess, sequence: bigint): Promise<string> {
  const answer = await call<{ readonly hash: string }>(daemon.endpoints.comet, 'broadcast_tx_commit', {
    tx: signedSend(0, sequence).tx,
  });
  return answer.hash;
}

describe('commands that write, on the home of a running node', () => {
  it('are refused with the name of the owner, and the node keeps its data', async () => {
    const daemon = await startDaemonProcess();
    const hashes = [await committed(daemon, 0n), await committed(daemon, 1n)];
    for (const args of [['reset', '-y'], ['init', '--overwrite'], ['init']]) {
      const ended = await chronicledHere([...args, '--home', daemon.home]);
      expect(ended.code, args.join(' ')).toBe(5);
      expect(ended.stderr).toContain('E_HOME_LOCKED: ');
      expect(ended.stderr).toContain(`process ${daemon.pid}`);
    }
    hashes.push(await committed(daemon, 2n));
    await daemon.kill('SIGKILL');
    const again = await startDaemonProcess({ home: daemon.home });
    for (const hash of hashes)
      expect(
        await call<{ readonly tx_result: { readonly code: number } }>(again.endpoints.comet, 'tx', {
          hash: Buffer.from(hash, 'hex').toString('base64'),
        }),
      ).toMatchObject({ tx_result: { code: 0 } });
    expect((await again.kill('SIGTERM')).code).toBe(0);
  });

  it('work after the node was killed', async () => {
    const daemon = await startDaemonProcess();
    await daemon.kill('SIGKILL');
    expect((await chronicledHere(['init', '--overwrite', '--home', daemon.home])).code).toBe(0);
    expect((await chronicled(['reset', '-y', '--home', daemon.home])).code).toBe(0);
    expect(existsSync(join(daemon.home, 'data', 'chronicle.db'))).toBe(false);
    expect(existsSync(join(daemon.home, 'data', 'chronicle.db.lock'))).toBe(false);
  });
});

const OTHER_LOCK = JSON.stringify({ pid: process.pid, start: '' });

it('a reset that is interrupted leaves the whole chain, or nothing of it for the next start', async () => {
  const daemon = await startDaemonProcess();
  await committed(daemon, 0n);
  expect(await daemon.kill('SIGHUP')).toEqual({ code: 0, signal: null });
  const data = join(daemon.home, 'data');
  // The names are removed, but the open files still exist.
  rmSync(join(data, 'head.witness'));
  renameSync(join(data, 'chronicle.db'), join(data, 'chronicle.db.removed'));
  const again = await startDaemonProcess({ home: daemon.home });
  expect(
    Number(
      (
        await call<{ readonly sync_info: { readonly latest_block_height: string } }>(
          again.endpoints.comet,
          'status',
          {},
        )
      ).sync_info.latest_block_height,
    ),
  ).toBeLessThan(3);
  expect(existsSync(join(data, 'chronicle.db.removed'))).toBe(false);
  expect((await again.kill('SIGTERM')).code).toBe(0);
});

describe('a node whose home was removed or replaced', () => {
  it.each<readonly [string, (data: string) => void]>([
    ['the lock was removed', (data) => rmSync(join(data, 'chronicle.db.lock'))],
    [
      'the lock was replaced',
      (data) => {
        rmSync(join(data, 'chronicle.db.lock'));
        writeFileSync(join(data, 'chronicle.db.lock'), OTHER_LOCK);
      },
    ],
    [
      'the data folder was replaced',
      (data) => {
        renameSync(data, `${data}.old`);
        mkdirSync(data);
      },
    ],
    ['the database was removed', (data) => rmSync(join(data, 'chronicle.db'), { recursive: true })],
  ])('exits before its next commit when %s', async (_, take) => {
    const daemon = await startDaemonProcess({ args: ['--block-time', '0.2'] });
    await committed(daemon, 0n);
    const data = join(daemon.home, 'data');
    take(data);
    const isReplaced =
      existsSync(join(data, 'chronicle.db.lock')) &&
      readFileSync(join(data, 'chronicle.db.lock'), 'utf8') === OTHER_LOCK;
    expect((await daemon.exited).code).toBe(5);
    expect(daemon.stderr()).toContain('E_HOME_REPLACED: ');
    // The node does not remove a lock that it does not own.
    expect(existsSync(join(data, 'chronicle.db.lock'))).toBe(isReplaced);
  });
});
