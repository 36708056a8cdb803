/** The pages for browsers at the roots of the faces, in a real browser where the system has one. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeAddress } from '../../src/core/sdk/codec/address.js';
import { BROWSER, openPage } from '../support/browser.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { chronicledHere } from '../support/command-here.js';
import { fillChain } from '../support/mixed-chain.js';
import { temporaryFolder } from '../support/temporary.js';

const HTML = { accept: 'text/html,application/xhtml+xml' };
const DEV1 = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
/** One letter has the wrong case, so the checksum is wrong. */
const MISTYPED = '0x70997970C51812dc3A010C7d01b50e0d17dc79c8';
const FOREIGN = encodeAddress('cosmos', new Uint8Array(20).fill(7));
const LONG = encodeAddress('chron', new Uint8Array(32).fill(7));
const JSON_TYPE = { 'content-type': 'application/json' };
/** Wallets that record their requests. */
const WALLETS = `
  window.asked = [];
  window.ethereum = { request: async (call) => { window.asked.push(call); } };
  window.keplr = { experimentalSuggestChain: async (chain) => { window.asked.push(chain); } };
`;
/** Text that runs a script if it is rendered as markup. */
const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
/** Announcements of wallets (EIP-6963): one has a hostile name and icon, the other is valid. */
const ANNOUNCED = `
  window.asked = [];
  const announce = (name, icon) => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: {
    info: { uuid: name, name, icon, rdns: 'a.b' },
    provider: { request: async () => { window.asked.push({ wallet: name }); } },
  } }));
  addEventListener('eip6963:requestProvider', () => {
    announce(${JSON.stringify(HOSTILE)}, 'https://evil.example/x.png');
    announce('Second', 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E');
  });
`;
/** Words of BIP-39's test vectors. */
const OWN_MNEMONIC = `${'abandon '.repeat(11)}about`;

/** Function of a page that fills a field as typing does. */
const FILL = `((selector, text) => {
  const field = document.querySelector(selector);
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
})`;

/** Presses the button with this text. */
function press(text: string): string {
  return `[...document.querySelectorAll('button')].find((one) => one.textContent === ${JSON.stringify(text)}).click()`;
}

if (BROWSER === undefined)
  process.stdout.write('no Chromium on this machine: the pages are not opened in a browser here\n');

interface Facts {
  readonly accounts: readonly { readonly hex: string; readonly name?: string; readonly private_key?: string }[];
}

function call(daemon: DaemonProcess, method: string, params: readonly unknown[]): Promise<{ readonly result: string }> {
  return fetch(daemon.endpoints.eth_http ?? '', {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }).then((answer) => answer.json() as Promise<{ readonly result: string }>);
}

/** Posts a request to the faucet. Returns status and body. */
async function drip(daemon: DaemonProcess, body: string, headers: Record<string, string> = JSON_TYPE) {
  const answer = await fetch(`${daemon.endpoints.eth_http}/faucet`, { method: 'POST', headers, body });
  const text = await answer.text();
  return { status: answer.status, text };
}

/** A node for tests that read and change at most a balance. */
let shared: DaemonProcess;
beforeAll(async () => {
  shared = await startDaemonProcess();
});

