/** Unmodified indexers have the events of the chain after kills of the node and a revert. */
import { createServer } from 'node:net';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createPublicClient, createWalletClient, http, parseAbi, type Address } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { Token } from '../contracts/index.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';
import { afterwards, temporaryFolder } from '../support/temporary.js';
import { CLIENTS, isInstalled, projectOf } from './clients.js';

const MS_MAX = 400_000;
const KILLS = 5;
const TRANSFERS_EACH = 20;
/**
 * Less than the five confirmations after which Ponder treats blocks of an unknown chain as final; Subsquid is set to
 * five.
 */
const REVERTED = 3;
const events = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']);

/** Free ports; a restarted node must use the same ones. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, '127.0.0.1', () => {
            const address = server.address();
            resolve(typeof address === 'object' ? (address?.port ?? 0) : 0);
          });
        }),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

interface IndexerProgram {
  readonly name: string;
  /** A file in the clients' folder; if it is absent, the indexer is not installed. */
  readonly file: string;
  readonly project: string;
  /** The program below the clients' folder, or an absolute path. */
  readonly program: string;
  readonly args: (port: number) => readonly string[];
  /** URL that answers the transfers, as rows of value and block hash. */
  readonly path: string;
}

const INDEXERS: readonly IndexerProgram[] = [
  {
    name: 'Ponder',
    file: 'node_modules/ponder/package.json',
    project: 'ponder',
    program: join(CLIENTS, 'node_modules', '.bin', 'ponder'),
    args: (port) => ['start', '--port', String(port), '--hostname', '127.0.0.1', '--schema', 'trial'],
    path: '/transfers',
  },
  {
    name: 'Subsquid',
    file: 'node_modules/@subsquid/evm-processor/package.json',
    project: 'squid',
    program: process.execPath,
    args: (port) => ['main.js', String(port)],
    path: '/',
  },
];

/** Starts an indexer on a port; it stops with the test. The error of a failed test has its output. */
function startIndexer(indexer: IndexerProgram, port: number, chronicle: string, token: Address): () => string {
  let output = '';
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  const child = spawn(indexer.program, indexer.args(port), {
    cwd: projectOf(indexer.project, 'contracts'),
    env: {
      ...own,
      PATH: `${join(CLIENTS, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`,
      NODE_ENV: 'production',
      CHRONICLE: chronicle,
      TOKEN: token,
      PONDER_TELEMETRY_DISABLED: 'true',
    },
    detached: true,
  });
  const keep = (chunk: Buffer): void => {
    output = `${output}${chunk.toString()}`.slice(-5_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  afterwards(async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  });
  return () => output;
}

describe.each(INDEXERS)('$name', (indexer) => {
  it.skipIf(!isInstalled(indexer.name, indexer.file))(
    `has every event once after ${KILLS} kills of the node, and the events of the new branch after a revert`,
    async () => {
      const [rpc = 0, api = 0] = await freePorts(2);
      const home = temporaryFolder();
      const url = `http://127.0.0.1:${rpc}`;
      const start = (): Promise<DaemonProcess> =>
        startDaemonProcess({ home, args: ['--json-rpc.address', `127.0.0.1:${rpc}`] });
      let daemon = await start();
      const chain = {
        id: 271_828,
        name: 'Chronicle',
        nativeCurrency: { name: 'chr', symbol: 'CHR', decimals: 18 },
        rpcUrls: { default: { http: [url] } },
      } as const;
      const account = mnemonicToAccount('test test test test test test test test test test test junk');
      const wallet = createWalletClient({ account, chain, transport: http() });
      const client = createPublicClient({ chain, transport: http(), pollingInterval: 20 });
      const deployed = await wallet.deployContract({
        abi: Token.abi,
        bytecode: Token.bytecode,
        args: ['Token', 'TOK', 10n ** 24n],
      });
      const token = (await client.waitForTransactionReceipt({ hash: deployed })).contractAddress ?? account.address;
      const output = startIndexer(indexer, api, url, token);
      const transfer = async (value: number): Promise<void> => {
        const hash = await wallet.writeContract({
          address: token,
          abi: Token.abi,
          functionName: 'transfer',
          args: ['0x00000000000000000000000000000000000000aa', BigInt(value)],
        });
        await client.waitForTransactionReceipt({ hash });
      };
      const ofChain = async (): Promise<readonly string[]> =>
        (await client.getLogs({ address: token, events, fromBlock: 0n }))
          .map(({ args, blockHash }) => `${args.value} ${blockHash}`)
          .toSorted();
      const ofIndexer = async (): Promise<readonly string[]> => {
        const answer = await fetch(`http://127.0.0.1:${api}${indexer.path}`).catch(() => undefined);
        if (answer?.ok !== true) return [];
        const rows: readonly (readonly [string, string])[] = JSON.parse(await answer.text());
        return rows.map((row) => row.join(' ')).toSorted();
      };
      const agrees = async (): Promise<void> => {
        try {
          await expect.poll(ofIndexer, { timeout: 120_000, interval: 200 }).toEqual(await ofChain());
        } catch (error) {
          throw new Error(output(), { cause: error });
        }
      };
      await agrees();
      let sent = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        for (let count = 0; count < TRANSFERS_EACH; count += 1) await transfer((sent += 1));
        await daemon.kill('SIGKILL');
        daemon = await start();
      }
      await agrees();
      expect((await ofChain()).length).toBe(KILLS * TRANSFERS_EACH + 1);
      const before = await ofChain();
      const request = (method: string, params: readonly unknown[]): Promise<unknown> =>
        fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        }).then(async (answer) => ((await answer.json()) as { readonly result: unknown }).result);
      const snapshot = await request('evm_snapshot', []);
      for (let count = 0; count < REVERTED; count += 1) await transfer(1_000 + count);
      await agrees();
      expect(await request('evm_revert', [snapshot])).toBe(true);
      for (let count = 0; count <= REVERTED; count += 1) await transfer(2_000 + count);
      await agrees();
      expect((await ofIndexer()).filter((row) => !/^200\d /.test(row)).length).toBe(before.length);
      process.stdout.write(
        `${indexer.name}: ${sent} transfers, ${KILLS} kills, a revert of ${REVERTED} blocks: none lost\n`,
      );
    },
    MS_MAX,
  );
});
