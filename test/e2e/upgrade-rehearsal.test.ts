/** `upgrade rehearse` beside a running node, and on a halted home: it predicts the changes of the upgrade. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chronicled } from '../support/command.js';
import { chronicledHere } from '../support/command-here.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { call, latestHeight } from './comet-client.js';
import { callEthereum } from './ethereum-client.js';

interface Rehearsed {
  readonly works: boolean;
  readonly height: string;
  readonly app_hash: string;
  readonly module_versions: readonly { readonly name: string; readonly after: string }[];
  readonly state: readonly { readonly store: string; readonly key: string; readonly after: string | null }[];
}

const MANUAL = ['--mining', 'manual'];

async function mine({ endpoints }: DaemonProcess): Promise<void> {
  await callEthereum(endpoints.eth_http ?? '', 'evm_mine');
}

/** Value of a store in hexadecimal; null if absent. */
async function valueOf(daemon: DaemonProcess, store: string, key: string): Promise<string | null> {
  const { response } = await call<{ readonly response: { readonly value: string | null } }>(
    daemon.endpoints.comet,
    'abci_query',
    { path: `/store/${store}/key`, data: key },
  );
  const value = Buffer.from(response.value ?? '', 'base64').toString('hex');
  return value === '' ? null : value;
}

test('upgrade rehearse predicts the writes of the upgrade key by key, and does not change the chain', async () => {
  const home = temporaryFolder();
  const temporary = temporaryFolder();
  const rehearse = (...words: readonly string[]) =>
    chronicled(['upgrade', 'rehearse', ...words, '--home', home], { env: { TMPDIR: temporary } });
  let daemon = await startDaemonProcess({ home, args: MANUAL });
  await mine(daemon);
  const before = await latestHeight(daemon.endpoints.comet);
  const beside = await rehearse('v2');
  expect(beside.stderr).toBe('');
  expect(beside.code).toBe(0);
  expect(beside.stdout).toContain(`UPGRADE "v2" NEEDED at height: ${before + 1}: \n`);
  expect(beside.stdout).toContain('module versions:\n  dev: 1 -> 2\n  sample: none -> 1\n');
  expect(beside.stdout).toContain('  dev: enabled present -> none\n  dev: unsigned transactions none -> present\n');
  expect(beside.stdout).toContain(`v2 applied at height ${before + 1}, and 3 more blocks; all invariants hold\n`);
  expect(beside.stdout).toMatch(new RegExp(`^app hash after height ${before + 1}: [0-9A-F]{64}$`, 'm'));
  expect(beside.stdout).toContain('v2 would work; the chain is as it was\n');
  expect(await latestHeight(daemon.endpoints.comet)).toBe(before);
  expect(readdirSync(temporary)).toEqual([]);
  // the node makes the same change by a dev command
  const byNode = await callEthereum(daemon.endpoints.eth_http ?? '', 'chronicle_rehearseUpgrade', ['v2']);
  expect(byNode).toMatchObject({
    works: true,
    height: String(before + 1),
    versions: [
      { name: 'dev', before: '1', after: '2' },
      { name: 'sample', before: null, after: '1' },
    ],
    changes: expect.arrayContaining(['dev: unsigned transactions none -> present']),
  });
  await expect(callEthereum(daemon.endpoints.eth_http ?? '', 'chronicle_rehearseUpgrade', ['v4'])).rejects.toThrow(
    'there are v1, v2, v3',
  );
  const unknown = await rehearse('v4');
  expect(unknown).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('there are v1, v2, v3, and the name of any'),
  });

  const node = ['--node', daemon.endpoints.comet.replace('http', 'tcp')];
  const height = before + 3;
  const scheduled = chronicledHere(['upgrade', 'schedule', 'v2', '--height', String(height), '-y', ...node]);
  expect((await scheduled).code).toBe(0);
  await mine(daemon);
  await mine(daemon);
  await expect(mine(daemon)).rejects.toThrow('halted');
  await daemon.kill('SIGTERM');
  const told = await rehearse('v2', '-o', 'json', '--blocks', '1');
  expect(told.code).toBe(0);
  const rehearsed: Rehearsed = JSON.parse(told.stdout);
  expect(rehearsed).toMatchObject({ works: true, height: String(height) });
  expect((await chronicled(['pre-upgrade', '--home', home])).code).toBe(0);

  daemon = await startDaemonProcess({ home, args: [...MANUAL, '--app-version', 'v2'] });
  expect(await latestHeight(daemon.endpoints.comet)).toBe(height);
  await mine(daemon);
  const { header } = await call<{ readonly header: { readonly app_hash: string } }>(daemon.endpoints.comet, 'header', {
    height: String(height + 1),
  });
  expect(header.app_hash).toBe(rehearsed.app_hash);
  for (const { store, key, after } of rehearsed.state) expect(await valueOf(daemon, store, key)).toBe(after);
  await daemon.kill('SIGTERM');
  expect(await rehearse('v2')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('would fail (schedule): upgrade with name v2 has already been completed'),
  });
  expect(readdirSync(temporary)).toEqual([]);
});
