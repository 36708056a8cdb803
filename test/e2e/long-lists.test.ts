/** Lists of a million rows in a real browser: few rows are in the document, and focus and selection stay. */
import { expect, it } from 'vitest';
import { BROWSER, openPage } from '../support/browser.js';
import { startDaemonProcess } from '../support/daemon.js';
import { BLOCKS, LONG_CHAIN } from '../support/long-chain.js';
import { askNode, fillChain } from '../support/mixed-chain.js';

const ROWS = `[...document.querySelectorAll('#list [data-rank]')]`;
const RANKS = `${ROWS}.filter((row) => !row.classList.contains('unseen')).map((row) => Number(row.dataset.rank))`;
const LIST = `document.querySelector('.virtual')`;
/** Waits until the visible rows have been read. */
const READ = `${ROWS}.length > 2 && !${ROWS}.some((row) => row.textContent.includes('…') && row.querySelectorAll('td').length < 5)`;
/** Scrolls to the end of the list; two frames later, rows of other heights are in place. */
const OLDEST_IN_SIGHT = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
  const [row, list] = [document.querySelector('[data-rank="0"]'), ${LIST}].map((one) => one?.getBoundingClientRect());
  done(row !== undefined && row.top >= list.top && row.bottom <= list.bottom + 1);
}))))`;
const toPart = (part: number): string => `${LIST}.scrollTop = (${LIST}.scrollHeight - ${LIST}.clientHeight) * ${part}`;

it.skipIf(BROWSER === undefined)('a list of a million blocks scrolls and keeps focus and selection', async () => {
  const daemon = await startDaemonProcess();
  await askNode(daemon, 'evm_mine');
  const page = await openPage(`${daemon.endpoints.eth_http}/blocks`, LONG_CHAIN);
  for (const width of [390, 1360]) {
    await page.resize(width);
    await page.go(`${daemon.endpoints.eth_http}/blocks`);
    await page.until(`${LIST} !== null && Math.max(...${RANKS}) === ${BLOCKS} && ${READ}`);
    expect(await page.evaluate(`document.querySelector('#list table').ariaRowCount`)).toBe(`${BLOCKS + 2}`);
    await page.evaluate(toPart(0.5));
    await page.until(`Math.abs(Math.max(...${RANKS}) - ${BLOCKS / 2}) < 100 && ${READ}`);
    expect(await page.evaluate(`${ROWS}.length`)).toBeLessThan(60);
    await page.evaluate(toPart(1));
    await page.until(`Math.min(...${RANKS}) === 0 && ${READ}`);
    await page.until(OLDEST_IN_SIGHT);
    // also when rows grow, so that fewer fit
    await page.evaluate(`document.styleSheets[0].insertRule('#list tr { height: ${width === 390 ? 300 : 170}px }')`);
    await page.until(OLDEST_IN_SIGHT);
    await page.evaluate(`document.styleSheets[0].deleteRule(0)`);
  }
  await page.evaluate(toPart(0.25));
  await page.until(`Math.abs(Math.max(...${RANKS}) - ${0.75 * BLOCKS}) < 100 && ${READ}`);
  await page.evaluate(`
    window.link = ${ROWS}[2].querySelector('a');
    link.focus({ preventScroll: true });
    window.cell = ${ROWS}[4].querySelector('a');
    getSelection().selectAllChildren(cell);
    window.chosen = String(getSelection());
  `);
  const held = `[document.activeElement === link, link.isConnected, cell.isConnected, String(getSelection()) === chosen]`;
  // the row numbers are those of their positions
  const before = await page.evaluate(`Math.max(...${RANKS})`);
  await page.evaluate(`window.head += 7`);
  await page.until(`document.querySelector('#state').textContent.replaceAll(',', '') === '${BLOCKS + 7}'`);
  await page.until(`document.querySelector('#list table').ariaRowCount === '${BLOCKS + 9}'`);
  expect([await page.evaluate(`Math.max(...${RANKS})`), await page.evaluate(held)]).toEqual([
    before,
    [true, true, true, true],
  ]);
  await page.evaluate(toPart(0.9));
  await page.until(`Math.abs(Math.max(...${RANKS}) - ${0.1 * BLOCKS}) < 200 && ${READ}`);
  expect([await page.evaluate(held), Number(await page.evaluate(`${ROWS}.length`)) < 60]).toEqual([
    [true, true, true, true],
    true,
  ]);
  // rows that could not be read are read when the node answers again
  await page.evaluate(`document.activeElement.blur(); getSelection().empty(); window.isDown = true; ${toPart(0.6)}`);
  const unread = `${ROWS}.some((row) => row.textContent.includes('…'))`;
  await page.until(`document.querySelector('#list').textContent.includes('no connection') && ${unread}`);
  await page.until(`document.querySelector('#state .dot.lost') !== null`);
  await page.evaluate(`window.isDown = false`);
  await page.until(`${READ} && !document.querySelector('#list').textContent.includes('no connection')`);
  expect(page.problems).toEqual([]);
});

it.skipIf(BROWSER === undefined)('the list of transactions is continuous, newest first, at any length', async () => {
  const daemon = await startDaemonProcess();
  await fillChain(daemon);
  const dev0 = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  for (let sent = 0; sent < 60; sent += 1)
    await askNode(daemon, 'eth_sendTransaction', { from: dev0, to: dev0, value: '0x1' });
  await askNode(daemon, 'evm_mine');
  const page = await openPage(`${daemon.endpoints.eth_http}/txs`);
  await page.until(`${LIST} !== null && ${READ}`);
  const heights = `${ROWS}.map((row) => Number(row.querySelector('[data-name=Block]').textContent.replaceAll(',', '')))`;
  const [first, ...others] = (await page.evaluate(heights)) as readonly number[];
  expect(others.every((height, index) => height <= ([first, ...others][index] ?? 0))).toBe(true);
  await page.evaluate(toPart(1));
  await page.until(`Math.min(...${RANKS}) === 0 && ${READ}`);
  expect(
    await page.evaluate(`${LIST}.textContent.includes('MsgSend') || ${LIST}.textContent.includes('deployment')`),
  ).toBe(true);
  // the log is kept, too
  await page.go(`${daemon.endpoints.eth_http}/log`);
  await page.until(`${LIST} !== null && ${RANKS}.length > 5`);
  await page.evaluate(toPart(1));
  await page.until(`document.querySelector('[data-rank="0"]')?.textContent.includes('ChainStarted') === true`);
  expect(await page.evaluate(`${ROWS}.length`)).toBeLessThan(60);
  expect(page.problems).toEqual([]);
});
