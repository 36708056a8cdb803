/** A node that is stopped and started again continues the same chain. */
import { expect, it } from 'vitest';
import { verifyChain } from '../core/comet/outside-verifier.js';
import { startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { call, getJson, latestHeight } from './comet-client.js';
import { callEthereum } from './ethereum-client.js';
import { signedSend } from './load.js';

const STOPPED = { code: 0, signal: null };

it('a restarted node continues its chain with the pending transactions', async () => {
  const home = temporaryFolder();
  const first = await startDaemonProcess({ home });
  const sent = await call<{ readonly height: string; readonly tx_result: { readonly code: number } }>(
    first.endpoints.comet,
    'broadcast_tx_commit',
    { tx: signedSend(0, 0n).tx },
  );
  expect(sent.tx_result.code).toBe(0);
  const at = { height: sent.height };
  const before = await Promise.all(
    ['block', 'block_results', 'validators'].map((method) => call(first.endpoints.comet, method, at)),
  );
  const nodeId = await idOf(first.endpoints.comet);
  expect(await first.kill('SIGTERM')).toEqual(STOPPED);

  const second = await startDaemonProcess({ home, args: ['--mining', 'manual'] });
  const waiting = [signedSend(0, 1n), signedSend(1, 0n), signedSend(0, 2n)];
  for (const { tx } of waiting)
    expect(await call(second.endpoints.comet, 'broadcast_tx_sync', { tx })).toMatchObject({ code: 0 });
  const stoppedAt = await latestHeight(second.endpoints.comet);
  expect(stoppedAt).toBeGreaterThanOrEqual(Number(sent.height));
  expect(await second.kill('SIGTERM')).toEqual(STOPPED);

  const third = await startDaemonProcess({ home });
  const { comet } = third.endpoints;
  const last = await call<{ readonly height: string }>(comet, 'broadcast_tx_commit', { tx: signedSend(2, 0n).tx });
  for (const { hash } of waiting) {
    const found = await call<{ readonly height: string; readonly tx_result: { readonly code: number } }>(comet, 'tx', {
      hash: Buffer.from(hash, 'hex').toString('base64'),
    });
    expect(Number(found.height)).toBeGreaterThan(stoppedAt);
    expect(found.tx_result.code).toBe(0);
  }
  expect(await Promise.all(['block', 'block_results', 'validators'].map((method) => call(comet, method, at)))).toEqual(
    before,
  );
  expect(await idOf(comet)).toBe(nodeId);
  const height = Number(last.height);
  expect(await verifyChain((route) => getJson(comet, route), 1, height)).toEqual({
    headers: height,
    signatures: height,
  });
  expect(await third.kill('SIGTERM')).toEqual(STOPPED);
});

it('a node that is stopped during a long mine command answers it, and keeps the blocks it made', async () => {
  const home = temporaryFolder();
  const daemon = await startDaemonProcess({ home, args: ['--mining', 'manual'] });
  const url = daemon.endpoints.eth_http ?? '';
  const answer = callEthereum(url, 'anvil_mine', ['0x186a0']).catch((error: unknown) => error);
  while ((await latestHeight(daemon.endpoints.comet)) < 10);
  expect(await daemon.kill('SIGINT')).toEqual(STOPPED);
  expect(String(await answer)).toContain('node is halted: the node is stopping');
  const again = await startDaemonProcess({ home, args: ['--mining', 'manual'] });
  const height = await latestHeight(again.endpoints.comet);
  expect(height).toBeGreaterThanOrEqual(10);
  expect(height).toBeLessThan(100_000);
  expect(await again.kill('SIGTERM')).toEqual(STOPPED);
});

it('a second node is refused on a home in use', async () => {
  const daemon = await startDaemonProcess();
  await expect(startDaemonProcess({ home: daemon.home })).rejects.toMatchObject({
    exit: { code: 5 },
    stderr: expect.stringContaining('E_HOME_LOCKED'),
  });
  expect(await latestHeight(daemon.endpoints.comet)).toBeGreaterThan(0);
  await daemon.kill('SIGTERM');
});

async function idOf(comet: string): Promise<string> {
  return (await call<{ readonly node_info: { readonly id: string } }>(comet, 'status')).node_info.id;
}
