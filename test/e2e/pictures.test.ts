/** Pictures of the explorer for README and docs. `node scripts/pictures.js` makes them; other runs skip this file. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { BROWSER, openPage } from '../support/browser.js';
import { startDaemonProcess } from '../support/daemon.js';
import { askNode, fillChain } from '../support/mixed-chain.js';

const isAsked = process.env['CHRONICLED_PICTURES'] !== undefined && BROWSER !== undefined;
const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'pictures');
const SHOWN = `document.querySelector('h1') !== null && document.querySelector('.skeleton') === null`;
const WIDTH = 1_200;

describe.skipIf(!isAsked)('pictures (skipped unless CHRONICLED_PICTURES is set and there is a Chromium)', () => {
  it('of home, a transaction, the log and the inside view are written to docs/pictures', async () => {
    const daemon = await startDaemonProcess();
    const first = await fillChain(daemon);
    for (let count = 0; count < 12; count += 1) {
      const value = `0x${(BigInt(count + 1) * 10n ** 17n).toString(16)}`;
      const from = `0x70997970C51812dc3A010C7d01b50e0d17dc79C8`;
      await askNode(daemon, 'eth_sendTransaction', { from, to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', value });
    }
    const { send } = await fillChain(daemon, 'rent of June');
    const socket = new WebSocket(daemon.endpoints.eth_ws ?? '');
    await new Promise((resolve) => {
      socket.once('open', resolve);
    });
    for (const params of [['newHeads'], ['logs', { address: first.token }]])
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }));
    mkdirSync(FOLDER, { recursive: true });
    const root = daemon.endpoints.eth_http ?? '';
    const page = await openPage(root);
    await page.resize(WIDTH);
    const pictures = [
      ['home', '/', 'light', 1_150],
      ['transaction', `/tx/${first.reverted}`, 'dark', 1_150],
      ['log', '/log', 'light', 760],
      ['inside', '/inside', 'dark', 1_150],
    ] as const;
    for (const [name, path, scheme, most] of pictures) {
      await page.resize(WIDTH);
      await page.scheme(scheme);
      await page.go(root + path);
      await page.until(`location.href === ${JSON.stringify(root + path)} && ${SHOWN}`);
      await page.until(`new Promise((next) => setTimeout(() => next(${SHOWN}), 1500))`);
      const png = await page.picture(most);
      expect(png.length).toBeLessThan(250_000);
      writeFileSync(join(FOLDER, `${name}.png`), png);
    }
    socket.close();
    expect(send).toMatch(/^[0-9A-F]{64}$/);
  });
});
