/** `--log-level debug` shows each call of a client on every face, without its parameters. */
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { JsonClient, openClient } from '../adapters/grpc/reflected-client.js';
import { startDaemonProcess } from '../support/daemon.js';

const SECRET = `0x${'5ec7e7'.repeat(20)}`;

/** Asks over a websocket, and resolves with the first answer. */
async function askSocket(url: string, body: object): Promise<void> {
  const socket = new WebSocket(url, { headers: { 'user-agent': 'a-wallet/1' } });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const answered = new Promise((resolve) => socket.once('message', resolve));
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }));
  await answered;
  socket.close();
}

test('a call on any face has a line at level debug', async () => {
  const daemon = await startDaemonProcess({ args: ['--log-level', 'debug'] });
  const { eth_http: eth = '', comet, rest = '', metrics, grpc = '' } = daemon.endpoints;
  const post = (url: string, body: object): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'a-tool/2 (x)' },
      body: JSON.stringify(body),
    });
  const jsonrpc = { jsonrpc: '2.0', id: 1 };
  await post(eth, { ...jsonrpc, method: 'eth_chainId', params: [] });
  await post(
    eth,
    Array.from({ length: 5 }, () => ({ ...jsonrpc, method: 'eth_blockNumber', params: [] })),
  );
  await post(eth, { ...jsonrpc, method: 'eth_sendRawTransaction', params: [SECRET] });
  await post(comet, { ...jsonrpc, method: 'status' });
  await fetch(`${comet}/health`);
  await fetch(`${rest}/cosmos/bank/v1beta1/params`);
  await fetch(`${metrics}/health`);
  await askSocket(`${eth.replace('http', 'ws')}`, { method: 'eth_subscribe', params: ['newHeads'] });
  await askSocket(`${comet.replace('http', 'ws')}/websocket`, { method: 'subscribe', params: ["tm.event='Tx'"] });
  const client = openClient(Number(grpc.split(':').at(-1)));
  await new JsonClient(client).call('cosmos.bank.v1beta1.Query/TotalSupply', {});
  await new JsonClient(client).call('grpc.health.v1.Health/Check', {});
  client.close();
  await daemon.kill('SIGTERM');
  const lines = daemon.stderr().split('\n');
  const expected = [
    /^eth_chainId {2}\S+ ms {2}ok {2}Ethereum JSON-RPC, a-tool\/2$/,
    /^eth_blockNumber {2}\S+ ms {2}ok/,
    /^eth_blockNumber {2}4 more, .* ms {2}ok/,
    /^eth_sendRawTransaction {2}\S+ ms {2}error -32\d+ {2}/,
    /^status {2}\S+ ms {2}ok {2}consensus RPC, a-tool\/2$/,
    /^health {2}\S+ ms {2}ok {2}consensus RPC/,
    /^\/cosmos.bank.v1beta1.Query\/Params {2}\S+ ms {2}ok {2}REST/,
    /^GET \/health {2}\S+ ms {2}ok {2}metrics/,
    /^eth_subscribe {2}\S+ ms {2}ok {2}Ethereum JSON-RPC, a-wallet\/1 ws-1$/,
    /^subscribe {2}\S+ ms {2}ok {2}consensus RPC, a-wallet\/1 ws-1$/,
    /^\/cosmos.bank.v1beta1.Query\/TotalSupply {2}\S+ ms {2}ok {2}gRPC, grpc-node-js/,
    /^\/grpc.health.v1.Health\/Check {2}\S+ ms {2}ok {2}gRPC, grpc-node-js/,
    /^\/grpc.reflection.v1\S*.ServerReflection\/ServerReflectionInfo {2}\S+ ms {2}ok {2}gRPC, grpc-node-js/,
  ];
  expect(expected.filter((form) => !lines.some((line) => form.test(line)))).toEqual([]);
  expect(daemon.stderr()).not.toContain(SECRET.slice(2, 20));
});
