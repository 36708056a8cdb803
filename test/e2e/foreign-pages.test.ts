/** Requests of web pages to a dev node, which holds keys, over every face that a page can reach. */
import { get } from 'node:http';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startDaemonProcess, type DaemonProcess } from '../support/daemon.js';

const FOREIGN = 'https://evil.example';
const SEND = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'eth_sendTransaction',
  params: [
    {
      from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      value: '0x1',
    },
  ],
});

/** HTTP addresses of every face, with the request that a page would send. */
function requests({ endpoints }: DaemonProcess): readonly (readonly [url: string, init: RequestInit])[] {
  return [
    [endpoints.eth_http ?? '', { method: 'POST', body: SEND }],
    [endpoints.comet, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"status"}' }],
    [`${endpoints.comet}/broadcast_tx_sync?tx=0x00`, {}],
    [`${endpoints.rest ?? ''}/cosmos/tx/v1beta1/txs`, { method: 'POST', body: '{}' }],
    [`${endpoints.metrics}/metrics`, {}],
  ];
}

/** Status of a GET with headers that `fetch` forbids. */
function statusOf(url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
  });
}

/** Status of a WebSocket upgrade for a page of `origin`; 101 if it was accepted. */
function upgrade(url: string, origin: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { origin });
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.on('unexpected-response', (_, response) => {
      socket.terminate();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', reject);
  });
}

describe('a dev node', () => {
  it('refuses a foreign web page on every face, names the option, and logs it once', async () => {
    const daemon = await startDaemonProcess();
    for (const [url, init] of requests(daemon)) {
      const answer = await fetch(url, { ...init, headers: { origin: FOREIGN, 'content-type': 'text/plain' } });
      expect([url, answer.status]).toEqual([url, 403]);
      expect(await answer.text()).toContain(`--cors-allowed-origins ${FOREIGN}`);
    }
    // For a link, an image or a form, a browser sends no Origin, but marks the request as cross-site.
    const linked = await fetch(`${daemon.endpoints.comet}/broadcast_tx_sync?tx=0x00`, {
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(linked.status).toBe(403);
    // a link opens a page of the application and executes nothing
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const statuses = [
      ...['/', '/tx/0x00', '/block/1?at=1'].map((path) => [`${daemon.endpoints.eth_http}${path}`, link, 200] as const),
      [`${daemon.endpoints.eth_http}/tx/0x00`, { ...link, 'sec-fetch-dest': 'iframe' }, 403],
      [`${daemon.endpoints.eth_http}/tx/0x00`, { ...link, 'sec-fetch-mode': 'no-cors' }, 403],
      [`${daemon.endpoints.eth_http}/_page/comet/broadcast_tx_sync?tx=0x00`, link, 403],
      [`${daemon.endpoints.comet}/broadcast_tx_sync?tx=0x00`, link, 403],
    ] as const;
    for (const [url, headers, status] of statuses)
      expect([url, await statusOf(url, { accept: 'text/html', ...headers })]).toEqual([url, status]);
    for (const origin of [FOREIGN, 'null'])
      for (const url of webSockets(daemon)) expect([url, await upgrade(url, origin)]).toEqual([url, 403]);
    const nonce = async (): Promise<unknown> =>
      (
        (await (
          await fetch(daemon.endpoints.eth_http ?? '', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{"jsonrpc":"2.0","id":1,"method":"eth_getTransactionCount","params":["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","pending"]}',
          })
        ).json()) as { readonly result: unknown }
      ).result;
    expect(await nonce()).toBe('0x0');
    await daemon.kill('SIGTERM');
    expect(daemon.stderr().split(`--cors-allowed-origins ${FOREIGN}`)).toHaveLength(2);
  });

  it('admits local pages, wallets, Remix and listed origins, and refuses origins that look alike', async () => {
    const daemon = await startDaemonProcess({ args: ['--cors-allowed-origins', 'https://listed.example'] });
    for (const origin of [
      'http://localhost:3000',
      'http://app.localhost:5173',
      'https://a.b.localhost',
      'http://127.0.0.1',
      'https://[::1]:8443',
      'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn',
      'moz-extension://a-b',
      'https://remix.ethereum.org',
      'https://listed.example',
    ]) {
      for (const [url, init] of requests(daemon)) {
        const answer = await fetch(url, { ...init, headers: { origin, 'content-type': 'application/json' } });
        expect([url, answer.status]).not.toEqual([url, 403]);
        expect([url, answer.headers.get('access-control-allow-origin')]).toEqual([url, origin]);
      }
      for (const url of webSockets(daemon)) expect([url, await upgrade(url, origin)]).toEqual([url, 101]);
    }
    for (const origin of [
      'http://localhost.evil.example',
      'http://evillocalhost',
      'http://app.localhost.evil.example:80',
      'https://remix.ethereum.org.evil.example',
      'http://127.0.0.1.evil.example:80',
    ])
      for (const [url, init] of requests(daemon))
        expect([url, (await fetch(url, { ...init, headers: { origin } })).status]).toEqual([url, 403]);
  });
});

function webSockets({ endpoints }: DaemonProcess): readonly string[] {
  return [endpoints.eth_ws ?? '', `${endpoints.comet.replace('http', 'ws')}/websocket`];
}
