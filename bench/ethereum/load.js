/** Sends many copies of one request over several connections. */
import { connect } from 'node:net';
import { once } from 'node:events';

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * Sends `body` `total` times over `connections` sockets, each of which waits for an answer before the next request.
 * Resolves when all are answered.
 */
export async function hammer(url, body, total, connections = 16) {
  const { hostname, port } = new URL(url);
  const bytes = Buffer.from(
    `POST / HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  let left = total;
  const one = async () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    await new Promise((resolve, reject) => {
      let missing = -1;
      let head = Buffer.alloc(0);
      const next = () => {
        if (left === 0) return resolve();
        left -= 1;
        missing = -1;
        head = Buffer.alloc(0);
        socket.write(bytes);
      };
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        if (missing < 0) {
          head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
          const end = head.indexOf(END_OF_HEAD);
          if (end < 0) return;
          const text = head.toString('latin1', 0, end);
          const length = Number(/content-length: *(\d+)/i.exec(text)?.[1]);
          if (!text.startsWith('HTTP/1.1 200') || Number.isNaN(length)) return reject(new Error(`answered ${text}`));
          missing = length - (head.length - end - 4);
        } else missing -= chunk.length;
        if (missing === 0) next();
      });
      next();
    });
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, one));
  return total;
}
