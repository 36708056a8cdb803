import { expect, test } from 'vitest';
import { callJsonRpc, NotJsonRpc } from '../../src/adapters/client/json-rpc-client.js';

const answering = (answer: string) => () => Promise.resolve(answer);

test('results (including null) and errors are returned as answers', async () => {
  expect(await callJsonRpc(answering('{"jsonrpc":"2.0","id":1,"result":null}'), 'x', [])).toEqual({
    ok: true,
    result: null,
  });
  const error = { code: -32000, message: 'no', data: '0x' };
  for (const id of [1, null])
    expect(await callJsonRpc(answering(JSON.stringify({ jsonrpc: '2.0', id, error })), 'x', [])).toEqual({
      ok: false,
      error,
    });
});

test('the request has the method and its params', async () => {
  let sent = '';
  await callJsonRpc(
    (body) => {
      sent = body;
      return Promise.resolve('{"jsonrpc":"2.0","id":1,"result":1}');
    },
    'eth_call',
    [{ to: '0x' }],
  );
  expect(JSON.parse(sent)).toEqual({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: '0x' }] });
});

test.each(['', 'no', 'null', '[]', '{}', '{"jsonrpc":"2.0","id":2,"result":1}', '{"jsonrpc":"2.0","id":1}'])(
  'any other body is reported as not JSON-RPC: %s',
  async (answer) => {
    await expect(callJsonRpc(answering(answer), 'x', [])).rejects.toBeInstanceOf(NotJsonRpc);
  },
);

test('a failure to send is thrown unchanged', async () => {
  const failure = new Error('refused');
  await expect(callJsonRpc(() => Promise.reject(failure), 'x', [])).rejects.toBe(failure);
});
