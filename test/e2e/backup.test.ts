/** `chronicled backup` of the home of a running node, and a node that starts from the backup. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { call, latestHeight } from './comet-client.js';
import { signedEither } from './load.js';

interface Committed {
  readonly hash: string;
  readonly height: string;
  readonly tx_result: { readonly code: number };
}

it('a backup of a running node has all acknowledged transactions, shares no file, and starts', async () => {
  const daemon = await startDaemonProcess({ args: ['--block-time', '0.05'] });
  const { comet } = daemon.endpoints;
  let sequence = 0n;
  const send = async (): Promise<Committed> => {
    const sent = await call<Committed>(comet, 'broadcast_tx_commit', { tx: signedEither(0, sequence).tx });
    expect(sent.tx_result.code).toBe(0);
    sequence += 1n;
    return sent;
  };
  const acknowledged = await send();
  const folder = join(temporaryFolder(), 'backup');
  let isOver = false;
  const load = (async (): Promise<void> => {
    while (!isOver) await send();
  })();
  const backUp = (target: string) => chronicled(['backup', target, '--home', daemon.home]);
  const ended = await backUp(folder);
  isOver = true;
  await load;
  expect(ended, ended.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^backed up to .*backup, head at position \d+, height \d+\n$/),
  });
  expect(existsSync(`${folder}.unfinished`)).toBe(false);
  const key = join('config', 'priv_validator_key.json');
  expect(readFileSync(join(folder, key))).toEqual(readFileSync(join(daemon.home, key)));
  expect(statSync(join(folder, key)).mode & 0o077).toBe(0);
  expect(statSync(join(folder, 'data', 'chronicle.db', 'CURRENT')).nlink).toBe(1);

  expect(await backUp(folder)).toMatchObject({ code: 1, stderr: `failed to back up: ${folder} exists\n` });
  const inside = join(daemon.home, 'backup');
  expect(await backUp(inside)).toMatchObject({
    code: 1,
    stderr: `failed to back up: ${inside} is inside of the home\n`,
  });
  const head = await latestHeight(comet);
  await daemon.kill('SIGTERM');

  const verified = await chronicledHere(['log', 'verify', '-o', 'text', '--home', folder]);
  expect(verified, verified.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(' 0 problems') });
  const again = await startDaemonProcess({ home: folder, args: ['--mining', 'manual'] });
  const found = await call<Committed>(again.endpoints.comet, 'tx', {
    hash: Buffer.from(acknowledged.hash, 'hex').toString('base64'),
  });
  expect(found.height).toBe(acknowledged.height);
  const height = await latestHeight(again.endpoints.comet);
  expect(height).toBeGreaterThanOrEqual(Number(acknowledged.height));
  expect(height).toBeLessThanOrEqual(head);
  await again.kill('SIGTERM');
}, 120_000);
