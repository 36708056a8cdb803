/**
 * An address in front of the Ethereum JSON-RPC, for clients that are separate processes or use node:http: what they
 * are answered is held to the published OpenRPC document, as what tests get by `fetch` is.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';
import { afterwards } from './temporary.js';
import { validateAnswers } from './valid-answers.js';

/** The address of a server that asks `url` (HTTP or websocket) for each client. */
export async function watchedFace(url: string): Promise<string> {
  validateAnswers();
  const server = createServer((request, response) => void forward(url, request, response));
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (client) => connectTo(url, client));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(() => {
    for (const client of sockets.clients) client.terminate();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return `${new URL(url).protocol}//127.0.0.1:${port}`;
}

async function forward(url: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  try {
    const answer = await fetch(url, {
      method: request.method ?? 'POST',
      headers: { 'content-type': request.headers['content-type'] ?? 'application/json' },
      ...(parts.length > 0 && { body: Buffer.concat(parts).toString() }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    response.end(await answer.text());
  } catch {
    // like a node that has stopped
    response.destroy();
  }
}

function connectTo(url: string, client: WebSocket): void {
  const node = new WebSocket(url);
  const early: string[] = [];
  client.on('message', (data: Buffer) => {
    if (node.readyState === WebSocket.OPEN) node.send(data.toString());
    else early.push(data.toString());
  });
  node.on('open', () => {
    for (const text of early.splice(0)) node.send(text);
  });
  node.on('message', (data: Buffer) => client.send(data.toString()));
  node.on('error', () => client.terminate());
  node.on('close', () => client.terminate());
  client.on('close', () => node.terminate());
}
