/** `validateAnswers` notices an answer that the OpenRPC document or `rpc_discover` does not allow. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { hasOpenRpc } from '../support/openrpc.js';
import { afterwards } from '../support/temporary.js';
import { takeProblems, validateAnswers } from '../support/valid-answers.js';
import { watchedFace } from '../support/watched-face.js';

const CALL = JSON.stringify([
  { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] },
  { jsonrpc: '2.0', id: 'b', method: 'eth_gasPrice', params: [] },
  { jsonrpc: '2.0', id: 3, method: 'eth_notOfTheDocument', params: [] },
]);
const answer = (chainId: unknown): string =>
  JSON.stringify([
    { jsonrpc: '2.0', id: 'b', result: '0x7' },
    { jsonrpc: '2.0', id: 1, result: chainId },
    { jsonrpc: '2.0', id: 3, result: 5 },
  ]);

it.skipIf(!hasOpenRpc)(
  'an invalid answer is noticed for fetch, for a websocket and through a watched address',
  async () => {
    let chainId: unknown = '0x1';
    const server = createServer((_, response) => response.end(answer(chainId)));
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket) => socket.on('message', () => socket.send(answer(chainId))));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    afterwards(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    const place = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    validateAnswers();
    const socket = new WebSocket(`ws://${place}`);
    await once(socket, 'open');
    const watched = await watchedFace(`http://${place}`);
    const watchedSocket = new WebSocket(await watchedFace(`ws://${place}`));
    await once(watchedSocket, 'open');
    const asProgram = async (): Promise<readonly string[]> => {
      const asked = request(watched, { method: 'POST' });
      asked.end(CALL);
      const [answered] = await once(asked, 'response');
      for await (const _ of answered) continue;
      return takeProblems();
    };
    const byWatchedSocket = async (): Promise<readonly string[]> => {
      const came = once(watchedSocket, 'message');
      watchedSocket.send(CALL);
      await came;
      return takeProblems();
    };
    const ask = async (): Promise<readonly (readonly string[])[]> => {
      const fetched = await fetch(`http://${place}`, { method: 'POST', body: CALL });
      expect(await fetched.json()).toHaveLength(3);
      const byFetch = takeProblems();
      const came = once(socket, 'message');
      socket.send(CALL);
      await came;
      return [byFetch, takeProblems(), await asProgram(), await byWatchedSocket()];
    };
    expect(await ask()).toEqual([[], [], [], []]);
    chainId = 1;
    const published = expect.stringMatching(/^eth_chainId: .*must be string.*: 1$/);
    const discovered = expect.stringMatching(/^eth_chainId in rpc_discover: .*must be string.*: 1$/);
    const wrong = [published, discovered];
    // both ends of the watched websocket are in this process
    expect(await ask()).toEqual([wrong, wrong, wrong, [...wrong, ...wrong]]);
    for (const one of [socket, watchedSocket]) one.terminate();
  },
);
