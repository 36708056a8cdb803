/** Unmodified evmosjs of the Ethermint generation, with a wallet's signer, against a node. */
import { expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon.js';
import { isInstalled, projectOf, run } from './clients.js';

it.skipIf(!isInstalled('evmosjs', 'node_modules/@tharsis/transactions/package.json'))(
  'evmosjs sends EIP-712 typed data with its signature in an extension option',
  async () => {
    const { endpoints } = await startDaemonProcess({ args: ['--ephemeral'] });
    const { code, output } = await run(process.execPath, ['check.mjs', endpoints.rest ?? ''], {
      cwd: projectOf('evmosjs', 'contracts'),
    });
    expect(output).toContain('evmosjs: all as expected');
    expect(code).toBe(0);
  },
  300_000,
);
