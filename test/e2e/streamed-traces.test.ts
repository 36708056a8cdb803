/** Long opcode logs of a running daemon: streamed over HTTP, refused by their limit elsewhere. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/core/limits/limits.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { callEthereum } from './ethereum-client.js';

const LOOP = '0x0700000000000000000000000000000000000007';
/** Steps of one round of the loop: JUMPDEST, PUSH1, SWAP1, SUB, DUP1, PUSH1, JUMPI. */
const STEPS = 7;

let daemon: DaemonProcess;
let url: string;

/** A trace of a loop with this many rounds. */
const request = (rounds: number): string => {
  const code = `0x62${rounds.toString(16).padStart(6, '0')}5b600190038060045700`;
  const call = [{ to: LOOP, gas: '0x2faf080' }, 'latest', { stateOverrides: { [LOOP]: { code } } }];
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'debug_traceCall', params: call });
};

const overHttp = (body: string): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

async function overWebSocket(body: string): Promise<string> {
  const socket = new WebSocket(daemon.endpoints.eth_ws ?? '', { maxPayload: 0 });
  await once(socket, 'open');
  socket.send(body);
  const [answer] = (await once(socket, 'message')) as [Buffer];
  socket.terminate();
  return answer.toString();
}

beforeAll(async () => {
  daemon = await startDaemonProcess();
  url = daemon.endpoints.eth_http ?? '';
});
afterAll(async () => void (await daemon.kill('SIGTERM')));

// A comparison of megabytes takes seconds. The node closes an idle connection meanwhile, and the client notices that.
afterEach(async () => {
  await turn();
  await turn();
});

describe('an opcode log', () => {
  it('has the same bytes when it is streamed and when it is sent whole', async () => {
    const body = request(30_000);
    const streamed = await overHttp(body);
    expect(streamed.headers.get('content-length')).toBeNull();
    const text = await streamed.text();
    expect(text.length).toBeGreaterThan(8 * 1024 * 1024);
    expect(text === (await overWebSocket(body))).toBe(true);
  });

  it('of a million steps is streamed over HTTP, and refused by its limit on a websocket and in a batch', async () => {
    const rounds = Math.ceil(1_000_000 / STEPS);
    const answer = await overHttp(request(rounds));
    let steps = 0;
    let last = Buffer.alloc(0);
    for await (const piece of answer.body ?? []) {
      // a step whose name is split between two chunks is counted with the second one
      const joined = Buffer.concat([last, piece]);
      last = joined.subarray(-5);
      for (let at = joined.indexOf('{"pc":'); at >= 0; at = joined.indexOf('{"pc":', at + 1)) steps += 1;
    }
    expect(steps).toBe(rounds * STEPS + 2);
    const refused = `trace too large: limit ethTraceBytes (${DEFAULT_LIMITS.ethTraceBytes}) exceeded`;
    expect(JSON.parse(await overWebSocket(request(rounds)))).toMatchObject({
      error: { code: -32_000, message: refused },
    });
    expect(await (await overHttp(`[${request(rounds)}]`)).json()).toMatchObject([
      { error: { code: -32_000, message: refused } },
    ]);
  });

  it('of a block is streamed with the hashes of its transactions', async () => {
    const [from] = await callEthereum<readonly string[]>(url, 'eth_accounts');
    // copies a loop of 30,000 rounds into memory and returns it as code
    const runtime = '620075305b600190038060045700';
    const data = `0x600e600c600039600e6000f3${runtime}`;
    const created = await callEthereum<string>(url, 'eth_sendTransaction', [{ from, data, gas: '0x30000' }]);
    const { contractAddress: to } = await callEthereum<{ readonly contractAddress: string }>(
      url,
      'eth_getTransactionReceipt',
      [created],
    );
    const hash = await callEthereum<string>(url, 'eth_sendTransaction', [{ from, to, gas: '0x200000' }]);
    const { blockNumber } = await callEthereum<{ readonly blockNumber: string }>(url, 'eth_getTransactionReceipt', [
      hash,
    ]);
    const [traced] = await callEthereum<
      readonly { readonly txHash: string; readonly result: { readonly structLogs: readonly object[] } }[]
    >(url, 'debug_traceBlockByNumber', [blockNumber]);
    expect([traced?.txHash, traced?.result.structLogs.length]).toEqual([hash, 30_000 * STEPS + 2]);
    expect(await callEthereum(url, 'debug_traceTransaction', [hash])).toEqual(traced?.result);
  });

  it('frees its slot when it ends, for short, failed and block traces', async () => {
    const [from] = await callEthereum<readonly string[]>(url, 'eth_accounts');
    const hash = await callEthereum<string>(url, 'eth_sendTransaction', [{ from, to: LOOP }]);
    // an empty block may follow at any moment
    const { blockNumber } = await callEthereum<{ readonly blockNumber: string }>(url, 'eth_getTransactionReceipt', [
      hash,
    ]);
    for (let round = 0; round < DEFAULT_LIMITS.ethTracesAtOnce; round++) {
      expect(await callEthereum(url, 'debug_traceTransaction', [hash])).toMatchObject({ failed: false });
      expect(await callEthereum(url, 'debug_traceCall', [{ to: LOOP }, 'latest'])).toMatchObject({ failed: false });
      expect(await callEthereum(url, 'debug_traceBlockByNumber', [blockNumber])).toHaveLength(1);
      await expect(callEthereum(url, 'debug_traceCall', [{ from: LOOP, value: '0x1' }, 'latest'])).rejects.toThrow();
    }
    expect(await callEthereum(url, 'debug_traceTransaction', [hash])).toMatchObject({ failed: false });
  });

  it('stops when its client disconnects, and never delays other clients', async () => {
    const { hostname, port } = new URL(url);
    const client = connect(Number(port), hostname);
    const body = request(0xffffff);
    client.write(`POST / HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\n`);
    client.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
    await once(client, 'data');
    client.pause();
    expect(await callEthereum(url, 'eth_chainId')).toBe('0x425d4');
    client.destroy();
    // one thread makes all streamed traces
    expect((await (await overHttp(request(30_000))).text()).endsWith('"returnValue":"0x"}}')).toBe(true);
  });
});
