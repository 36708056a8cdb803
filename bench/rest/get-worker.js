/** A thread that sends one GET many times over several connections, each waiting for its answer; says the milliseconds. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { port, path, total, connections } = workerData;
const bytes = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
const END_OF_HEAD = '\r\n\r\n';
let left = total;

async function one() {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
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

const start = performance.now();
await Promise.all(Array.from({ length: connections }, one));
parentPort.postMessage(performance.now() - start);
