/** The explorer at port 8545 in a real browser, where the system has Chromium. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Abi, encodeFunctionData } from 'viem';
import { beforeAll, describe, expect, it } from 'vitest';
import { Token } from '../contracts/index.js';
import { chronicledHere } from '../support/command-here.js';
import { startProxy } from '../support/proxy.js';
import { BROWSER, openPage } from '../support/browser.js';
import { type DaemonProcess, startDaemonProcess, temporaryFolder } from '../support/daemon.js';
import { askNode, fillChain, type MixedChain } from '../support/mixed-chain.js';
import { findings, keyFindings, openView, SHOWN, WIDE } from '../support/view-walk.js';

const DEV1 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const HOSTILE = '<img src=x onerror="window.hacked=1">';
const BECH32 = 'chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9';

if (BROWSER === undefined)
  process.stdout.write('no Chromium on this machine: the tests of the explorer in a browser are skipped\n');

/** Types into the field of a selector as a person does. */
function fill(selector: string, text: string): string {
  return `(() => {
    const field = document.querySelector(${JSON.stringify(selector)});
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, ${JSON.stringify(text)});
    field.dispatchEvent(new Event('input', { bubbles: true }));
  })()`;
}

function press(text: string, within = 'document'): string {
  return `[...${within}.querySelectorAll('button')].find((one) => one.textContent === ${JSON.stringify(text)}).click()`;
}

/** Makes blocks until the node refuses to. */
async function mineUntilHalt(daemon: DaemonProcess): Promise<void> {
  for (;;) {
    const refusal = await askNode(daemon, 'evm_mine').then(
      () => '',
      (error: unknown) => String(error),
    );
    if (refusal.includes('halted')) return;
    expect(refusal).toBe('');
  }
}

const vault = JSON.parse(readFileSync(new URL('../contracts/layout/vault.json', import.meta.url), 'utf8')) as {
  readonly abi: Abi;
  readonly bytecode: string;
};

