/**
 * A WebSocket proxy in front of a node without accounts. It signs `eth_sendTransaction` with the key of a dev
 * account, like a wallet, and `evm_mine` waits for the next block of the engine. It passes all other messages
 * unchanged.
 */
import { once } from 'node:events';
import { WebSocket, WebSocketServer } from 'ws';
import { fromHex } from '../../src/core/bytes/hex.js';
import { callEthereum } from '../e2e/ethereum-client.js';
import { ACCOUNTS, signEthereum, UNSIGNED } from '../e2e/load.js';
import type { DaemonProcess } from '../support/daemon.js';
import { until } from './cometbft.js';

const SIGNER = 1;
const GAS = '0x5208';

export interface SigningProxy {
  readonly url: string;
  /** Closes every connection. */
  close(): void;
}

export async function signingProxy({
  eth_http: http = '',
  eth_ws: ws = '',
}: DaemonProcess['endpoints']): Promise<SigningProxy> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  server.on('connection', (client) => {
    const node = new WebSocket(ws, { perMessageDeflate: false });
    const isOpen = once(node, 'open');
    // A failed connection is closed together with its client's.
    isOpen.catch(() => undefined);
    for (const [one, other] of [
      [client, node],
      [node, client],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => other.terminate());
    }
    node.on('message', (data: Buffer) => client.send(data.toString()));
    client.on('message', (data: Buffer) => {
      const text = data.toString();
      const own = ownAnswer(http, text);
      if (own === undefined) void isOpen.then(() => node.send(text)).catch(() => undefined);
      else void own.then((answer) => client.send(answer)).catch(() => undefined);
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a port has an address');
  return {
    url: `ws://127.0.0.1:${address.port}`,
    close() {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

/** Answer to a request that the node does not support; undefined for all others. */
function ownAnswer(http: string, text: string): Promise<string> | undefined {
  const request: { readonly id?: number; readonly method: string; readonly params?: readonly [Unsigned?] } =
    JSON.parse(text);
  const answer = (result: Promise<unknown>): Promise<string> =>
    result.then(
      (value) => JSON.stringify({ jsonrpc: '2.0', id: request.id, result: value }),
      (error: unknown) =>
        JSON.stringify({ jsonrpc: '2.0', id: request.id, error: { code: -32000, message: String(error) } }),
    );
  switch (request.method) {
    case 'eth_accounts':
      return answer(Promise.resolve([ACCOUNTS[SIGNER]?.hex]));
    case 'eth_sendTransaction':
      return answer(send(http, request.params?.[0] ?? {}));
    case 'evm_mine':
      return answer(nextBlock(http));
    default:
      return undefined;
  }
}

/** Transaction of `eth_sendTransaction`, from the fields that the model provides. */
interface Unsigned {
  readonly to?: string;
  readonly data?: string;
  readonly value?: string;
  readonly gas?: string;
}

async function send(http: string, { to, data = '0x', value = '0x0', gas = GAS }: Unsigned): Promise<string> {
  const nonce = BigInt(await callEthereum<string>(http, 'eth_getTransactionCount', [ACCOUNTS[SIGNER]?.hex, 'pending']));
  const { ethereum } = signEthereum(SIGNER, {
    ...UNSIGNED,
    type: 0,
    chainId: BigInt(await callEthereum<string>(http, 'eth_chainId')),
    nonce,
    to: to === undefined ? undefined : fromHex(to.slice(2)),
    value: BigInt(value),
    gasLimit: BigInt(gas),
    gasPrice: 2_000_000_000n,
    data: fromHex(data.slice(2)),
  });
  return callEthereum<string>(http, 'eth_sendRawTransaction', [ethereum?.raw]);
}

async function nextBlock(http: string): Promise<string> {
  const height = async (): Promise<number> => Number(await callEthereum<string>(http, 'eth_blockNumber'));
  const before = await height();
  await until(async () => (await height()) > before);
  return '0x0';
}
