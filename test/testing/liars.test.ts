/** The model run against servers that lie: each search ends with a clear failure within its time limit. */
import { createServer, type Server } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startNode, type ChronicleNode } from '../../src/index.js';
import {
  BrokenPromise,
  checkPromises,
  PromisesBroken,
  webSocketTarget,
  type PromiseName,
} from '../../src/testing/index.js';
import { afterwards } from '../support/temporary.js';

let node: ChronicleNode;
beforeAll(async () => {
  node = await startNode();
  return () => node.stop();
});

/** Texts that the client gets instead of a text of the node; undefined closes the connection. */
type Lie = (text: string) => readonly string[] | undefined;

/** Address of a proxy of the node that changes the texts of the node by `lie`. */
async function liar(lie: Lie): Promise<string> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (client) => {
    const upstream = new WebSocket(node.endpoints.ethWs);
    const early: string[] = [];
    client.on('message', (data: Buffer) => {
      const text = data.toString('utf8');
      if (upstream.readyState === WebSocket.OPEN) upstream.send(text);
      else early.push(text);
    });
    upstream.on('open', () => early.forEach((text) => upstream.send(text)));
    upstream.on('message', (data: Buffer) => {
      const texts = lie(data.toString('utf8'));
      if (texts === undefined) client.terminate();
      else texts.forEach((text) => client.send(text));
    });
    client.on('close', () => upstream.terminate());
    upstream.on('error', () => client.terminate());
  });
  await new Promise((resolve) => server.once('listening', resolve));
  afterwards(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  const address = server.address();
  if (typeof address === 'string' || address === null) throw new Error('no port');
  return `ws://127.0.0.1:${address.port}`;
}

/**
 * The broken promise, or another result, of a search against an address. `patienceMs`: time after which an answer or a
 * notification counts as missing.
 */
async function verdict(url: string, patienceMs: number): Promise<unknown> {
  const options = { url, face: 'ethereum', patienceMs } as const;
  try {
    const target = await webSocketTarget(options);
    afterwards(async () => target.stop?.());
    return await checkPromises(target, { runs: 20, commands: 30, timeLimitMs: 20_000, shrink: false });
  } catch (error) {
    return error instanceof PromisesBroken ? error.counterexample.error : error;
  }
}

/** Enough for a search that ends because an answer is missing. */
const SHORT_MS = 400;
/** A busy machine answers later than the short time; a search for another promise must not end by that. */
const LONG_MS = 4_000;

const isNotification = (text: string): boolean => text.includes('eth_subscription');
const isSubscribed = (text: string): boolean => /"result":"0x[0-9a-f]{20,32}"/u.test(text);
const wrongShape = (text: string): string => text.replace(/"result":(\{.*\}|"0x[0-9a-f]*")/u, '"result":[]');

describe('the model reports a server that', () => {
  test.each<readonly [string, Lie, PromiseName | undefined]>([
    ['answers nothing', () => [], 'answered'],
    ['closes at the first answer', () => undefined, 'answered'],
    ['sends broken JSON', (text) => [text.slice(1)], 'answered'],
    ['answers with lists', () => ['[]'], 'answered'],
    ['answers no subscribe request', (text) => (isSubscribed(text) ? [] : [text]), 'answered'],
    ['closes when a client subscribes', (text) => (isSubscribed(text) ? undefined : [text]), 'readers stay'],
    ['doubles notifications', (text) => (isNotification(text) ? [text, text] : [text]), 'no duplicate'],
    ['sends no notifications', (text) => (isNotification(text) ? [] : [text]), 'complete'],
    ['sends half a notification', (text) => (isNotification(text) ? [text.slice(0, 60)] : [text]), 'readable'],
    ['sends another shape', (text) => (isNotification(text) ? [wrongShape(text)] : [text]), 'readable'],
    ['sends a very long text', (text) => (isNotification(text) ? ['['.repeat(100_000)] : [text]), 'readable'],
    [
      'reports a head above all blocks',
      (text) => [text.replace(/"result":"0x[0-9a-f]{1,4}"/u, '"result":"0xffffffffff"')],
      'matching only',
    ],
  ])('%s', async (_, lie, promise) => {
    const found = await verdict(await liar(lie), promise === 'answered' ? SHORT_MS : LONG_MS);
    expect(found).toBeInstanceOf(BrokenPromise);
    expect(found).toMatchObject({ promise });
  });

  test('never answers the websocket upgrade', async () => {
    const server: Server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    afterwards(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    expect(await verdict(`ws://127.0.0.1:${port}`, SHORT_MS)).toMatchObject({ promise: 'answered' });
  });

  test('does not exist', async () => {
    expect(await verdict('ws://127.0.0.1:1', SHORT_MS)).toMatchObject({ promise: 'answered' });
  });
});