describe('pages over HTTP', () => {
  it('the root of each face answers browsers with a page under a strict CSP, and programs without one', async () => {
    const { endpoints } = shared;
    const { eth_http: ethereum = '', rest = '', metrics } = endpoints;
    const plain = await fetch(ethereum);
    expect([plain.status, await plain.text()]).toEqual([200, '']);
    expect((await fetch(rest)).status).toBe(501);
    const contents = await fetch(metrics);
    expect([contents.status, contents.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await contents.text()).toMatch(/^\/metrics .*\n\/health .*\n$/);
    const unknown = await fetch(`${metrics}/metric`);
    expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining('/metrics')]);
    for (const root of [ethereum, rest, metrics]) {
      const page = await fetch(root, { headers: HTML });
      expect([root, page.status, page.headers.get('content-type')]).toEqual([root, 200, 'text/html; charset=utf-8']);
      const policy = page.headers.get('content-security-policy') ?? '';
      for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"])
        expect(policy).toContain(rule);
      expect(policy).not.toContain('unsafe');
      const html = await page.text();
      // The markup has no inline script, and every file that it names is served.
      expect(html).not.toMatch(/<script(?![^>]* src=)|\son\w+=|javascript:/);
      for (const [, file] of html.matchAll(/(?:src|href)="(\/[^"]*)"/g))
        expect([file, (await fetch(`${root}${file}`)).status]).toEqual([file, 200]);
      expect((await fetch(`${root}/_page/../package.json`)).status).not.toBe(200);
    }
  });

  it('paths of views answer browsers with the explorer, and its origin proxies the other faces', async () => {
    const { endpoints } = shared;
    const root = endpoints.eth_http ?? '';
    const home = await (await fetch(root, { headers: HTML })).text();
    for (const path of ['/tx/0x12', '/block/12?at=3', `/address/${DEV1}/history`, '/validators']) {
      const page = await fetch(root + path, { headers: HTML });
      expect([path, page.status, await page.text()]).toEqual([path, 200, home]);
      // other programs get the same answers as before
      expect([path, (await fetch(root + path)).headers.get('content-type')]).not.toEqual([
        path,
        'text/html; charset=utf-8',
      ]);
    }
    expect((await fetch(`${root}/other/12`, { headers: HTML })).status).toBe(404);
    const through = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(`${root}/_page/${path}`, init);
      return [answer.status, answer.headers.get('x-status'), (await answer.text()).slice(0, 30)];
    };
    expect(await through('comet/health')).toEqual([200, '200', '{"jsonrpc":"2.0","id":-1,"resu']);
    expect(await through('rest/cosmos/gov/v1/proposals/7')).toEqual([200, '404', expect.stringContaining('"code":5')]);
    expect(await through('metrics/health')).toEqual([200, '200', expect.stringContaining('running')]);
    expect(await through('grpc/x')).toEqual([200, '404', expect.stringContaining('this face of')]);
    const posted = { method: 'POST', headers: JSON_TYPE, body: '{"jsonrpc":"2.0","id":1,"method":"health"}' };
    // requests that may change something are not proxied
    expect((await through('comet/', posted))[1]).toBeNull();
    const foreign = { headers: { origin: 'https://evil.example' } };
    expect((await through('comet/health', foreign))[0]).toBe(403);
  });

  it('answers to the explorer name the process, and answers to programs do not', async () => {
    const root = shared.endpoints.eth_http ?? '';
    const ask = { method: 'POST', headers: JSON_TYPE, body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}' };
    const name = async (path: string, init: { readonly method?: string; readonly body?: string } = {}) => {
      const answer = await fetch(root + path, { ...init, headers: { ...JSON_TYPE, 'x-page': '1' } });
      return answer.headers.get('x-node');
    };
    const names = [await name('/', ask), await name('/_page/comet/status'), await name('/_page/node.json')];
    expect([...new Set(names)]).toEqual([expect.stringContaining(`${shared.pid} `)]);
    expect((await fetch(root, ask)).headers.has('x-node')).toBe(false);
  });

  it('the page lists the dev accounts of the command line, and shows no other key', async () => {
    const { endpoints } = await startDaemonProcess({ args: ['--accounts', '11'] });
    const facts = async (address = '') => (await (await fetch(`${address}/_page/node.json`)).json()) as Facts;
    const { accounts } = await facts(endpoints.eth_http);
    expect(accounts.map(({ name }) => name)).toEqual([...Array.from({ length: 10 }, (_, i) => `dev${i}`), undefined]);
    const { stdout } = await chronicledHere(['keys', 'unsafe-export-eth-key', 'dev9']);
    expect(accounts[9]?.private_key).toBe(`0x${stdout.trim().toLowerCase()}`);
    expect(accounts[10]?.private_key).toBeUndefined();

    const own = await startDaemonProcess({ args: ['--mnemonic', OWN_MNEMONIC] });
    for (const key of [`0x${'11'.repeat(32)}`, accounts[1]?.private_key])
      await call(own, 'personal_importRawKey', [key, '']);
    const given = (await facts(own.endpoints.eth_http)).accounts;
    expect(given[0]?.hex).toBe('0x9858EfFD232B4033E47d90003D41EC34EcaEda94');
    expect(given.at(-1)).toEqual(accounts[1]);
    for (const one of given.slice(0, -1)) expect(Object.keys(one)).toEqual(['hex', 'bech32']);
    const gift = JSON.parse((await drip(own, JSON.stringify({ address: DEV1 }))).text);
    expect(gift).toMatchObject({ from: given[9]?.hex.toLowerCase() });
  });

  it('the faucet sends its amount once for each request, and explains a refusal', async () => {
    const daemon = await startDaemonProcess();
    const before = BigInt((await call(daemon, 'eth_getBalance', [DEV1, 'latest'])).result);
    const { status, text } = await drip(daemon, JSON.stringify({ address: DEV1 }));
    const { hash, amount }: { readonly hash: string; readonly amount: string } = JSON.parse(text);
    expect(status).toBe(200);
    for (let receipt: unknown = null; receipt === null;)
      receipt = (await call(daemon, 'eth_getTransactionReceipt', [hash])).result;
    expect(BigInt((await call(daemon, 'eth_getBalance', [DEV1, 'latest'])).result) - before).toBe(BigInt(amount));
    const bech32 = JSON.stringify({ address: 'chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9' });
    expect((await drip(daemon, bech32)).status).toBe(200);
    const form = 'the body must be {"address": "0x..."} or {"address": "<bech32>"}';
    for (const [body, error] of [
      ['{"address":"0x12"}', '"0x12" is not an address: expected 0x and 40 hexadecimal digits, found 2'],
      ['{"address":"me"}', '"me" is not an address: expected 0x and 40 hexadecimal digits, or chron1...'],
      [`{"address":"${MISTYPED}"}`, `"${MISTYPED}" is not an address: its checksum (EIP-55) does not match`],
      [
        `{"address":"${FOREIGN}"}`,
        `"${FOREIGN}" is not an address: it begins with cosmos1, and accounts of this chain with chron1`,
      ],
      // An address that only a Cosmos account has.
      [`{"address":"${LONG}"}`, `"${LONG}" is not an address: expected 20 bytes, found 32`],
      [`{"address":"${DEV1}","amount":"5"}`, `${form}; the faucet does not know the field "amount"`],
      ['{}', `${form}; this one has no address`],
      ['{"address":5}', `${form}; the address must be a string`],
      ['nothing', `${form}; this one is not a JSON object`],
    ] as const) {
      const refused = await drip(daemon, body);
      expect({ body, ...refused, text: JSON.parse(refused.text) }).toEqual({ body, status: 400, text: { error } });
    }
    // A body that would take seconds to parse is not parsed.
    const long = await drip(daemon, `{"address":"${DEV1}","x":[${'{},'.repeat(400)}0]}`);
    expect(long).toMatchObject({ status: 413, text: expect.stringContaining('faucetBodyBytes') });
    expect((await drip(daemon, bech32, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await drip(daemon, bech32, { ...JSON_TYPE, origin: 'https://evil.example' })).status).toBe(403);
    const many = await Promise.all(Array.from({ length: 60 }, () => drip(daemon, '{"address":"0x12"}')));
    expect(many.filter(({ status: code }) => code === 429).length).toBeGreaterThan(20);
    expect(many.find(({ status: code }) => code === 429)?.text).toContain('faucetPerSecond');
  });
});