describe.skipIf(BROWSER === undefined)('the explorer in a browser (skipped without Chromium)', () => {
  /** A node for the tests that need only its transactions. */
  let daemon: DaemonProcess;
  let chain: MixedChain;
  beforeAll(async () => {
    daemon = await startDaemonProcess();
    chain = await fillChain(daemon);
  });

  it('shows every view wide and narrow, light and dark, without a finding or a foreign request', async () => {
    const root = daemon.endpoints.eth_http ?? '';
    const page = await openPage(root);
    const paths = [
      '/',
      '/blocks',
      '/block/1',
      '/block/0',
      '/txs',
      `/tx/${chain.transfer}`,
      `/tx/${chain.reverted}`,
      `/tx/${chain.send}`,
      `/address/${DEV1}`,
      `/address/${BECH32}/history`,
      `/address/${chain.token}/contract`,
      `/address/${chain.token}/events`,
      `/address/${chain.token}/storage`,
      '/denom/achr',
      '/validators',
      `/validator/${chain.operator}`,
      '/proposals',
      '/upgrades',
      '/api/eth_getBalance',
      '/health',
      '/log',
      '/inside',
      '/changes/1/5',
      '/search/nothing%20of%20that%20name',
      '/tx/0x12',
      '/?at=3',
    ];
    const looks = [
      [1360, 'light'],
      [390, 'dark'],
    ] as const;
    await page.until(`document.querySelector('#chain')?.textContent.startsWith('chronicle_') === true`);
    for (const [index, path] of paths.entries()) {
      await openView(page, path);
      // a view shows what the node refuses: here a hash that is too short, and a transaction that failed
      const refusals = await page.evaluate(
        `[...document.querySelectorAll('main .callout.bad')].map((one) => one.textContent)`,
      );
      const isRefused = path === '/tx/0x12' || path === `/tx/${chain.reverted}`;
      expect([path, refusals]).toEqual([path, isRefused ? [expect.any(String)] : []]);
      for (const [turn, [width, scheme]] of looks.entries()) {
        await page.resize(width);
        await page.scheme(scheme);
        // the views share all colours and most parts, so each view gets the full check in one of its two looks
        const found = turn === index % looks.length ? await findings(page) : await page.evaluate(WIDE);
        expect([width, scheme, path, found]).toEqual([width, scheme, path, []]);
      }
    }
    expect(page.problems).toEqual([]);
    expect(page.requests.length).toBeGreaterThan(paths.length);
    expect(page.requests.filter((url) => !url.startsWith(`${root}/`) && !url.startsWith('data:'))).toEqual([]);
  });

  it('shows what Ethereum and Cosmos transactions changed, and reads and writes a contract by its ABI', async () => {
    const page = await openPage(daemon.endpoints.eth_http ?? '');
    const text = (selector: string): Promise<unknown> =>
      page.evaluate(`document.querySelector(${JSON.stringify(selector)}).textContent`);
    const search = async (what: string, path: string): Promise<void> => {
      await page.until(`document.querySelector('#search') !== null && document.querySelector('#faucet, h1') !== null`);
      await page.evaluate(`${fill('#search', what)}; document.querySelector('#search').form.requestSubmit()`);
      await page.until(`location.pathname === ${JSON.stringify(path)} && ${SHOWN}`);
    };
    const { blockNumber } = await askNode<{ readonly blockNumber: string }>(
      daemon,
      'eth_getTransactionReceipt',
      chain.reverted,
    );
    await search(chain.reverted, `/tx/${chain.reverted}`);
    expect(await text('main')).toContain('an error that no known ABI names');
    // only the balance of the sender changed
    expect(await text('[aria-label="Changed state"]')).toMatch(
      /dev2.*10,0009,999\.9{4}\d{8,14}-0\.0000\d{8,14}dev2nonce01\+1/,
    );
    expect(await page.evaluate(`document.querySelectorAll('[aria-label="Changed state"] tbody tr').length`)).toBe(2);
    await search(BECH32, `/address/${DEV1}`);
    await page.until(`document.querySelector('main').textContent.includes('GLD')`);
    // the history names the transaction that changed the balance
    await openView(page, `/address/${DEV1}/history`);
    const received = `[...document.querySelectorAll('[aria-label="History"] tr')].find((one) => one.textContent.includes('transfer'))`;
    await page.until(`${received}?.lastElementChild.textContent === '+1 CHR'`);
    await page.evaluate(`${received}.querySelector('a').click()`);
    await page.until(`location.pathname.startsWith('/tx/') && ${SHOWN}`);
    await openView(page, `/tx/${chain.reverted}?at=1`);
    await page.until(`document.querySelector('.callout.warn')?.textContent.includes('it came after block 1') === true`);
    await openView(page, `/address/${DEV1}`);
    await search(`${BigInt(blockNumber)}`, `/block/${BigInt(blockNumber)}`);
    // a search leaves no entry in the history of the browser
    await page.evaluate('history.back()');
    await page.until(`location.pathname === '/address/${DEV1}'`);
    await search(chain.send.toLowerCase(), `/tx/0x${chain.send.toLowerCase()}`);
    expect(await text('main')).toMatch(/MsgSend.*rent of May/s);
    // the sender paid a fee, too
    expect(await text('[aria-label="Changes of auth"]')).toMatch(/dev0.*sequence/);
    const received5 = `[...document.querySelectorAll('[aria-label="Changes of bank"] tbody tr')].some((row) => row.textContent.includes('dev1') && row.cells[4].textContent === '+5')`;
    expect(await page.evaluate(received5)).toBe(true);

    // the ABI gives the error its name, and the forms their fields
    await page.go(`${daemon.endpoints.eth_http}/address/${chain.token}/contract`);
    await page.until(`document.querySelector('#abi-text') !== null`);
    await page.evaluate(`${fill('#abi-text', '{"abi":5}')}; ${press('Use it')}`);
    await page.until(`document.querySelector('#abi').textContent.includes('this JSON has no list "abi"')`);
    await page.evaluate(`${fill('#abi-text', JSON.stringify(Token.abi))}; ${press('Use it')}`);
    await page.until(`document.querySelector('#read') !== null`);
    // the node keeps the ABI from now on
    const other = (): Promise<{ readonly origin: string; readonly match: null } | null> =>
      askNode(daemon, 'chronicle_contract', chain.token);
    while ((await other())?.origin !== 'supplied');
    const { blockNumber: moved } = await askNode<{ readonly blockNumber: string }>(
      daemon,
      'eth_getTransactionReceipt',
      chain.transfer,
    );
    const [before, after] = [Number(moved) - 1, Number(moved)];
    expect(JSON.stringify(await askNode(daemon, 'chronicle_stateDiff', before, after))).toContain(
      'evm: storage Contract@0x',
    );
    const form = (name: string): string =>
      `[...document.querySelectorAll('#read details, #write details')].find((one) => one.textContent.startsWith('${name}('))`;
    await page.evaluate(`${form('balanceOf')}.open = true;
      ${form('balanceOf')}.querySelector('input').value = '${DEV1}';
      ${press('Read', form('balanceOf'))}`);
    await page.until(`${form('balanceOf')}.querySelector('.result').textContent === '10000000000000000000'`);
    await page.evaluate(`${form('transfer')}.open = true;
      [...${form('transfer')}.querySelectorAll('input')].slice(0, 2).forEach((one, at) => { one.value = ['${DEV1}', '7'][at]; });
      ${press('Send', form('transfer'))}`);
    await page.until(`${form('transfer')}.querySelector('.result').textContent.startsWith('Sent: 0x')`);
    await page.evaluate(press('Read', form('balanceOf')));
    await page.until(`${form('balanceOf')}.querySelector('.result').textContent === '10000000000000000007'`);
    await page.go(`${daemon.endpoints.eth_http}/tx/${chain.reverted}`);
    await page.until(`document.querySelector('.callout.bad')?.textContent.includes('InsufficientBalance(') === true`);
    expect(page.problems).toEqual([]);
  });

  it('names and decodes contracts by the artifacts in the folder of --abi, without an upload', async () => {
    const folder = temporaryFolder();
    const daemon = await startDaemonProcess({ args: ['--abi', folder] });
    const { token, transfer, reverted } = await fillChain(daemon);
    const page = await openPage(`${daemon.endpoints.eth_http}/address/${token}/contract`);
    await page.until(`document.querySelector('#abi-text') !== null`);
    const deployedBytecode = await askNode(daemon, 'eth_getCode', token, 'latest');
    const artifact = { contractName: 'Token', sourceName: 'src/Token.sol', abi: Token.abi, deployedBytecode };
    writeFileSync(join(folder, 'Token.json'), JSON.stringify(artifact));
    const created = await askNode<string>(daemon, 'eth_sendTransaction', {
      from: DEV1,
      gas: '0x4c4b40',
      data: `${vault.bytecode}${DEV1.slice(2).padStart(64, '0')}`,
    });
    writeFileSync(join(folder, 'Vault.json'), JSON.stringify(vault));
    // the page and chronicle_contract find the new file
    await page.until(
      `document.querySelector('h1').textContent === 'Token' && document.querySelector('#read') !== null`,
    );
    expect(await page.evaluate(`document.querySelector('main').textContent`)).toContain('compiled beside this node');
    const known = await askNode(daemon, 'chronicle_contract', token);
    expect(known).toMatchObject({ name: 'Token', origin: 'artifacts', match: 'exact_match', sources: {} });
    expect(JSON.stringify(known)).not.toContain('src/');
    expect(JSON.stringify(known)).not.toContain(folder);
    await page.go(`${daemon.endpoints.eth_http}/tx/${reverted}`);
    await page.until(`document.querySelector('.callout.bad')?.textContent.includes('InsufficientBalance(') === true`);
    await page.go(`${daemon.endpoints.eth_http}/tx/${transfer}`);
    await page.until(`[...document.querySelectorAll('main a')].some((one) => one.textContent === 'Token')`);

    // variables by the storage layout of the artifact: now, at a past block, and in the changes of a transaction
    const { contractAddress: at, blockNumber } = await askNode<{
      readonly contractAddress: string;
      readonly blockNumber: string;
    }>(daemon, 'eth_getTransactionReceipt', created);
    const data = encodeFunctionData({ abi: vault.abi, functionName: 'pay', args: [DEV1, 7n] });
    const paid = await askNode<string>(daemon, 'eth_sendTransaction', { from: DEV1, to: at, data });
    const rows = (names: readonly string[]): string =>
      `[...document.querySelectorAll('#variables tbody tr')].map((row) => [...row.cells].slice(0, 3).map((cell) => cell.textContent)).filter(([name]) => ${JSON.stringify(names)}.includes(name)).join('; ')`;
    await page.go(`${daemon.endpoints.eth_http}/address/${at}/storage`);
    await page.until(`document.querySelector('#variables td') !== null`);
    expect(await page.evaluate(rows(['isOpen', 'tick', 'total', 'title', 'steps[4]']))).toBe(
      'isOpen,bool,false; tick,int24,-5; total,uint256,999993; title,string,"short"; steps[4],uint64,44',
    );
    const form = (label: string): string => `[aria-label="${label}"]`;
    const read = (label: string): string => `document.querySelector('${form(label)}').closest('form').requestSubmit()`;
    await page.evaluate(`${fill(form('address of balanceOf'), 'dev1')}; ${read('address of balanceOf')}`);
    await page.until(`${rows(['balanceOf[dev1]'])} === 'balanceOf[dev1],uint256,50'`);
    await page.evaluate(read('index of history'));
    await page.until(
      `${rows(['history[0]', 'history[2]', 'history[3]'])} === 'history[0],uint256,100; history[2],uint256,7'`,
    );
    expect(await findings(page)).toEqual([]);
    await page.evaluate(
      `history.pushState(null, '', '?at=${BigInt(blockNumber)}'); dispatchEvent(new Event('popstate'))`,
    );
    await page.until(`${rows(['balanceOf[dev1]', 'total'])} === 'total,uint256,1000000; balanceOf[dev1],uint256,42'`);
    await page.go(`${daemon.endpoints.eth_http}/tx/${paid}`);
    const changed = `[...document.querySelectorAll('main td')].map((cell) => cell.textContent)`;
    await page.until(`${changed}.some((text) => text.startsWith('balanceOf[dev1] '))`);
    expect(await page.evaluate(changed)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^history\[2\] /), '+8']),
    );
    const { blockNumber: then } = await askNode<{ readonly blockNumber: string }>(
      daemon,
      'eth_getTransactionReceipt',
      paid,
    );
    await page.go(`${daemon.endpoints.eth_http}/changes/${BigInt(then) - 1n}/${BigInt(then)}`);
    await page.until(`${changed}.includes('balanceOf[dev1]')`);

    // the history of an account has its token transfers; lists name contracts whose pages were not opened before
    await page.go(`${daemon.endpoints.eth_http}/address/${DEV1}/history`);
    const transfers = `[...document.querySelectorAll('#transfers tbody tr')].map((row) => [...row.cells].slice(2).map((cell) => cell.innerText.trim()).join(' '))`;
    await page.until(`${transfers}.join() === 'Token dev0 +10 GLD'`);
    await page.go(`${daemon.endpoints.eth_http}/txs`);
    await page.until(
      `document.querySelectorAll('#list a').length > 5 && [...document.querySelectorAll('#list a')].some((one) => one.textContent === 'Vault')`,
    );
    await page.until(`[...document.querySelectorAll('#list code')].some((one) => one.textContent === 'pay()')`);
    expect(page.problems).toEqual([]);
  });

  it('tests an event query against blocks, and stalls and resumes the deliveries of a subscription', async () => {
    const daemon = await startDaemonProcess({ args: ['--mining', 'manual'] });
    const page = await openPage(`${daemon.endpoints.eth_http}/inside`);
    await page.until(`document.querySelector('#tester input') !== null && ${SHOWN}`);
    await askNode(daemon, 'evm_mine', { blocks: 3 });
    await page.evaluate(`${fill('#tester input', "tm.event='NewBlock'")}; ${press('Match')}`);
    await page.until(`document.querySelectorAll('#tester tbody tr').length >= 3`);
    await page.evaluate(`window.heads = 0; new Promise((done) => {
      const socket = new WebSocket(location.origin.replace('http', 'ws'));
      socket.onopen = () => socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}');
      socket.onmessage = ({ data }) => (JSON.parse(data).id === 1 ? done() : (window.heads += 1));
    })`);
    const state = `document.querySelector('#subscriptions [data-name=State]')?.textContent`;
    await page.until(`${state} === 'live'`);
    await page.evaluate(press('Stall'));
    await page.until(`${state} === 'stalled'`);
    await askNode(daemon, 'evm_mine', { blocks: 2 });
    await page.until(`document.querySelector('#subscriptions [data-name=Lag]').textContent === '2' && heads === 0`);
    await page.evaluate(press('Go on'));
    await page.until(`${state} === 'live' && heads === 2`);
    expect(page.problems).toEqual([]);
  });

  it('shows an exported log of another chain, and refuses a damaged file and one of another format', async () => {
    const other = await startDaemonProcess();
    await fillChain(other, HOSTILE);
    const exported = await chronicledHere(['log', 'export', '--home', other.home]);
    const lines = exported.stdout.trimEnd().split('\n');
    const daemon = await startDaemonProcess();
    const page = await openPage(`${daemon.endpoints.eth_http}/log`);
    const give = async (text: string): Promise<void> => {
      await page.until(`document.querySelector('#log-file') !== null`);
      await page.evaluate(`(() => {
        const data = new DataTransfer();
        data.items.add(new File([${JSON.stringify(text)}], 'other.ndjson'));
        const field = document.querySelector('#log-file');
        field.files = data.files;
        field.dispatchEvent(new Event('change', { bubbles: true }));
      })()`);
    };
    await give('{"not":"ours"}');
    await page.until(
      `document.querySelector('main').textContent.includes('this is no file of log export: line 1: not a record line')`,
    );
    await give([...lines.slice(0, 5), lines[7]].join('\n'));
    await page.until(`document.querySelector('.callout.bad')?.textContent.includes('line 6: position') === true`);
    await page.evaluate(press('Close the file'));
    await give(lines.join('\n'));
    await page.until(
      `document.querySelector('h1').textContent === 'Log of a file' && document.querySelectorAll('.log li').length > 20`,
    );
    for (const width of [1360, 390]) {
      await page.resize(width);
      await page.evaluate(
        `[...document.querySelectorAll('.log li')].find((one) => one.textContent.includes('admitted')).querySelector('button').click()`,
      );
      await page.until(`document.querySelector('.whole-event')?.textContent.includes('ethereum') === true && ${SHOWN}`);
      expect([width, await findings(page)]).toEqual([width, []]);
      await page.evaluate(`document.querySelector('.log [aria-expanded=true]')?.click()`);
    }
    const shown = `[...document.querySelectorAll('.log li')].map((one) => one.querySelector('.badge').textContent)`;
    await page.until(`document.querySelector('.query').textContent.includes('TxAdmitted')`);
    await page.evaluate(`(() => {
      const field = document.querySelectorAll('.query select')[1];
      field.value = 'ChainStarted';
      field.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await page.until(`${shown}.join() === 'ChainStarted'`);
    // its entries do not link into the chain of the node, and its texts do not become markup
    expect(await page.evaluate(`[document.querySelectorAll('.log a').length, typeof window.hacked]`)).toEqual([
      0,
      'undefined',
    ]);
    expect(page.problems).toEqual([]);
  });

  it('shows the state at a past height, and keeps focus and selection while new blocks arrive', async () => {
    const daemon = await startDaemonProcess({ args: ['--mining', 'manual'] });
    const give = async (value: string): Promise<void> => {
      await askNode(daemon, 'anvil_setBalance', DEV1, value);
    };
    await give('0xde0b6b3a7640000');
    const then = Number(await askNode<string>(daemon, 'eth_blockNumber'));
    await give('0x1bc16d674ec80000');
    const page = await openPage(`${daemon.endpoints.eth_http}/address/${BECH32}?at=${then}`);
    const balance = `[...document.querySelectorAll('.pairs div')].find((one) => one.textContent.startsWith('Balance'))?.textContent`;
    await page.until(`${balance} === 'Balance1 CHR'`);
    expect(
      await page.evaluate(`[document.body.className, document.querySelector('.then').textContent.slice(0, 9)]`),
    ).toEqual(['past', `Block ${then} of`.slice(0, 9)]);
    await page.evaluate(`document.querySelector('#return-to-now').click()`);
    await page.until(`${balance} === 'Balance2 CHR' && location.search === '' && document.body.className === ''`);
    await page.evaluate(`document.querySelector('[aria-label="One block back"]').click()`);
    await page.until(`${balance} === 'Balance1 CHR'`);
    await page.go(`${daemon.endpoints.eth_http}/?at=99999`);
    await page.until(`document.querySelector('.then')?.textContent.includes('does not exist yet') === true`);

    await page.go(daemon.endpoints.eth_http ?? '');
    await page.until(`document.querySelectorAll('#accounts tbody tr').length === 10 && ${SHOWN}`);
    await page.evaluate(`
      window.cell = document.querySelectorAll('#blocks tbody tr')[0].querySelector('code');
      getSelection().selectAllChildren(cell);
      window.link = document.querySelector('#accounts tbody a');
      link.focus({ preventScroll: true });
      window.chosen = String(getSelection());
    `);
    await askNode(daemon, 'evm_mine', { blocks: 3 });
    await page.until(`document.querySelector('#state').textContent === '${then + 4}'`);
    await page.until(`document.querySelector('#blocks tbody tr').textContent.startsWith('${then + 4}')`);
    expect(
      await page.evaluate(
        `[document.activeElement === link, link.isConnected, cell.isConnected, String(getSelection()) === chosen]`,
      ),
    ).toEqual([true, true, true, true]);
    // a hidden page polls seldom, and at once when it becomes visible again
    await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true })`);
    await page.evaluate(`new Promise((next) => setTimeout(next, 1500))`);
    await askNode(daemon, 'evm_mine');
    await page.evaluate(
      `delete document.hidden; document.dispatchEvent(new Event('visibilitychange')); window.seen = Date.now()`,
    );
    await page.until(`document.querySelector('#state').textContent === '${then + 5}'`);
    expect(await page.evaluate('Date.now() - seen')).toBeLessThan(4_000);
    // the keyboard reaches every view: the first Tab goes to the skip link
    await page.go(`${daemon.endpoints.eth_http}/blocks`);
    await page.until(`location.pathname === '/blocks' && ${SHOWN}`);
    await page.press('Tab');
    expect(await page.evaluate(`document.activeElement.className`)).toBe('skip');
    await openView(page, '/block/0');
    expect(await page.evaluate(`[...document.links].map(({ pathname }) => pathname)`)).not.toContain('/block/-1');
    expect(await keyFindings(page)).toEqual([]);
    expect(page.problems).toEqual([]);
  });

  it('says that the state at a height is pruned, and shows no values of it', async () => {
    const pruning = ['--pruning', 'custom', '--pruning-keep-recent', '2', '--pruning-interval', '10'];
    const daemon = await startDaemonProcess({ args: ['--mining', 'manual', ...pruning] });
    await askNode(daemon, 'evm_mine', { blocks: 40 });
    const page = await openPage(`${daemon.endpoints.eth_http}/address/${DEV1}?at=3`);
    await page.until(`document.querySelector('#pruned')?.textContent.includes('its state is pruned') === true`);
    await page.until(`document.querySelectorAll('main .callout.bad').length >= 4 && ${SHOWN}`);
    const text = await page.evaluate(`document.querySelector('main').textContent`);
    // an unknown balance is not shown as zero
    expect(text).not.toMatch(/has no coins|Nothing is delegated|No grants|0 CHR/);
    expect(page.problems).toEqual([]);
  });

  it('says when the node does not answer, when the chain was reverted, and when another chain answers', async () => {
    const [first, other] = await Promise.all([
      startDaemonProcess({ args: ['--mining', 'manual'] }),
      startDaemonProcess({ args: ['--chain-id', 'other_7-1'] }),
    ]);
    // the proxy keeps one address while the test changes the node behind it
    const proxy = await startProxy();
    proxy.target = first.endpoints.eth_http;
    await askNode(first, 'evm_mine');
    const page = await openPage(proxy.url);
    await page.until(`document.querySelectorAll('#accounts tbody tr').length === 10`);
    await page.evaluate(press('Take a snapshot'));
    await page.until(`document.querySelector('.menu [role=status]').textContent.startsWith('Snapshot ')`);
    const notices = `document.querySelector('.notices').textContent`;
    const snapshot = await askNode<string>(first, 'evm_snapshot');
    const height = Number(await askNode<string>(first, 'eth_blockNumber'));
    await askNode(first, 'evm_mine', { blocks: 5 });
    await page.until(`document.querySelector('#state').textContent === '${height + 5}'`);
    await askNode(first, 'evm_revert', snapshot);
    await page.until(`${notices}.includes('The chain went back: its head is block ${height} of a new branch')`);
    await page.until(`document.querySelector('#blocks tbody tr').textContent.startsWith('${height}')`);
    await page.evaluate(press('Understood'));
    await page.until(`${notices} === ''`);

    proxy.target = undefined;
    await page.until(`${notices}.includes('The node does not answer')`);
    await page.evaluate(`history.pushState(null, '', '/block/1'); dispatchEvent(new Event('popstate'))`);
    await page.until(`document.querySelector('main .callout.bad') !== null`);
    proxy.target = first.endpoints.eth_http;
    await page.until(`${notices} === '' && document.querySelector('.dot').className === 'dot connected'`);
    // no block was made meanwhile, and the view still loads the data that it could not read before
    await page.until(
      `document.querySelector('h1').textContent === '1' && document.querySelector('.callout.bad') === null`,
    );
    await openView(page, '/');
    // answers of the other chain are never shown under the name of the first
    const { hash } = await askNode<{ readonly hash: string }>(other, 'eth_getBlockByNumber', '0x1', false);
    await page.evaluate(`window.isMixed = false;
      new MutationObserver(() => {
        if (document.querySelector('#chain').textContent !== 'other_7-1' && document.body.innerHTML.includes('${hash}')) isMixed = true;
      }).observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true })`);
    proxy.target = other.endpoints.eth_http;
    await page.evaluate(`history.pushState(null, '', '/block/1'); dispatchEvent(new Event('popstate'))`);
    await page.until(`document.body.innerHTML.includes('${hash}')`);
    expect(await page.evaluate('isMixed')).toBe(false);
    await openView(page, '/');
    await page.until(`${notices}.includes('Another chain answers at this address now: other_7-1')`);
    await page.until(`document.querySelector('h1')?.textContent === 'other_7-1'`);
    // a snapshot of the first chain is not offered for this one
    const revert = `[...document.querySelectorAll('.menu button')].find((one) => one.textContent.startsWith('Revert'))`;
    expect(await page.evaluate(`[${revert}.textContent, ${revert}.disabled]`)).toEqual(['Revert', true]);
    // every view says that the chain is halted
    const plan = ['upgrade', 'schedule', 'v9', '--height', `${height + 2}`, '--info', 'notes', '-y'];
    expect(await chronicledHere([...plan, '--node', first.endpoints.comet])).toMatchObject({ code: 0 });
    await mineUntilHalt(first);
    proxy.target = first.endpoints.eth_http;
    await page.until(
      `${notices}.includes('The chain is halted: UPGRADE "v9" NEEDED at height: ${height + 2}: notes. Health')`,
    );
    await openView(page, '/upgrades');
    const text = await page.evaluate(`document.querySelector('main').textContent`);
    expect(await findings(page)).toEqual([]);
    expect(text).toContain(`The chain is halted before block ${height + 2} for the upgrade “v9”.`);
    // requests to the unreachable node fail; the page is not to blame
    expect(page.problems.filter((one) => !one.includes('ERR_EMPTY_RESPONSE'))).toEqual([]);
  });
});
