import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { AnswerTimedOut, postJson } from '../../../src/adapters/client/http-post.js';

async function serverOf(answer: RequestListener): Promise<URL> {
  const server = createServer(answer);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new URL(`http://127.0.0.1:${port}`);
}

test('postJson returns the whole text of an answer, whatever its status and however it was split', async () => {
  const text = `"${'é'.repeat(40_000)}"`;
  const url = await serverOf((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(500);
      const bytes = Buffer.from(text);
      response.write(bytes.subarray(0, 40_002));
      response.end(bytes.subarray(40_002));
    });
  });
  expect(await postJson(url, '{}', 10_000)).toBe(text);
});

test('postJson rejects when an answer breaks off', async () => {
  const url = await serverOf((_, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('{"result":', () => response.destroy());
  });
  await expect(postJson(url, '{}', 10_000)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('postJson rejects after the timeout when a server does not answer', async () => {
  const url = await serverOf(() => undefined);
  await expect(postJson(url, '{}', 1)).rejects.toThrow(AnswerTimedOut);
});
