/** A well-behaved client during an attack: it polls the head and sends one transaction after another. */
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { ACCOUNTS, signedEthereum } from '../e2e/load.js';

/** Times in milliseconds, sorted. */
export interface Seen {
  /** Times of `eth_blockNumber`. */
  readonly asked: readonly number[];
  /** Processor time of the node's main thread meanwhile: about the elapsed time on an otherwise idle machine. */
  readonly worked: readonly number[];
  /** From a send to the receipt of the transaction in a block. */
  readonly mined: readonly number[];
}

export interface Probe {
  /** Stops after the answers to the calls in progress. */
  stop(): Promise<Seen>;
}

/** The dev account that sends. */
const ACCOUNT = 9;

/** Starts the client in its own process. Any error answer rejects `stop`. */
export function startProbe(url: string, pid: number): Probe {
  const agent = new Agent({ keepAlive: true });
  const asked: number[] = [];
  const worked: number[] = [];
  const mined: number[] = [];
  let stopped = false;
  const asking = (async () => {
    do {
      const [begun, before] = [performance.now(), workOf(pid)];
      await call(agent, url, 'eth_blockNumber', []);
      asked.push(performance.now() - begun);
      worked.push(workOf(pid) - before);
      await turn();
    } while (!stopped);
  })();
  const sending = (async () => {
    let nonce = BigInt(String(await call(agent, url, 'eth_getTransactionCount', [ACCOUNTS[ACCOUNT]?.hex, 'pending'])));
    do {
      const { ethereum } = signedEthereum(ACCOUNT, nonce);
      nonce += 1n;
      const begun = performance.now();
      await call(agent, url, 'eth_sendRawTransaction', [ethereum?.raw]);
      while ((await call(agent, url, 'eth_getTransactionReceipt', [ethereum?.hash])) === null) await turn();
      mined.push(performance.now() - begun);
    } while (!stopped);
  })();
  const both = Promise.all([asking, sending]);
  both.catch(() => undefined);
  return {
    async stop() {
      stopped = true;
      await both;
      agent.destroy();
      const [times, work, blocks] = [asked, worked, mined].map((list) => list.toSorted((a, b) => a - b));
      return { asked: times ?? [], worked: work ?? [], mined: blocks ?? [] };
    },
  };
}

/** Quantile of the sorted values. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Processor milliseconds of a process's main thread; NaN without /proc. */
function workOf(pid: number): number {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : Number.NaN;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function call(agent: Agent, url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('error', reject);
        response.on('end', () => {
          const { result, error } = JSON.parse(text) as { readonly result?: unknown; readonly error?: unknown };
          if (error === undefined) resolve(result);
          else reject(new Error(`${method}: ${text}`));
        });
      },
    );
    asked.on('error', reject);
    asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  });
}
