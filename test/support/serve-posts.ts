import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A server at a port of 127.0.0.1 that answers each POST by its body. It refuses all else with 405: the system gives
 * ports again, and a client of another test may still call a node that had this one.
 */
export async function servePosts(
  answer: (body: string) => string | Promise<string>,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close');
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      void Promise.resolve(answer(Buffer.concat(parts).toString())).then((text) => response.end(text));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port }: AddressInfo = server.address() as AddressInfo;
  return { server, port };
}
