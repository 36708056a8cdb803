/** First looks at the pages: on a phone, at an empty chain, at forms without an example, at long values. */
import { expect, test } from 'vitest';
import { BROWSER, openPage } from '../support/browser.js';
import { startDaemonProcess } from '../support/daemon.js';
import { askNode, fillChain } from '../support/mixed-chain.js';
import { openView } from '../support/view-walk.js';

test.skipIf(BROWSER === undefined)('links in sight, examples in forms, long values folded, words for one', async () => {
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
  expect(await page.evaluate(`document.querySelector('label.check').getBoundingClientRect().height`)).toBeLessThan(30);
  expect(page.problems).toEqual([]);
});
