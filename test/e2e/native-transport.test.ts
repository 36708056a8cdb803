/** A build serves by the native library wherever there is a binary of it for this machine. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon.js';

const { platform, arch, versions } = process;
const binary = `../../node_modules/uWebSockets.js/dist/bin/uws_${platform}_${arch}_${versions.modules}.node`;
const hasBinary = existsSync(fileURLToPath(new URL(binary, import.meta.url)));

it.skipIf(!hasBinary)('every HTTP face answers by it (skipped where it has no binary for this Node.js)', async () => {
  const daemon = await startDaemonProcess();
  const { eth_http: ethereum, comet, rest, metrics } = daemon.endpoints;
  for (const [face, path] of [
    [ethereum, '/'],
    [comet, '/status'],
    [rest, '/cosmos/base/tendermint/v1beta1/node_info'],
    [metrics, '/health'],
  ] as const) {
    const { headers } = await fetch(`${String(face)}${path}`);
    expect(headers.get('uwebsockets'), `${String(face)}${path}`).not.toBeNull();
  }
  expect((await daemon.kill('SIGTERM')).code).toBe(0);
});
