/** The native library serves HTTP if it has a binary for this machine; otherwise Node.js does. */
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon.js';

const { platform, arch, versions } = process;
const binary = `../../node_modules/uWebSockets.js/dist/bin/uws_${platform}_${arch}_${versions.modules}.node`;
const hasBinary = existsSync(fileURLToPath(new URL(binary, import.meta.url)));

/** The whole answer to a request in the form of an HTTP/1.0 client. */
async function askAsOf1996(url: string, head: string, body = ''): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (piece) => (answer += String(piece)));
  socket.write(`${head} HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await once(socket, 'close');
  return answer;
}

it('with --http-server node every HTTP face serves HTTP/1.0', async () => {
  const daemon = await startDaemonProcess({ args: ['--http-server', 'node'] });
  const { eth_http: ethereum = '', eth_ws: webSocket = '', comet, rest = '', metrics } = daemon.endpoints;
  const call = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
  for (const [face, head, body, expected] of [
    [ethereum, 'POST /', call, '"0x425d4"'],
    [webSocket, 'POST /', call, '"0x425d4"'],
    [comet, 'GET /status', '', 'node_info'],
    [rest, 'GET /cosmos/base/tendermint/v1beta1/node_info', '', 'default_node_info'],
    [metrics, 'GET /health', '', '"status"'],
  ] as const) {
    const answer = await askAsOf1996(face, head, body);
    expect(answer, face).toMatch(/^HTTP\/1\.1 200 /u);
    expect(answer, face).toContain(expected);
    expect(answer.toLowerCase(), face).not.toMatch(/^transfer-encoding|^uwebsockets/mu);
  }
  expect((await daemon.kill('SIGTERM')).code).toBe(0);
});

it.skipIf(!hasBinary)(
  'the native library serves every HTTP face (skipped without a binary for this Node.js)',
  async () => {
    const daemon = await startDaemonProcess();
    const { eth_http: ethereum, comet, rest, metrics } = daemon.endpoints;
    for (const [face, path] of [
      [ethereum, '/'],
      [comet, '/status'],
      [rest, '/cosmos/base/tendermint/v1beta1/node_info'],
      [metrics, '/health'],
    ] as const) {
      const { headers } = await fetch(`${String(face)}${path}`);
      expect(headers.get('uwebsockets'), `${String(face)}${path}`).not.toBeNull();
    }
    expect((await daemon.kill('SIGTERM')).code).toBe(0);
  },
);
