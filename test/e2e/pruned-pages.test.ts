/** The explorer of a node whose old blocks are pruned: it says so, and shows what the node keeps in its place. */
import { expect, it } from 'vitest';
import { openPage, BROWSER, type Page } from '../support/browser.js';
import { chronicled } from '../support/command.js';
import { startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { openView } from '../support/view-walk.js';
import { callEthereum } from './ethereum-client.js';
import { ACCOUNTS } from './load.js';

const MANUAL = ['--mining', 'manual'];
const RULES = ['--min-retain-blocks', '20', '--pruning', 'nothing'];
/** Height of the oldest block after `prune`. */
const LOWEST = 32;
const SENDER = ACCOUNTS[5]?.hex ?? '';

/** Opens a view and returns its text. */
async function textOf(page: Page, path: string): Promise<string> {
  await openView(page, path);
  return String(await page.evaluate(`document.querySelector('#view').innerText`));
}

it.skipIf(BROWSER === undefined)(
  'the explorer says what is pruned, and shows accounts, blocks and logs that are kept (skipped without Chromium)',
  async () => {
    const home = temporaryFolder();
    const first = await startDaemonProcess({ home, args: MANUAL });
    const url = first.endpoints.eth_http ?? '';
    const hash = await callEthereum<string>(url, 'eth_sendTransaction', [
      { from: SENDER, data: '0x600160005360016000f3', gas: '0x30d40' },
    ]);
    await callEthereum(url, 'anvil_mine', ['0x48']);
    const { contractAddress: contract, blockHash } = await callEthereum<Readonly<Record<string, string>>>(
      url,
      'eth_getTransactionReceipt',
      [hash],
    );
    await first.kill('SIGTERM');
    expect(await chronicled(['prune', ...RULES, '--home', home])).toMatchObject({ code: 0 });

    const daemon = await startDaemonProcess({ home, args: [...MANUAL, ...RULES] });
    const page = await openPage(daemon.endpoints.eth_http ?? '');
    const kept = `it keeps blocks from height ${LOWEST} on`;
    expect(await textOf(page, `/tx/${hash}`)).toContain(kept);
    expect(await textOf(page, `/block/${blockHash}`)).toContain(kept);
    const pruned = await textOf(page, '/block/5');
    expect(pruned).toContain('pruned');
    expect(pruned).not.toContain('Not found');
    expect(await textOf(page, `/address/${SENDER}`)).toContain(`from this account since block ${LOWEST}.`);
    expect(await textOf(page, `/address/${SENDER}/history`)).not.toContain('pruned');
    expect(await textOf(page, `/address/${contract}/events`)).toContain(`0 events since block ${LOWEST}.`);
    for (const view of ['/?at=5', '/txs?at=5']) {
      const text = await textOf(page, view);
      expect(text).toContain(`block 5 is pruned: blocks are kept from height ${LOWEST} on`);
      expect(text).not.toMatch(/Nothing yet|No transaction in|There is no transaction/);
    }

    await openView(page, `/blocks?at=${LOWEST + 3}`);
    await page.until(`document.querySelector('[data-rank="${LOWEST + 3}"]')?.innerText.includes('0x') === true`);
    const rows = (await page.evaluate(
      `[${LOWEST + 1}, ${LOWEST}, ${LOWEST - 1}].map((rank) => document.querySelector('[data-rank="' + rank + '"]').innerText)`,
    )) as readonly string[];
    expect(rows.map((row) => row.split(/\s/)[0])).toEqual([LOWEST + 1, LOWEST, LOWEST - 1].map(String));
    expect(rows.map((row) => (row.includes('pruned') ? 'pruned' : row.includes('0x') ? 'shown' : row))).toEqual([
      'shown',
      'shown',
      'pruned',
    ]);
    expect(page.problems).toEqual([]);
  },
);

it.skipIf(BROWSER === undefined)(
  'the explorer shows the same chain while its first blocks are pruned (skipped without Chromium)',
  async () => {
    const daemon = await startDaemonProcess({ args: [...MANUAL, ...RULES] });
    const url = daemon.endpoints.eth_http ?? '';
    const page = await openPage(url);
    await openView(page, '/');
    const shows = (height: number) => page.until(`document.querySelector('#time')?.max === '${height}'`);
    /** Mines blocks until those below `lowest` are pruned, and one more, at which the page looks. */
    const minePruning = async (blocks: number, lowest: number): Promise<void> => {
      // Pruning follows the index, and a search waits until its complete windows are written.
      await fetch(`${daemon.endpoints.comet}/block_search?query="block.height=1"`);
      await callEthereum(url, 'anvil_mine', [blocks]);
      const oldest = async (): Promise<number> =>
        Number((await callEthereum<Kept>(url, 'eth_capabilities')).blocks.oldestBlock);
      while ((await oldest()) < lowest) await new Promise((resolve) => setTimeout(resolve, 50));
      await callEthereum(url, 'evm_mine');
    };
    await callEthereum(url, 'anvil_mine', [190]);
    await minePruning(10, 160);
    await shows(201);
    const text = String(await page.evaluate('document.body.innerText'));
    expect(text).not.toMatch(/Another chain|The chain went back/);

    // The list of transactions counts from the oldest kept one: when the lowest block rises, it reads its rows again.
    const sends = async (count: number, blocks: number): Promise<string> => {
      let hash = '';
      for (let sent = 0; sent < count; sent += 1)
        hash = await callEthereum<string>(url, 'eth_sendTransaction', [{ from: SENDER, to: SENDER, gas: '0x5208' }]);
      await callEthereum(url, 'anvil_mine', [blocks]);
      return hash;
    };
    await sends(30, 24);
    const newest = await sends(70, 2);
    await openView(page, '/txs');
    const rowShows = (rank: number) =>
      page.until(
        `document.querySelector('[data-rank="${rank}"]')?.innerText.includes('${newest.slice(2, 8)}') === true`,
      );
    await rowShows(99);
    await minePruning(32, 224);
    await rowShows(69);
  },
);

interface Kept {
  readonly blocks: { readonly oldestBlock: string };
}
