/**
 * The halts of an upgrade: every face refuses transactions with the reason, and the right version continues.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { call, latestHeight } from './comet-client.js';
import { callEthereum } from './ethereum-client.js';
import { ACCOUNTS, signedSend } from './load.js';

const MANUAL = ['--mining', 'manual'];
const NEEDED = 'UPGRADE "v2" NEEDED at height: 5: notes';
const EARLY =
  'BINARY UPDATED BEFORE TRIGGER! UPGRADE "v2" - in binary but not executed on chain. Downgrade your binary';
const WRONG = 'wrong app version 1, upgrade handler is missing for v2 upgrade plan';

const start = (home: string, ...args: readonly string[]): Promise<DaemonProcess> =>
  startDaemonProcess({ home, args: [...MANUAL, ...args] });

const mine = ({ endpoints }: DaemonProcess): Promise<unknown> => callEthereum(endpoints.eth_http ?? '', 'evm_mine');

/** Answer of each way to send a transaction, with JSON's escaped quotation marks restored. */
async function answers({ endpoints }: DaemonProcess): Promise<readonly string[]> {
  const { comet, eth_http: ethereum = '', rest = '' } = endpoints;
  const { tx } = signedSend(1, 0n);
  const transfer = { from: ACCOUNTS[2]?.hex, to: ACCOUNTS[1]?.hex, value: '0x1' };
  const failed = async (answer: Promise<unknown>): Promise<string> => {
    try {
      return `no error: ${JSON.stringify(await answer)}`;
    } catch (error) {
      return String(error);
    }
  };
  const posted = await fetch(`${rest}/cosmos/tx/v1beta1/txs`, {
    method: 'POST',
    body: JSON.stringify({ tx_bytes: tx, mode: 'BROADCAST_MODE_SYNC' }),
  });
  const told = [
    await failed(call(comet, 'broadcast_tx_sync', { tx })),
    await failed(call(comet, 'broadcast_tx_async', { tx })),
    await failed(call(comet, 'broadcast_tx_commit', { tx })),
    await failed(callEthereum(ethereum, 'eth_sendTransaction', [transfer])),
    `${posted.status} ${await posted.text()}`,
  ];
  return told.map((text) => text.replaceAll('\\', ''));
}

async function expectHalted(daemon: DaemonProcess, reason: string): Promise<void> {
  for (const answer of await answers(daemon)) expect(answer).toContain(`node is halted: ${reason}`);
  expect(daemon.stderr()).toContain(reason);
  await daemon.kill('SIGTERM');
}

test('the chain halts with a version that is too early, missing or too old, and goes on with the right one', async () => {
  const home = temporaryFolder();
  const file = join(home, 'data', 'upgrade-info.json');
  let daemon = await start(home);
  const node = ['--node', daemon.endpoints.comet.replace('http', 'tcp')];
  const plan = ['upgrade', 'schedule', 'v2', '--height', '5', '--info', 'notes', '-y', ...node];
  expect(await chronicledHere(plan)).toMatchObject({ code: 0 });
  await mine(daemon);
  expect(await latestHeight(daemon.endpoints.comet)).toBeLessThan(4);
  await daemon.kill('SIGTERM');

  daemon = await start(home, '--app-version', 'v2');
  await expect(mine(daemon)).rejects.toThrow('halted');
  expect(existsSync(file)).toBe(false);
  expect(daemon.stderr()).not.toContain('continue with');
  await expectHalted(daemon, EARLY);
  const early = ['dev', '--home', home, '--port-base', '0', '-q', '--app-version', 'v2', '--exit-on-halt'];
  expect(await chronicled(early)).toMatchObject({
    code: 7,
    stderr: expect.stringContaining(`E_UPGRADE_NEEDED: ${EARLY}`),
  });

  daemon = await start(home);
  while ((await latestHeight(daemon.endpoints.comet)) < 4) await mine(daemon);
  await expect(mine(daemon)).rejects.toThrow('halted');
  expect(existsSync(file)).toBe(true);
  await vi.waitFor(() =>
    expect(daemon.stderr()).toMatch(
      /The node makes no blocks now, and answers queries\. Stop it, and continue with: chronicled \w+ --app-version v2 \(or skip it: --unsafe-skip-upgrades 5\)\n/,
    ),
  );
  await expectHalted(daemon, NEEDED);
  daemon = await start(home);
  await expectHalted(daemon, NEEDED);

  daemon = await start(home, '--app-version', 'v2');
  await mine(daemon);
  expect(daemon.stderr()).toContain('applying upgrade "v2" at height: 5');
  await daemon.kill('SIGTERM');
  daemon = await start(home, '--app-version', 'v1');
  await expect(mine(daemon)).rejects.toThrow('halted');
  await expectHalted(daemon, WRONG);

  const unknown = await chronicled(['dev', '--home', home, '--port-base', '0', '-q', '--app-version', 'v22']);
  expect(unknown).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('there are v1, v2, v3, and the name of any'),
  });
  daemon = await start(home);
  await mine(daemon);
  await daemon.kill('SIGTERM');
});
