/** osmojs, unmodified, between the two chains of `dev --ibc`. */
import { expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon.js';
import { isInstalled, projectOf, run } from './clients.js';

it.skipIf(!isInstalled('osmojs', 'node_modules/osmojs/package.json'))(
  'osmojs sends over IBC, and queries channels, clients and vouchers',
  async () => {
    const { endpoints, ready } = await startDaemonProcess({ args: ['--ephemeral', '--ibc'] });
    const { ibc } = ready;
    const faces = [endpoints.eth_http, endpoints.comet, ibc?.endpoints.comet].map(String);
    const names = [ibc?.channel_id, ibc?.counterparty_channel_id, ibc?.chain_id].map(String);
    const { code, output } = await run(process.execPath, ['check.mjs', ...faces, ...names], {
      cwd: projectOf('osmojs', 'contracts'),
    });
    expect(output).toContain('osmojs: all as expected');
    expect(code).toBe(0);
  },
  300_000,
);
