/** A small keep-alive HTTP/1.1 client on one socket. It leaves most of a shared machine to the node. */
import { once } from 'node:events';
import { connect } from 'node:net';

/** One connection; requests are answered in order, one at a time. @param {string} url */
export async function openConnection(url) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let received = Buffer.alloc(0);
  let answer = () => undefined;
  let refuse = (error) => {
    throw error;
  };
  socket.on('error', (error) => refuse(error));
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/content-length: *(\d+)/i.exec(received.toString('latin1', 0, end))?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) throw new Error('the answer names no length');
    if (received.length < end + 4 + length) return;
    const body = received.toString('utf8', end + 4, end + 4 + length);
    received = received.subarray(end + 4 + length);
    answer(body);
  });
  const post = (body) =>
    new Promise((resolve, reject) => {
      answer = resolve;
      refuse = reject;
      socket.write(
        `POST / HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    });
  return {
    /** Answer to an encoded JSON-RPC request. */
    async send(body) {
      return JSON.parse(await post(body));
    },
    async call(method, params) {
      const { result, error } = JSON.parse(await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })));
      if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
      return result;
    },
    close: () => socket.destroy(),
  };
}