describe.skipIf(BROWSER === undefined)('in a browser (Chromium of the system)', () => {
  it('home shows chain, accounts and new blocks, adds the chain to wallets, and sends faucet coins', async () => {
    const daemon = await startDaemonProcess();
    const page = await openPage(daemon.endpoints.eth_http ?? '', WALLETS);
    await page.until(`document.querySelectorAll('#blocks tbody tr').length > 0`);
    expect(await page.evaluate(`document.querySelector('#chain').textContent`)).toBe('chronicle_271828-1');
    await page.until(`document.querySelectorAll('#accounts tbody tr').length === 10`);
    await page.until(`document.querySelector('#accounts').textContent.includes('10,000 CHR')`);

    await page.evaluate(press('Add to MetaMask'));
    await page.until(`window.asked.length === 1`);
    await page.evaluate(press('Add to Keplr'));
    await page.until(`window.asked.length === 2`);
    expect(await page.evaluate(`window.asked`)).toMatchObject([
      {
        method: 'wallet_addEthereumChain',
        params: [
          {
            chainId: '0x425d4',
            rpcUrls: [daemon.endpoints.eth_http],
            blockExplorerUrls: [daemon.endpoints.eth_http],
          },
        ],
      },
      {
        chainId: 'chronicle_271828-1',
        rpc: daemon.endpoints.comet,
        rest: daemon.endpoints.rest,
        bip44: { coinType: 60 },
        bech32Config: { bech32PrefixAccAddr: 'chron' },
        currencies: [{ coinDenom: 'CHR', coinMinimalDenom: 'achr', coinDecimals: 18 }],
        feeCurrencies: [{ gasPriceStep: { low: 2e9, average: 4e9, high: 8e9 } }],
      },
    ]);

    await page.evaluate(`${FILL}('#faucet-address', '${DEV1}'); ${press('Send')}`);
    await page.until(`document.querySelector('#faucet-notice').textContent.startsWith('Sent: 0x')`);
    await page.until(`document.querySelector('#accounts').textContent.includes('10,100 CHR')`);
    expect(page.problems).toEqual([]);
  });

  it('announced wallets are listed; a hostile name is shown as text, and a foreign icon is not loaded', async () => {
    const page = await openPage(shared.endpoints.eth_http ?? '', ANNOUNCED);
    await page.until(`document.querySelectorAll('#wallets button').length === 3`);
    expect(
      await page.evaluate(`[...document.querySelectorAll('#wallets button')].map((one) => one.textContent)`),
    ).toEqual([`Add to ${HOSTILE.slice(0, 40)}`, 'Add to Second', 'Add to Keplr']);
    await page.evaluate(press('Add to Second'));
    await page.until(`window.asked.length === 1`);
    await page.until(`document.querySelector('#wallets').textContent.includes('Second knows the chain.')`);
    expect(await page.evaluate(`[window.asked[0].wallet, typeof window.hacked]`)).toEqual(['Second', 'undefined']);
    // an icon of another origin is not requested
    expect(await page.evaluate(`[...document.images].map(({ src }) => src.slice(0, 11))`)).toEqual(['data:image/']);
    expect(page.problems).toEqual([]);
  });

  it('home says that a browser has no wallet, and works by keyboard', async () => {
    const page = await openPage(shared.endpoints.eth_http ?? '');
    await page.until(`document.querySelector('#wallets')?.textContent.includes('no Ethereum wallet') === true`);
    await page.evaluate(press('Add to Keplr'));
    await page.until(`document.querySelector('#wallets').textContent.includes('no Keplr')`);
    await page.evaluate(`document.querySelector('#faucet-address').focus(); ${FILL}('#faucet-address', '${DEV1}')`);
    await page.press('Enter');
    await page.until(`document.querySelector('#faucet-notice').textContent.startsWith('Sent: 0x')`);
    expect(page.problems).toEqual([]);
  });

  it('names with markup and scripts are shown as text', async () => {
    const folder = temporaryFolder();
    const first = await startDaemonProcess({ home: folder });
    const answer = await fetch(`${first.endpoints.comet}/genesis`);
    const { result }: { readonly result: { readonly genesis: HostileGenesis } } = (await answer.json()) as never;
    await first.kill('SIGTERM');
    const { genesis } = result;
    const [metadata] = genesis.app_state.bank.denom_metadata;
    if (metadata === undefined) throw new Error('the dev genesis has metadata of its coin');
    metadata.symbol = HOSTILE;
    metadata.name = HOSTILE;
    const file = join(folder, 'hostile.json');
    writeFileSync(file, JSON.stringify(genesis));
    expect(readFileSync(file, 'utf8')).toContain('onerror');
    // the same validator makes the blocks of the other chain
    const home = temporaryFolder();
    cpSync(join(folder, 'config'), join(home, 'config'), { recursive: true });
    const daemon = await startDaemonProcess({ home, args: ['--genesis', file, '--moniker', HOSTILE] });
    const page = await openPage(daemon.endpoints.eth_http ?? '');
    await page.until(`document.querySelector('#accounts')?.textContent.includes('<img') === true`);
    const { token, send, operator } = await fillChain(daemon, HOSTILE, HOSTILE);
    for (const path of [
      '/validators',
      `/validator/${operator}`,
      `/tx/${send}`,
      '/denom/achr',
      `/address/${token}/contract`,
      `/address/${DEV1}`,
      `/search/${encodeURIComponent(HOSTILE)}`,
      '/health',
      '/log',
      '/inside',
      '/txs',
      '/changes/1/9',
    ]) {
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new Event('popstate'))`);
      await page.until(`document.querySelector('h1') !== null && document.querySelector('.skeleton') === null`);
      if (!/token|contract|health|log|inside|txs|changes/.test(path))
        await page.until(`document.querySelector('main').textContent.includes('<img')`);
      expect([path, await page.evaluate(`[typeof window.hacked, document.images.length]`)]).toEqual([
        path,
        ['undefined', 0],
      ]);
    }
    // an interface of an unknown contract, too
    await page.go(`${daemon.endpoints.eth_http}/address/${token}/contract`);
    await page.until(`document.querySelector('#abi-text') !== null`);
    const abi = [
      { type: 'function', name: HOSTILE, inputs: [] },
      { type: 'function', name: 'f', inputs: [{ name: HOSTILE, type: 'uint256' }], stateMutability: 'view' },
    ];
    await page.evaluate(
      `${FILL}('#abi-text', ${JSON.stringify(JSON.stringify({ contractName: HOSTILE, abi }))}); ${press('Use it')}`,
    );
    await page.until(`document.querySelector('#read')?.textContent.includes('f(uint256)') === true`);
    expect(await page.evaluate(`[typeof window.hacked, document.images.length]`)).toEqual(['undefined', 0]);
    expect(page.problems).toEqual([]);
  });

  it('the viewer of the REST API lists its operations and runs one', async () => {
    const page = await openPage(shared.endpoints.rest ?? '');
    await page.until(`document.querySelectorAll('details').length > 50`);
    await page.evaluate(`
      const search = document.querySelector('#search');
      search.value = '/cosmos/bank/v1beta1/spendable_balances/{address}';
      search.dispatchEvent(new Event('input'));
      const part = document.querySelector('details');
      part.open = true;
    `);
    await page.until(`document.querySelector('details button') !== null`);
    // fields of nested messages in the answer, also of one that may be null
    const fields = `JSON.parse(document.querySelector('details > div').lastElementChild.textContent)`;
    expect(await page.evaluate(fields)).toMatchObject({
      balances: [{ denom: 'string', amount: 'string integer' }],
      pagination: { next_key: 'string byte', total: 'string uint64' },
    });
    // nothing is requested without the parameters of the path
    await page.evaluate(`document.querySelector('details button').click()`);
    expect(await page.evaluate(`document.querySelector('details pre').textContent`)).toBe('');
    expect(await page.evaluate(`document.activeElement.name`)).toBe('address');
    await page.evaluate(`
      document.querySelector('details input').value = 'chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9';
      document.querySelector('details button').click();
    `);
    await page.until(`document.querySelector('details pre').textContent.includes('"denom": "achr"')`);
    await page.resize(390);
    await page.until(`innerWidth === 390`);
    expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBe(
      await page.evaluate(`document.documentElement.clientWidth`),
    );
    expect(page.problems).toEqual([]);
  });
});

describe.skipIf(BROWSER === undefined)('the page of metrics and health in a browser', () => {
  it('lists its paths, and its links open them', async () => {
    const root = shared.endpoints.metrics;
    const page = await openPage(`${root}/`);
    await page.until(`document.links.length >= 3`);
    const links = await page.evaluate(`[...document.links].map(({ href }) => href)`);
    expect(links).toEqual([`${root}/metrics`, `${root}/health`, `${shared.endpoints.eth_http}/`]);
    expect(page.problems).toEqual([]);
    await page.evaluate(`document.links[1].click()`);
    await page.until(`document.body.textContent.includes('"status":"running"')`);
    // a browser requests the icon of a document that is not a page, and may get its 404 at any time
    expect(page.problems.filter((problem) => !problem.includes('/favicon.ico'))).toEqual([]);
  });
});

interface HostileGenesis {
  readonly app_state: { readonly bank: { readonly denom_metadata: { symbol: string; name: string }[] } };
}
