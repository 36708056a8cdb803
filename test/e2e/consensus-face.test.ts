/** Limits and refusals of the consensus RPC that clients written for CometBFT 0.38 rely on. */
import { expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { startDaemonProcess } from '../support/daemon.js';
import { CONSENSUS_EVENT_TYPES } from '../../src/core/comet/websocket-events.js';
import { callError, call } from './comet-client.js';
import { signedSend } from './load.js';

const MAXIMUM = 1_000_000;

it('the consensus RPC refuses large bodies and frames, bad params and raw queries as CometBFT does', async () => {
  const { endpoints } = await startDaemonProcess({ args: ['--block-time', '0.2'] });
  const { comet } = endpoints;

  const padded = (bytes: number): string => '{"jsonrpc":"2.0","id":1,"method":"health"}'.padEnd(bytes, ' ');
  const status = async (bytes: number): Promise<number> =>
    (await fetch(comet, { method: 'POST', body: padded(bytes) })).status;
  expect([await status(MAXIMUM), await status(MAXIMUM + 1)]).toEqual([200, 400]);

  const socket = new WebSocket(`${comet.replace('http', 'ws')}/websocket`);
  await new Promise((resolve) => socket.once('open', resolve));
  const next = (): Promise<string> =>
    new Promise((resolve) => socket.once('message', (data: Buffer) => resolve(data.toString())));
  socket.send(padded(MAXIMUM));
  expect(JSON.parse(await next())).toMatchObject({ id: 1, result: {} });
  socket.send('{"jsonrpc":"2.0","id":2,"method":"block","params":{"height":"x"}}');
  expect(JSON.parse(await next())).toMatchObject({
    error: { code: -32603, data: expect.stringMatching(/error converting json params/) },
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.send(padded(MAXIMUM + 1));
  expect(await closed).toBe(1009);

  const raw = (height: string, prove: boolean): Promise<unknown> =>
    call(comet, 'abci_query', { path: '/store/bank/key', data: '00', height, prove });
  expect(await raw('1000000', false)).toMatchObject({ response: { code: 26, codespace: 'sdk' } });
  expect(await raw('1', true)).toMatchObject({
    response: { code: 18, log: expect.stringContaining('cannot query with proof when height <= 1') },
  });
  expect(await callError(comet, 'block', { height: 1 as never })).toMatchObject({ code: -32602 });

  const live = new WebSocket(`${comet.replace('http', 'ws')}/websocket`);
  await new Promise((resolve) => live.once('open', resolve));
  const heard = new Promise<{ readonly data: { readonly type: string }; readonly events: object }>((resolve) =>
    live.on('message', (data: Buffer) => {
      const { result } = JSON.parse(data.toString()) as { readonly result: { readonly data?: unknown } };
      if (result.data !== undefined) resolve(result as never);
    }),
  );
  live.send(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscribe',
      params: { query: "tm.event='NewBlock' AND block.height > 3" },
    }),
  );
  const { data, events } = await heard;
  expect(data.type).toBe('tendermint/event/NewBlock');
  // The envelope has exactly the fields of CometBFT.
  expect(Object.keys(events)).not.toContain('block.height');
});

/** Rows of the table of events in the documentation: event names and when they are sent. */
function documentedEvents(): readonly (readonly [names: readonly string[], comes: string])[] {
  const file = fileURLToPath(new URL('../../docs/interfaces/comet-rpc.md', import.meta.url));
  const [, section = ''] = /\n## Events\n([\s\S]*?)\n## /.exec(readFileSync(file, 'utf8')) ?? [];
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `') && !line.startsWith('| `tm.event`'))
    .map((line) => {
      const [, names = '', comes = ''] = line.split('|');
      return [[...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name), comes.trim()];
    });
}

it('a block and a transaction emit the documented events and no others', async () => {
  const documented = documentedEvents();
  expect(documented.flatMap(([names]) => names).toSorted()).toEqual([...CONSENSUS_EVENT_TYPES].toSorted());
  const { endpoints } = await startDaemonProcess({ args: ['--block-time', '0.2'] });
  const socket = new WebSocket(`${endpoints.comet.replace('http', 'ws')}/websocket`);
  await new Promise((resolve) => socket.once('open', resolve));
  const seen = new Set<string>();
  const expected = new Set(documented.flatMap(([names, comes]) => (comes.startsWith('with each') ? names : [])));
  const all = new Promise<void>((resolve) =>
    socket.on('message', (data: Buffer) => {
      const { result } = JSON.parse(data.toString()) as {
        readonly result: { readonly query: string; readonly data?: unknown };
      };
      // Several events of a round have the same data type.
      if (result.data !== undefined) seen.add(/'(\w+)'/.exec(result.query)?.[1] ?? '');
      if (seen.size >= expected.size) resolve();
    }),
  );
  for (const [id, type] of CONSENSUS_EVENT_TYPES.entries())
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'subscribe', params: { query: `tm.event='${type}'` } }));
  await call(endpoints.comet, 'broadcast_tx_commit', { tx: signedSend(0, 0n).tx });
  await all;
  expect(seen).toEqual(expected);
});
