/** A walk through views of the application in a browser: findings of access, width, keys, contrast and false texts. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from './browser.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The view is there: its heading, and no part that still loads. */
export const SHOWN = `document.querySelector('h1') !== null && document.querySelector('.skeleton') === null`;

/** Says by how much the page is wider than its window, and on a phone a table than its place. */
export const WIDE = `[document.documentElement, ...(innerWidth > 640 ? [] : document.querySelectorAll('.scroll:has(table)'))]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => 'too wide by ' + (one.scrollWidth - one.clientWidth) + ': ' + one.outerHTML.slice(0, 80))`;

/** Width and scheme of the windows in which a view is looked at. */
export type Look = readonly [width: number, scheme: 'light' | 'dark'];

/** Desktop and phone, light and dark. */
export const LOOKS: readonly Look[] = [
  [1360, 'light'],
  [1360, 'dark'],
  [390, 'light'],
  [390, 'dark'],
];

/** Texts that appear where a value is missing or was misread. */
const FALSE_TEXTS = `[...document.body.innerText.matchAll(/.{0,40}(\\bundefined\\b|\\bNaN\\b|\\[object |Invalid Date|\\bInfinity\\b).{0,40}/g)].map(([text]) => 'false text: ' + text)`;

/** Problems of what the page shows now: of access and contrast (axe), of width, and of texts. */
export async function findings(page: Page): Promise<readonly unknown[]> {
  return (await page.evaluate(`(async () => {
    if (typeof axe === 'undefined') { ${AXE}; window.axe = axe; }
    const { violations } = await axe.run(document, { resultTypes: ['violations'], preload: false });
    return [...violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ').slice(0, 300)), ...${WIDE}, ...${FALSE_TEXTS}];
  })()`)) as readonly unknown[];
}

/** Shows a view without loading the application again. */
export async function openView(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new Event('popstate'))`);
  await page.until(`${SHOWN} && new Promise((next) => setTimeout(() => next(${SHOWN}), 120))`);
}

/** Controls that Tab does not reach, and controls without a visible focus. */
export async function keyFindings(page: Page): Promise<readonly unknown[]> {
  const count = await page.evaluate(`(() => {
    const isSeen = (one) => one.checkVisibility({ visibilityProperty: true }) && one.closest('details:not([open])')?.querySelector('summary')?.contains(one) !== false;
    const radios = new Set();
    window.controls = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"], [role=button], [onclick]')]
      .filter((one) => !one.disabled && isSeen(one))
      .filter((one) => one.type !== 'radio' || (!radios.has(one.name) && radios.add(one.name)));
    window.reached = new Set();
    window.unseen = new Set();
    document.activeElement?.blur();
    document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex');
    return window.controls.length;
  })()`);
  // new blocks bring rows, whose controls take steps, too
  for (let step = 0, isDone: unknown = false; isDone !== true && step < 2 * Number(count) + 5; step += 1) {
    await page.press('Tab');
    isDone = await page.evaluate(`(() => {
      const one = document.activeElement;
      if (one === null || one === document.body) return false;
      reached.add(one);
      const shown = one.type === 'file' || one.id === 'search' ? one.parentElement : one;
      const style = getComputedStyle(shown);
      const hasOutline = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
      const box = shown.getBoundingClientRect();
      if (!hasOutline && style.boxShadow === 'none') unseen.add(one);
      if (box.width < 1 || box.height < 1) unseen.add(one);
      return controls.every((one) => !one.isConnected || reached.has(one) || one.type === 'radio');
    })()`);
  }
  return (await page.evaluate(`[
    ...controls.filter((one) => one.isConnected && !reached.has(one) && !(one.type === 'radio')).map((one) => 'not reached: ' + one.outerHTML.slice(0, 200)),
    ...[...unseen].map((one) => 'focus not seen: ' + one.outerHTML.slice(0, 200)),
  ]`)) as readonly unknown[];
}
