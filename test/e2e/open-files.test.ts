/**
 * A process with a low limit of open files: connections beyond the share that the store leaves are refused with the
 * name of the limit, and meanwhile the database opens new files.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startDaemonProcess } from '../support/daemon.js';
import { callEthereum } from './ethereum-client.js';

const FILES = 256;
const CONNECTIONS = 400;
const LIMITED = ['bash', '-c', `ulimit -n ${FILES}; exec "$0" "$@"`, process.execPath];

const UPGRADE = `HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n\r\n`;

interface Opened {
  readonly socket: Socket;
  /** Answer with which the node refused the connection. */
  readonly refusal: string | undefined;
}

/** Opens a WebSocket; resolves when it is open or closed. */
function open(port: number, path: string): Promise<Opened> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let received = '';
    socket.on('error', () => undefined);
    socket.write(`GET ${path} ${UPGRADE}`);
    socket.on('data', (data: Buffer) => {
      received += data.toString('latin1');
      if (received.startsWith('HTTP/1.1 101 ')) resolve({ socket, refusal: undefined });
    });
    socket.on('close', () => resolve({ socket, refusal: received }));
  });
}

it.skipIf(process.platform !== 'linux' || !existsSync('/bin/bash'))(
  'a node refuses connections that would take the files of its database (needs Linux and bash)',
  async () => {
    const daemon = await startDaemonProcess({ launch: LIMITED, args: ['--mining', 'manual'] });
    const { comet, eth_http: ethereum = '' } = daemon.endpoints;
    // A connection that was opened before the others.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const ask = (method: string, params: readonly unknown[]) => asked(ethereum, agent, method, params);
    expect(await ask('eth_blockNumber', [])).toMatchObject({ result: '0x0' });
    const faces = [
      [comet, '/websocket'],
      [ethereum, '/'],
    ] as const;
    const opened = await Promise.all(
      Array.from({ length: CONNECTIONS / 2 }, () =>
        faces.map(([url, path]) => open(Number(new URL(url).port), path)),
      ).flat(),
    );
    const held = opened.filter(({ refusal }) => refusal === undefined);
    const refused = opened.flatMap(({ refusal }) => refusal ?? []);
    expect(held.length).toBeGreaterThanOrEqual(16);
    expect(refused.length).toBeGreaterThan(CONNECTIONS - FILES);
    for (const one of refused)
      expect(one).toMatch(/^HTTP\/1\.1 503 [^]*the process may open no more files \(limit reservedFiles\)/);

    // The database creates files while the connections are at their limit: more than LevelDB's buffer of 4 MiB is
    // written.
    const before = tables(daemon.home);
    for (let account = 1; tables(daemon.home).every((name) => before.includes(name)); account += 1) {
      expect(account).toBeLessThan(1_000);
      const address = `0x${account.toString(16).padStart(40, '0')}`;
      const code = `${address}${'5b'.repeat(24_000)}`;
      expect(await ask('anvil_setCode', [address, code])).toMatchObject({ result: null });
    }

    for (const one of held) one.socket.destroy();
    // The node notices closed connections after a turn or two.
    let height: unknown;
    for (let tries = 0; height === undefined && tries < 1_000; tries += 1)
      height = await callEthereum(ethereum, 'eth_blockNumber').catch(() => undefined);
    expect(height).toMatch(/^0x/);
    expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  },
);

const TWO_NODES = `import { startNode } from '${new URL('../../dist/index.js', import.meta.url).href}';
const nodes = [await startNode({ mining: 'manual' }), await startNode({ mining: 'manual' })];
process.stdout.write(JSON.stringify(nodes.map(({ endpoints }) => endpoints.ethHttp)));
process.once('SIGTERM', () => Promise.all(nodes.map((node) => node.stop())));`;

it.skipIf(process.platform !== 'linux' || !existsSync('/bin/bash'))(
  'two nodes of a process share its connections (needs Linux and bash)',
  async () => {
    const [program = '', ...first] = LIMITED;
    const started = spawn(program, [...first, '--input-type=module', '-e', TWO_NODES]);
    onTestFinished(() => void started.kill('SIGKILL'));
    const [urls]: readonly unknown[] = await once(started.stdout, 'data');
    const opened = await Promise.all(
      (JSON.parse(String(urls)) as readonly string[]).flatMap((url) =>
        Array.from({ length: CONNECTIONS / 2 }, () => open(Number(new URL(url).port), '/')),
      ),
    );
    expect(opened.filter(({ refusal }) => refusal === undefined).length).toBeLessThan(FILES / 2);
    for (const { refusal } of opened)
      if (refusal !== undefined) expect(refusal).toMatch(/^HTTP\/1\.1 503 [^]*\(limit reservedFiles\)/);
    for (const { socket } of opened) socket.destroy();
    started.kill('SIGTERM');
    expect(await once(started, 'exit')).toEqual([0, null]);
  },
);

function tables(home: string): readonly string[] {
  return readdirSync(join(home, 'data', 'chronicle.db')).filter((name) => name.endsWith('.ldb'));
}

/** A call over the connection of `agent`. */
function asked(url: string, agent: Agent, method: string, params: readonly unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: 'POST', headers: { 'content-type': 'application/json' } }, (answer) => {
      let text = '';
      answer.on('data', (data: Buffer) => (text += data.toString()));
      answer.on('end', () => resolve(JSON.parse(text)));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  });
}
