/**
 * Sends the same request repeatedly over several connections, each of which waits for its answer, and prints the
 * elapsed milliseconds. Arguments: `rest PORT TOTAL PATH` or `grpc PORT TOTAL METHOD BASE64`.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import grpc from '@grpc/grpc-js';

const AT_A_TIME = 16;
const END_OF_HEAD = '\r\n\r\n';
const [, , kind, port, total, what, base64 = ''] = process.argv;
let left = Number(total);

async function rest() {
  const bytes = Buffer.from(`GET ${what} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  const socket = connect({ host: '127.0.0.1', port: Number(port), noDelay: true });
  await once(socket, 'connect');
  await new Promise((resolve, reject) => {
    let received = '';
    const next = () => {
      if (left === 0) return resolve();
      left -= 1;
      received = '';
      socket.write(bytes);
    };
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const end = received.indexOf(END_OF_HEAD);
      if (end < 0) return;
      if (!received.startsWith('HTTP/1.1 200')) return reject(new Error(`answered ${received.slice(0, 200)}`));
      const length = Number(/content-length: *(\d+)/i.exec(received)?.[1]);
      if (received.length === end + END_OF_HEAD.length + length) next();
    });
    next();
  });
  socket.destroy();
}

async function callOver(client) {
  const request = Buffer.from(base64, 'base64');
  const asIs = (bytes) => bytes;
  while (left > 0) {
    left -= 1;
    await new Promise((resolve, reject) =>
      client.makeUnaryRequest(what, asIs, asIs, request, (error, answer) =>
        error === null ? resolve(answer) : reject(error),
      ),
    );
  }
}

const client = kind === 'grpc' ? new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure()) : undefined;
const start = performance.now();
await Promise.all(Array.from({ length: AT_A_TIME }, () => (client === undefined ? rest() : callOver(client))));
process.send(performance.now() - start);
client?.close();
process.disconnect();
