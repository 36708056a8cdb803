/** Commands that replay the log of a home refuse wrong arguments before they do so. */
import { expect, it } from 'vitest';
import { PREFIX } from '../../src/store/keys.js';
import { SECTION } from '../../src/store/codec/sections.js';
import { chronicled } from '../support/command.js';
import { startDaemonProcess } from '../support/daemon.js';
import { allRows, damageRows } from '../support/lived-home.js';
import { callEthereum } from './ethereum-client.js';

const BLOCKS = 100;
const MANUAL = ['--mining', 'manual'];

it('dev --branch and upgrade rehearse refuse an unknown height or name although the log cannot be replayed', async () => {
  const daemon = await startDaemonProcess({ args: MANUAL });
  await callEthereum(daemon.endpoints.eth_http ?? '', 'anvil_mine', [BLOCKS]);
  await daemon.kill('SIGTERM');
  const { home } = daemon;
  // Opening verifies the records that no earlier opening has verified.
  await (await startDaemonProcess({ home, args: MANUAL })).kill('SIGTERM');
  const run = (...words: readonly string[]) => chronicled([...words, '--home', home]);
  const isWrites = ({ key }: { readonly key: Uint8Array }): boolean =>
    key[0] === PREFIX.record && key[9] === SECTION.writes;
  // The first and the last records are read before the replay.
  const written = (await allRows(home)).filter(isWrites);
  expect(written.length).toBeGreaterThan(BLOCKS);
  await damageRows(
    home,
    written.slice(BLOCKS / 2, BLOCKS / 2 + 2).map(({ key }) => ({ type: 'delete', key })),
  );

  // A valid height and a valid name need the replay, which fails.
  const [branch, rehearsal, noHeight, noName] = await Promise.all([
    run('dev', '--branch', '2', '--port-base', '0'),
    run('upgrade', 'rehearse', 'v2'),
    run('dev', '--branch', String(BLOCKS + 1), '--port-base', '0'),
    run('upgrade', 'rehearse', 'v4'),
  ]);
  expect(branch.stderr).not.toContain('--branch');
  expect(branch.code).not.toBe(0);
  expect(rehearsal.stderr).not.toContain('there are v1');
  expect(rehearsal.code).not.toBe(0);
  expect(noHeight).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`--branch: block #${BLOCKS + 1} not found`),
  });
  expect(noName).toMatchObject({ code: 3, stderr: expect.stringContaining('there are v1, v2, v3') });
});
