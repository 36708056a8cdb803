/**
 * Queries per second of one simple query, the balance of an account, on the faces of a daemon with its default
 * options. The suite `rest` measures REST.
 */
import { connect } from 'node:http2';
import { hammer } from './ethereum/load.js';
import { startOurs } from './ethereum/peers.js';
import { devAccounts } from './accounts.js';
import { DENOM, PREFIX } from './node-options.js';

const WARM = 3_000;
const QUERIES = 10_000;
const AT_ONCE = 16;
const PATH = '/cosmos.bank.v1beta1.Query/Balance';
const GOAL = 'at least 3,000';

/** `QueryBalanceRequest` in protobuf: address, denom. */
function balanceRequest(address) {
  const field = (number, text) => Buffer.concat([Buffer.from([(number << 3) | 2, text.length]), Buffer.from(text)]);
  return Buffer.concat([field(1, address), field(2, DENOM)]);
}

/** One gRPC call as a frame over a plain HTTP/2 session: the client library would dominate the measurement. */
function unary(session, request) {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': PATH,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    let bytes = 0;
    let status;
    stream.on('data', (chunk) => {
      bytes += chunk.length;
    });
    stream.on('trailers', (trailers) => {
      status = trailers['grpc-status'];
    });
    stream.on('error', reject);
    stream.on('close', () =>
      status === '0' && bytes > 5 ? resolve() : reject(new Error(`gRPC status ${status}, ${bytes} bytes`)),
    );
    stream.end(Buffer.concat([Buffer.from([0, 0, 0, 0, request.length]), request]));
  });
}

/** Calls per second, after a warm-up. @param {(count: number) => Promise<unknown>} run */
async function rate(run) {
  await run(WARM);
  const start = performance.now();
  await run(QUERIES);
  return QUERIES / ((performance.now() - start) / 1_000);
}

/** @param {() => Promise<unknown>} one */
const atOnce = (one) => async (count) => {
  let left = count;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left > 0) {
        left -= 1;
        await one();
      }
    }),
  );
};

/** @returns {Promise<import('./figures.js').Figure[]>} */
export async function run() {
  const ours = await startOurs();
  const [, account] = devAccounts(2, PREFIX);
  const { comet, grpc } = ours.endpoints;
  const request = balanceRequest(account.bech32);
  const session = connect(`http://${grpc}`);
  const abci = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'abci_query',
    params: { path: PATH, data: request.toString('hex') },
  });
  const ethereum = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [account.hex, 'latest'] });
  const figures = [
    { name: 'eth_getBalance', value: await rate((count) => hammer(ours.url, ethereum, count, AT_ONCE)) },
    { name: 'abci_query Balance', value: await rate((count) => hammer(comet, abci, count, AT_ONCE)) },
    { name: 'gRPC Balance, plain HTTP/2 client', value: await rate(atOnce(() => unary(session, request))) },
  ];
  session.close();
  await ours.stop();
  return figures.map((figure) => ({
    ...figure,
    name: `${figure.name}, ${AT_ONCE} at a time`,
    unit: '1/s',
    goal: GOAL,
  }));
}
