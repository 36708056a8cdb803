/**
 * Filters and cursors after the kill of the process that made them: the promises of the two models, on a real daemon.
 */
import { WebSocket } from 'ws';
import { describe, expect, it } from 'vitest';
import { startDaemonProcess, type DaemonProcess } from '../../support/daemon.js';

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Head {
  readonly number: bigint;
  readonly cursor: string;
}

function faceOf(daemon: DaemonProcess): { readonly http: string; readonly ws: string } {
  const { eth_http: http, eth_ws: ws } = daemon.endpoints;
  if (http === undefined || ws === undefined) throw new Error('the Ethereum face is not in the ready file');
  return { http, ws };
}

async function call(daemon: DaemonProcess, method: string, ...params: readonly unknown[]): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(faceOf(daemon).http, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const answer: Answer = JSON.parse(await response.text());
  return answer;
}

/** A subscription to heads with cursors, resumed after a cursor if one is given. */
async function* heads(daemon: DaemonProcess, cursor: string | true = true): AsyncGenerator<Head> {
  const socket = new WebSocket(faceOf(daemon).ws);
  const arrived: Head[] = [];
  let wake: () => void = () => undefined;
  socket.on('open', () =>
    socket.send(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_subscribe',
        params: ['newHeads', { cursor }],
      }),
    ),
  );
  socket.on('message', (data: Buffer) => {
    const { params }: { readonly params?: { readonly result: { readonly number: string }; readonly cursor: string } } =
      JSON.parse(data.toString('utf8'));
    if (params !== undefined) arrived.push({ number: BigInt(params.result.number), cursor: params.cursor });
    wake();
  });
  // The daemon is killed while it is subscribed.
  socket.on('error', () => undefined);
  try {
    for (;;) {
      const next = arrived.shift();
      if (next === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else yield next;
    }
  } finally {
    socket.terminate();
  }
}

async function take(from: AsyncGenerator<Head>, count: number): Promise<readonly Head[]> {
  const taken: Head[] = [];
  for (let number = 0; number < count; number += 1) {
    const next = await from.next();
    if (next.done !== true) taken.push(next.value);
  }
  return taken;
}

/** Numbers of the blocks that a block filter returns. */
async function poll(daemon: DaemonProcess, id: unknown): Promise<readonly bigint[]> {
  const { result, error } = await call(daemon, 'eth_getFilterChanges', id);
  if (!Array.isArray(result)) throw new Error(error?.message ?? 'no list');
  const blocks = await Promise.all(result.map((hash) => call(daemon, 'eth_getBlockByHash', hash, false)));
  return blocks.map(({ result: block }) =>
    BigInt(block !== null && typeof block === 'object' && 'number' in block ? String(block.number) : -1),
  );
}

describe('a daemon killed with SIGKILL', () => {
  it('keeps its filters and resumes subscriptions from a cursor, with no block twice and none missing', async () => {
    const first = await startDaemonProcess({ args: ['--block-time', '0.1'] });
    const before = heads(first);
    const [created] = await take(before, 1);
    const { result: id } = await call(first, 'eth_newBlockFilter');
    expect(id).toMatch(/^0x[0-9a-f]+$/u);
    const seen = await take(before, 3);
    const polled = await poll(first, id);
    expect(polled.length).toBeGreaterThan(0);
    await take(before, 1);
    await first.kill('SIGKILL');

    const second = await startDaemonProcess({ home: first.home, args: ['--block-time', '0.1'] });
    const last = seen.at(-1);
    if (created === undefined || last === undefined) throw new Error('no heads');
    const after = await take(heads(second, last.cursor), 4);
    expect(after.map(({ number }) => number)).toEqual([1n, 2n, 3n, 4n].map((step) => last.number + step));

    const all = [...polled, ...(await poll(second, id))];
    expect(all, 'contiguous over the kill').toEqual(all.map((_, index) => (all[0] ?? 0n) + BigInt(index)));
    expect(all[0]).toBeGreaterThan(created.number);
    expect(all.length).toBeGreaterThan(polled.length);
    expect(await call(second, 'eth_uninstallFilter', id)).toMatchObject({ result: true });
    expect(await call(second, 'eth_getFilterChanges', id)).toMatchObject({
      error: { code: -32000, message: 'filter not found' },
    });
    expect(await second.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});
