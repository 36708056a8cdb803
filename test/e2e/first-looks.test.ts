/** First visits of the pages: on a phone, on an empty chain, in forms without an example, with long values. */
import { expect, test } from 'vitest';
import { BROWSER, openPage } from '../support/browser.js';
import { startDaemonProcess } from '../support/daemon.js';
import { askNode, fillChain } from '../support/mixed-chain.js';
import { openView } from '../support/view-walk.js';

test.skipIf(BROWSER === undefined)(
  'pages show links on a phone, examples in forms, folded long values, and singular words for one',
  async () => {
    const daemon = await startDaemonProcess({ args: ['--mining', 'manual'] });
    const page = await openPage(daemon.endpoints.eth_http ?? '');
    await page.until(`document.querySelector('h1') !== null`);
    await askNode(daemon, 'evm_mine');
    await page.until(`document.body.innerText.includes('No transaction in 1 block.')`);

    await page.resize(390);
    for (const path of ['/health', '/', '/inside']) {
      await openView(page, path);
      expect(
        await page.evaluate(`(() => {
        const row = document.querySelector('nav.side').getBoundingClientRect();
        const link = document.querySelector('nav.side [aria-current]').getBoundingClientRect();
        return link.left >= row.left && link.right <= row.right;
      })()`),
        path,
      ).toBe(true);
    }

    await page.resize(1280);
    expect(
      await page.evaluate(`[...document.querySelectorAll('.tile')].filter((tile) => {
      const { right } = tile.getBoundingClientRect();
      return [...tile.querySelectorAll('*')].some((one) => one.getBoundingClientRect().right > right - 8);
    }).map((tile) => tile.textContent)`),
    ).toEqual([]);

    await openView(page, '/api/eth_call');
    expect(
      await page.evaluate(`[...document.querySelectorAll('form.stack input')].map((one) => one.placeholder)`),
    ).toEqual([
      expect.stringContaining('"to": "0x'),
      expect.stringContaining('latest'),
      expect.stringContaining('balance'),
      expect.stringContaining('number'),
    ]);

    await askNode(daemon, 'evm_setAutomine', true);
    await fillChain(daemon);
    await openView(page, '/changes/1/4');
    expect(
      await page.evaluate(`[...document.querySelectorAll('main table .text')]
      .filter((one) => one.textContent.length > 200 && one.checkVisibility()).length`),
    ).toBe(0);
    expect(
      await page.evaluate(`[...document.querySelectorAll('main table summary')].map((one) => one.textContent)[0]`),
    ).toMatch(/^0x[0-9a-f]{6}…[0-9a-f]{6} [0-9,]+ bytes$/);
    expect(await page.evaluate(`document.querySelector('label.check').getBoundingClientRect().height`)).toBeLessThan(
      30,
    );
    expect(page.problems).toEqual([]);
  },
);

test('an unknown path answers 404 with a page for browsers, and with plain text for programs', async () => {
  const { endpoints } = await startDaemonProcess();
  const at = `${endpoints.eth_http}/nowhere`;
  const shown = await fetch(at, { headers: { accept: 'text/html,*/*' } });
  expect(shown.status).toBe(404);
  expect(await shown.text()).toContain('<html');
  const told = await fetch(at);
  expect({ status: told.status, text: await told.text() }).toEqual({ status: 404, text: '404 page not found\n' });
});

test.skipIf(BROWSER === undefined)(
  'the dev menu covers the page below it, and a named contract shows its address',
  async () => {
    const daemon = await startDaemonProcess();
    const { token } = await fillChain(daemon);
    const page = await openPage(`${daemon.endpoints.eth_http}/address/${token}/contract`);
    await page.resize(390);
    await page.until(`document.querySelector('textarea') !== null`);
    await page.evaluate(`(() => {
    const field = document.querySelector('textarea');
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(field, '[{"type":"function","name":"name","inputs":[],"outputs":[{"type":"string"}],"stateMutability":"view"}]');
    field.dispatchEvent(new Event('input', { bubbles: true }));
    [...document.querySelectorAll('button')].find((one) => one.textContent === 'Use it').click();
  })()`);
    await page.until(`document.querySelector('.title .id, .title code, .title a') !== null`);
    expect(await page.evaluate(`document.querySelector('.title').innerText.toLowerCase()`)).toContain(
      token.slice(0, 8),
    );
    await page.evaluate(`document.querySelector('.menu summary').click()`);
    expect(
      await page.evaluate(`[...document.querySelectorAll('.panel button')].filter((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      return [0.1, 0.5, 0.9].some((part) => !button.contains(document.elementFromPoint(left + width * part, top + height / 2)));
    }).map((button) => button.textContent)`),
    ).toEqual([]);
  },
);
